// SPDX-License-Identifier: Apache-2.0
package dev.semel.testkit;

import static dev.semel.testkit.Commands.insert;
import static dev.semel.testkit.Commands.settle;
import static dev.semel.testkit.Commands.takeOver;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.StalePolicy;
import dev.semel.claim.Status;
import dev.semel.claim.Terms;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import dev.semel.spi.Verdict;
import java.util.List;
import org.junit.jupiter.api.Test;

/** One claim with several digests: each of them finds the same record. */
abstract class AliasingContract extends ContractGroup {
    private final ClaimRef a = newRef();
    private final ClaimRef b = newRef();
    private final ClaimRef c = newRef();

    AliasingContract(ClaimStoreContract contract) {
        super(contract);
    }

    @Test
    void aNewClaimIsFoundByAllItsKeys() {
        Snapshot record = applied(insert(a, List.of(b, c)));

        assertThat(record.ref()).isEqualTo(a);
        assertThat(record.status()).isEqualTo(Status.IN_PROGRESS);
        assertThat(record.attempt()).isEqualTo(1);
        assertThat(record.aliasOf()).isNull();
        for (ClaimRef name : List.of(a, b, c)) {
            assertThat(timeless(read(name))).isEqualTo(timeless(record));
            assertThat(timeless(refused(insert(name)))).isEqualTo(timeless(record));
            assertThat(timeless(read(secondStore(), name))).isEqualTo(timeless(record));
        }
    }

    @Test
    void anInsertThatIsSentAgainIsRecognized() {
        Command.Insert insert = insert(a, List.of(b));
        Snapshot first = applied(insert);

        assertThat(timeless(applied(secondStore(), insert))).isEqualTo(timeless(first));
        assertThat(first.attempt()).isEqualTo(1);
    }

    @Test
    void anInsertThatIsSentAgainAfterTheEndIsShownTheExpiredClaim() {
        Command.Insert insert = insert(a, List.of(b));
        applied(settle(applied(insert), Status.SUCCEEDED));
        age(a, PAST_TTL);

        Snapshot seen = refused(insert);

        assertThat(seen.ref()).isEqualTo(a);
        assertThat(seen.expired()).isTrue();
    }

    @Test
    void aRefusedInsertIsAppliedAfterTheOtherClaimHasExpired() {
        Snapshot first = applied(insert(b));
        Command.Insert insert = insert(a, List.of(b));
        refused(insert);
        applied(settle(first, Status.SUCCEEDED));
        age(b, PAST_TTL);

        Snapshot record = applied(insert);

        assertThat(record.ref()).isEqualTo(a);
        assertThat(timeless(read(b))).isEqualTo(timeless(record));
    }

    @Test
    void newAliasesOfAnExistingClaimLeadToIt() {
        Snapshot record = applied(insert(b));

        Snapshot shown = refused(insert(a, List.of(b, c)));

        assertThat(timeless(shown)).isEqualTo(timeless(record));
        assertThat(timeless(refused(insert(a)))).isEqualTo(timeless(record));
        assertThat(timeless(refused(insert(c)))).isEqualTo(timeless(record));
    }

    @Test
    void aliasesAreLinkedThroughOtherAliases() {
        Snapshot record = applied(insert(a, List.of(b)));

        refused(insert(c, List.of(b)));

        assertThat(read(c).ref()).isEqualTo(record.ref());
        applied(settle(record, Status.SUCCEEDED, "the one"));
        assertThat(refused(insert(c)).result()).isEqualTo(Commands.text("the one"));
    }

    /** Otherwise a caller that owns nothing would learn that its lease continues. */
    @Test
    void onlyTheRecordsOwnReferenceOwnsIt() {
        Snapshot record = applied(insert(a, List.of(b)));

        Command.Renew byAlias = new Command.Renew(b, record.token(), Terms.DEFAULT.lease());
        assertThat(verdict(store(), byAlias)).isInstanceOf(Verdict.Refused.class);
        Command.Settle settleByAlias = new Command.Settle(b, record.token(), Status.SUCCEEDED, null, null);
        assertThat(verdict(store(), settleByAlias)).isInstanceOf(Verdict.Refused.class);
        assertThat(read(a).status()).isEqualTo(Status.IN_PROGRESS);
    }

    @Test
    void aRetryableClaimIsTakenOverWhereItIs() {
        Snapshot record = applied(settle(applied(insert(a, List.of(b))), Status.RETRYABLE));

        Snapshot seen = refused(insert(b));
        Snapshot owned = applied(takeOver(seen));

        assertThat(owned.ref()).isEqualTo(record.ref());
        assertThat(owned.attempt()).isEqualTo(2);
        assertThat(timeless(refused(insert(b)))).isEqualTo(timeless(owned));
    }

    @Test
    void ofTwoRecordsTheMoreDecisiveOneAnswersAndNeitherIsLinked() {
        List<Snapshot> byDecisiveness = List.of(
                settled(Status.SUCCEEDED),
                settled(Status.FAILED),
                running(),
                settled(Status.UNKNOWN),
                lapsed(Terms.DEFAULT.withOnStale(StalePolicy.PARK)),
                lapsed(Terms.DEFAULT.withOnStale(StalePolicy.RECONCILE)),
                lapsed(Terms.DEFAULT.withOnStale(StalePolicy.RERUN)),
                settled(Status.RETRYABLE));
        for (int i = 0; i < byDecisiveness.size() - 1; i++) {
            Snapshot first = byDecisiveness.get(i);
            for (Snapshot second : byDecisiveness.subList(i + 1, byDecisiveness.size())) {
                ClaimRef fresh = newRef();
                Verdict.Refused refused = assertInstanceOf(
                        Verdict.Refused.class, verdict(store(), insert(second.ref(), List.of(fresh, first.ref()))));

                assertThat(timeless(refusedOf(refused))).isEqualTo(timeless(first));
                assertThat(refused.conflict()).isEqualTo(second.ref());
                assertThat(isAbsent(fresh)).isTrue();
                assertThat(timeless(read(second.ref()))).isEqualTo(timeless(second));
            }
        }
    }

    @Test
    void anAliasOfAnotherTenantLeadsToNoClaim() {
        applied(insert(a, List.of(b)));
        ClaimRef foreign = new ClaimRef("stranger-" + tenant, b.digest());

        assertThat(store().read(List.of(foreign))).isEmpty();
    }
}
