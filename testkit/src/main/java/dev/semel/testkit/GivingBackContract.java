// SPDX-License-Identifier: Apache-2.0
package dev.semel.testkit;

import static dev.semel.testkit.Commands.giveBack;
import static dev.semel.testkit.Commands.insert;
import static dev.semel.testkit.Commands.renew;
import static dev.semel.testkit.Commands.settle;
import static dev.semel.testkit.Commands.takeOver;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.claim.OwnerToken;
import dev.semel.claim.StalePolicy;
import dev.semel.claim.Status;
import dev.semel.claim.Terms;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import dev.semel.spi.Verdict;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A claim that is given back before its work starts does not count as an attempt. */
abstract class GivingBackContract extends ContractGroup {
    GivingBackContract(ClaimStoreContract contract) {
        super(contract);
    }

    @Test
    void anAttemptThatWasGivenBackDoesNotCount() {
        Snapshot owned = running();
        for (int i = 0; i < 3; i++) {
            Snapshot back = applied(giveBack(owned));
            assertThat(back.status()).isEqualTo(Status.RETRYABLE);
            assertThat(back.attempt()).isZero();
            assertThat(back.reclaimable()).isTrue();
            owned = applied(takeOver(back));
            assertThat(owned.attempt()).isEqualTo(1);
        }
    }

    @Test
    void theFenceGrowsNevertheless() {
        Snapshot first = running();
        Snapshot back = applied(giveBack(first));
        assertThat(back.fence()).isEqualTo(first.fence());
        assertThat(back.record()).isEqualTo(first.record());

        Snapshot second = applied(takeOver(back));

        assertThat(second.attempt()).isEqualTo(first.attempt());
        assertThat(second.fence()).isGreaterThan(first.fence());
        assertThat(second.record()).isEqualTo(first.record());
    }

    @Test
    void attemptsThatRanStillCount() {
        Snapshot failed = applied(settle(running(), Status.RETRYABLE));
        Snapshot back = applied(giveBack(applied(takeOver(failed))));

        assertThat(back.attempt()).isEqualTo(1);
        assertThat(applied(takeOver(back)).attempt()).isEqualTo(2);
    }

    @Test
    void aTakenOverClaimThatIsGivenBackKeepsThePolicyOfItsLapsedOwner() {
        for (StalePolicy policy : List.of(StalePolicy.RERUN, StalePolicy.RECONCILE)) {
            Terms terms = Terms.DEFAULT.withOnStale(policy);
            Snapshot taken = applied(takeOver(lapsed(terms), Terms.DEFAULT.withOnStale(StalePolicy.PARK)));
            assertThat(taken.attempt()).isEqualTo(2);

            Snapshot back = applied(giveBack(taken, policy));

            assertThat(back.status()).isEqualTo(Status.IN_PROGRESS);
            assertThat(back.lapsed()).isTrue();
            assertThat(back.onStale()).isEqualTo(policy);
            assertThat(back.attempt()).isEqualTo(1);
            assertThat(applied(takeOver(back, terms)).attempt()).isEqualTo(2);
        }
    }

    @Test
    void givingBackTwiceCountsOnce() {
        for (boolean lapsed : List.of(false, true)) {
            Snapshot taken = applied(takeOver(applied(settle(running(), Status.RETRYABLE))));
            Command.GiveBack back = givenBack(taken, lapsed);

            assertThat(applied(back).attempt()).isEqualTo(1);
            assertThat(applied(back).attempt()).isEqualTo(1);
            assertThat(read(taken.ref()).attempt()).isEqualTo(1);
        }
    }

    @Test
    void givingBackAgainAfterATakeOverChangesNothing() {
        for (boolean lapsed : List.of(false, true)) {
            Snapshot first = running();
            Command.GiveBack back = givenBack(first, lapsed);
            applied(takeOver(applied(back)));

            refusedWithoutTrace(back);
        }
    }

    @Test
    void theFormerOwnerCanNeitherSettleNorRenew() {
        for (boolean lapsed : List.of(false, true)) {
            Snapshot owned = running();
            applied(givenBack(owned, lapsed));

            refusedWithoutTrace(settle(owned, Status.SUCCEEDED));
            refusedWithoutTrace(renew(owned, Terms.DEFAULT.lease()));
        }
    }

    @Test
    void anotherTokenIsRefused() {
        Snapshot owned = running();

        refusedWithoutTrace(new Command.GiveBack(owned.ref(), OwnerToken.random(), OwnerToken.random(), null));
        refusedAsAbsent(new Command.GiveBack(newRef(), owned.token(), OwnerToken.random(), null));
    }

    @Test
    void aSettledClaimIsNotGivenBack() {
        for (Status status : List.of(Status.SUCCEEDED, Status.FAILED, Status.RETRYABLE, Status.UNKNOWN)) {
            refusedWithoutTrace(giveBack(settled(status)));
            refusedWithoutTrace(giveBack(settled(status), StalePolicy.RERUN));
        }
    }

    @Test
    void itsRetentionStartsWhenItIsGivenBack() {
        Snapshot back = applied(giveBack(running()));
        assertThat(back.ttlLeft()).isNotNull().isPositive();
        age(back.ref(), PAST_TTL);

        sweepAll();

        assertThat(isAbsent(back.ref())).isTrue();
    }

    @Test
    void manyAreGivenBackInOneBatchWithOtherCommands() {
        Snapshot one = running();
        Snapshot other = applied(takeOver(lapsed(Terms.DEFAULT)));
        Snapshot settled = running();
        Command.Insert fresh = insert(newRef());

        List<Verdict> verdicts = store().apply(List.of(
                giveBack(one), settle(settled, Status.SUCCEEDED, "done"), giveBack(other, StalePolicy.RERUN), fresh));

        assertThat(verdicts).hasOnlyElementsOfType(Verdict.Applied.class);
        assertThat(read(one.ref()).attempt()).isZero();
        assertThat(read(other.ref()).attempt()).isEqualTo(1);
        assertThat(read(other.ref()).lapsed()).isTrue();
        assertThat(read(settled.ref()).status()).isEqualTo(Status.SUCCEEDED);
        assertThat(read(fresh.ref()).status()).isEqualTo(Status.IN_PROGRESS);
    }

    private static Command.GiveBack givenBack(Snapshot owned, boolean lapsed) {
        return lapsed ? giveBack(owned, StalePolicy.RERUN) : giveBack(owned);
    }
}
