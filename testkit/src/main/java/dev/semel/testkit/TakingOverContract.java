// SPDX-License-Identifier: Apache-2.0
package dev.semel.testkit;

import static dev.semel.testkit.Commands.insert;
import static dev.semel.testkit.Commands.renew;
import static dev.semel.testkit.Commands.settle;
import static dev.semel.testkit.Commands.takeOver;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.claim.OwnerToken;
import dev.semel.claim.StalePolicy;
import dev.semel.claim.Status;
import dev.semel.claim.Terms;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Only a reclaimable claim can be taken over, only with its current token, and only by one caller. */
abstract class TakingOverContract extends ContractGroup {
    TakingOverContract(ClaimStoreContract contract) {
        super(contract);
    }

    @Test
    void aLapsedClaimIsTakenOverUnderRerunAndReconcile() {
        for (StalePolicy policy : List.of(StalePolicy.RERUN, StalePolicy.RECONCILE)) {
            Snapshot seen = lapsed(Terms.DEFAULT.withOnStale(policy));
            assertThat(seen.reclaimable()).isTrue();

            secondAttempt(seen);
        }
    }

    /** A new owner with a laxer policy must not weaken the policy for the owner after it. */
    @Test
    void aClaimUnderReconcileKeepsItsPolicyWhenANewOwnerHasALaxerOne() {
        Snapshot seen = lapsed(Terms.DEFAULT.withOnStale(StalePolicy.RECONCILE));

        assertThat(applied(takeOver(seen, Terms.DEFAULT.withOnStale(StalePolicy.RERUN)))
                        .onStale())
                .isEqualTo(StalePolicy.RECONCILE);
    }

    @Test
    void aClaimThatFailedRetryablyOrHasExpiredIsOnItsNewOwnersTerms() {
        Snapshot owned = running(Terms.DEFAULT.withOnStale(StalePolicy.RECONCILE));
        Snapshot failed = applied(settle(owned, Status.RETRYABLE));

        assertThat(applied(takeOver(failed, Terms.DEFAULT.withOnStale(StalePolicy.RERUN)))
                        .onStale())
                .isEqualTo(StalePolicy.RERUN);
    }

    @Test
    void aClaimThatFailedRetryablyIsTakenOver() {
        Snapshot owned = running();
        Snapshot seen = applied(new Command.Settle(
                owned.ref(), owned.token(), Status.RETRYABLE, Commands.text("what was left"), "it broke"));
        assertThat(seen.reclaimable()).isTrue();

        secondAttempt(seen);
    }

    private void secondAttempt(Snapshot seen) {
        Command.TakeOver takeOver = takeOver(seen, Terms.DEFAULT.withOnStale(StalePolicy.PARK));

        Snapshot taken = applied(takeOver);

        assertThat(taken.status()).isEqualTo(Status.IN_PROGRESS);
        assertThat(taken.token()).isEqualTo(takeOver.token()).isNotEqualTo(seen.token());
        assertThat(taken.record()).as("the record's id after a take-over").isEqualTo(seen.record());
        assertThat(taken.attempt()).isEqualTo(seen.attempt() + 1);
        assertThat(taken.fence()).isGreaterThan(seen.fence());
        assertThat(taken.fingerprint()).isEqualTo(takeOver.fingerprint());
        assertThat(taken.onStale()).as("the new owner's policy").isEqualTo(StalePolicy.PARK);
        assertThat(taken.scope()).isEqualTo(seen.scope());
        assertThat(taken.leaseLeft()).isPositive().isLessThanOrEqualTo(Terms.DEFAULT.lease());
        assertThat(taken.result()).isNull();
        assertThat(taken.reason()).isNull();
        assertThat(timeless(read(seen.ref()))).isEqualTo(timeless(taken));
    }

    /** An expired claim counts as absent, so this is a first attempt. Only the fence continues, because it never decreases. */
    @Test
    void anExpiredClaimIsMadeAnew() {
        for (Status status : List.of(Status.SUCCEEDED, Status.FAILED, Status.RETRYABLE)) {
            Snapshot seen = expired(status);
            assertThat(seen.reclaimable()).isTrue();
            Command.TakeOver takeOver = takeOver(seen);

            Snapshot taken = applied(takeOver);

            assertThat(taken.status()).isEqualTo(Status.IN_PROGRESS);
            assertThat(taken.attempt()).isEqualTo(1);
            assertThat(taken.record()).isEqualTo(takeOver.record()).isNotEqualTo(seen.record());
            assertThat(taken.fence()).isGreaterThan(seen.fence());
            assertThat(taken.expired()).isFalse();
            assertThat(taken.result()).isNull();
            assertThat(taken.reason()).isNull();
            assertThat(timeless(read(seen.ref()))).isEqualTo(timeless(taken));
        }
    }

    @Test
    void noOtherClaimIsTakenOver() {
        refusedWithoutTrace(takeOver(running()));
        refusedWithoutTrace(takeOver(lapsed(Terms.DEFAULT.withOnStale(StalePolicy.PARK))));
        refusedWithoutTrace(takeOver(settled(Status.SUCCEEDED)));
        refusedWithoutTrace(takeOver(settled(Status.FAILED)));
        refusedWithoutTrace(takeOver(settled(Status.UNKNOWN)));
    }

    @Test
    void anUnknownClaimIsNotTakenOverHoweverOldItIs() {
        Snapshot unknown = settled(Status.UNKNOWN);
        age(unknown.ref(), Duration.ofDays(3_650));

        refusedWithoutTrace(takeOver(unknown));
    }

    @Test
    void anAbsentClaimIsNotTakenOver() {
        Snapshot elsewhere = running();
        Command.TakeOver some = takeOver(elsewhere);

        refusedAsAbsent(new Command.TakeOver(
                newRef(), some.expected(), some.token(), some.record(), some.fingerprint(), some.terms()));
    }

    @Test
    void aTakeOverNeedsTheTokenThatTheClaimHasNow() {
        Snapshot first = lapsed(Terms.DEFAULT);
        applied(takeOver(first));
        age(first.ref(), PAST_LEASE);

        assertThat(refusedWithoutTrace(takeOver(first)).reclaimable()).isTrue();
        refusedWithoutTrace(new Command.TakeOver(
                first.ref(),
                OwnerToken.random(),
                OwnerToken.random(),
                first.record(),
                first.fingerprint(),
                Terms.DEFAULT));
    }

    @Test
    void ofTwoTakeOversWithTheSameTokenOneIsApplied() {
        Snapshot seen = lapsed(Terms.DEFAULT);

        Snapshot winner = applied(takeOver(seen));
        Snapshot shown = refused(secondStore(), takeOver(seen));

        assertThat(timeless(shown)).isEqualTo(timeless(winner));
        assertThat(timeless(read(seen.ref()))).isEqualTo(timeless(winner));
    }

    /** The answer to the first one was lost. */
    @Test
    void theSameTakeOverAgainIsAppliedAndChangesNothing() {
        for (Snapshot seen : List.of(lapsed(Terms.DEFAULT), settled(Status.RETRYABLE), expired(Status.SUCCEEDED))) {
            Command.TakeOver takeOver = takeOver(seen);
            Snapshot taken = applied(takeOver);

            assertThat(timeless(applied(takeOver))).isEqualTo(timeless(taken));
            assertThat(timeless(applied(secondStore(), takeOver))).isEqualTo(timeless(taken));
        }
    }

    @Test
    void aRenewalBetweenTheReadAndTheTakeOverWins() {
        Snapshot seen = lapsed(Terms.DEFAULT);
        applied(renew(seen, Terms.DEFAULT.lease()));

        refusedWithoutTrace(takeOver(seen));
    }

    @Test
    void aSettlementBetweenTheReadAndTheTakeOverWins() {
        for (Status status : List.of(Status.SUCCEEDED, Status.FAILED, Status.UNKNOWN)) {
            Snapshot seen = lapsed(Terms.DEFAULT);
            applied(settle(seen, status, "in time"));

            assertThat(refusedWithoutTrace(takeOver(seen)).result()).isEqualTo(Commands.text("in time"));
        }
    }

    @Test
    void theNewOwnersTermsHoldFromThenOn() {
        Terms terms = new Terms(
                Duration.ofHours(2), Duration.ofHours(3), Optional.of(Duration.ofHours(48)), StalePolicy.RERUN);
        Snapshot taken = applied(takeOver(lapsed(Terms.DEFAULT), terms));
        assertThat(taken.leaseLeft()).isBetween(Duration.ofMinutes(110), Duration.ofHours(2));

        // Two of three hours of run time are left, counted from the take-over.
        age(taken.ref(), Duration.ofHours(1));
        assertThat(applied(renew(taken, Duration.ofHours(5))).leaseLeft())
                .isBetween(Duration.ofMinutes(110), Duration.ofHours(2));

        applied(settle(taken, Status.SUCCEEDED));
        age(taken.ref(), Duration.ofHours(47));
        assertThat(read(taken.ref()).expired()).isFalse();
        age(taken.ref(), Duration.ofHours(2));
        assertThat(read(taken.ref()).expired()).isTrue();
    }

    @Test
    void attemptsAddUpAndTheFenceGrowsWithEachOfThem() {
        Snapshot first = running();
        Snapshot last = first;
        for (int attempt = 2; attempt <= 6; attempt++) {
            age(first.ref(), PAST_LEASE);
            Snapshot next = applied(takeOver(last));

            assertThat(next.attempt()).isEqualTo(attempt);
            assertThat(next.fence()).isGreaterThan(last.fence());
            assertThat(next.record()).isEqualTo(first.record());
            last = next;
        }
    }

    @Test
    void theFenceGrowsAfterASweepToo() {
        Snapshot last = expired(Status.SUCCEEDED);
        for (int life = 0; life < 3; life++) {
            sweepAll();
            assertThat(isAbsent(last.ref())).isTrue();

            Snapshot next = applied(insert(last.ref()));

            assertThat(next.fence()).isGreaterThan(last.fence());
            last = applied(settle(next, Status.SUCCEEDED));
            age(last.ref(), PAST_TTL);
        }
    }

    /** The only test that waits for the store's clock to move by itself. */
    @Test
    void aLeaseEndsByTheStoresOwnClock() {
        Snapshot granted = running(Terms.DEFAULT.withLease(Duration.ofMillis(50)));

        await().until(() -> read(granted.ref()).lapsed());

        assertThat(applied(takeOver(granted)).attempt()).isEqualTo(2);
    }
}
