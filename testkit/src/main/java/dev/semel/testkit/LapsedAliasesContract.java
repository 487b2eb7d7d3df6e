// SPDX-License-Identifier: Apache-2.0
package dev.semel.testkit;

import static dev.semel.testkit.Commands.insert;
import static dev.semel.testkit.Commands.settle;
import static dev.semel.testkit.Commands.takeOver;
import static dev.semel.testkit.Commands.takeOverUnlessAbsent;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Status;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A claim with several digests expires and is swept. */
abstract class LapsedAliasesContract extends ContractGroup {
    private final ClaimRef a = newRef();
    private final ClaimRef b = newRef();
    private final ClaimRef c = newRef();

    LapsedAliasesContract(ClaimStoreContract contract) {
        super(contract);
    }

    @Test
    void anAliasOfAnExpiredRecordCountsAsAbsent() {
        Snapshot record = applied(settle(applied(insert(a, List.of(b))), Status.SUCCEEDED));
        age(record.ref(), PAST_TTL);

        Snapshot seen = refused(insert(b));
        assertThat(seen.ref()).isEqualTo(b);
        assertThat(seen.aliasOf()).isEqualTo(a);
        assertThat(seen.absent()).isTrue();
        Snapshot owned = applied(takeOver(seen));

        assertThat(owned.ref()).isEqualTo(b);
        assertThat(owned.attempt()).isEqualTo(1);
        assertThat(owned.aliasOf()).isNull();
        assertThat(owned.fence()).isGreaterThan(seen.fence());
        assertThat(read(a).expired()).as("its old record is unchanged").isTrue();
    }

    @Test
    void anAliasOfARecordThatWasTakenOverIsNotTaken() {
        Snapshot record = applied(settle(applied(insert(a, List.of(b))), Status.SUCCEEDED));
        age(record.ref(), PAST_TTL);
        Snapshot seen = refused(insert(b));
        Snapshot revived = applied(takeOver(read(a)));

        assertThat(timeless(refused(takeOver(seen)))).isEqualTo(timeless(revived));
    }

    /** Otherwise the work would run by both keys. */
    @Test
    void aRecordThatExpiredSinceItWasReadIsNotTakenAfterItsAlias() {
        Snapshot record = applied(settle(applied(insert(a, List.of(b))), Status.RETRYABLE));
        Command late = takeOverUnlessAbsent(record);
        age(record.ref(), PAST_TTL);
        Snapshot owned = applied(takeOver(refused(insert(b))));

        Snapshot seen = refused(late);

        assertThat(seen.ref()).isEqualTo(a);
        assertThat(seen.expired()).isTrue();
        assertThat(timeless(refused(insert(a, List.of(b))))).isEqualTo(timeless(owned));
    }

    @Test
    void aClaimThatExpiredUnderAllKeysIsMadeAnew() {
        Snapshot old = applied(settle(applied(insert(a, List.of(b))), Status.SUCCEEDED, "old"));
        age(old.ref(), PAST_TTL);

        Snapshot record = applied(insert(b, List.of(a)));

        assertThat(record.ref()).isEqualTo(b);
        assertThat(record.attempt()).isEqualTo(1);
        assertThat(record.record()).isNotEqualTo(old.record());
        assertThat(record.result()).isNull();
        assertThat(timeless(refused(insert(a)))).isEqualTo(timeless(record));
    }

    @Test
    void anExpiredClaimOfAnotherKeyBecomesAPointerToTheCurrentOne() {
        Snapshot old = applied(settle(applied(insert(a)), Status.SUCCEEDED, "old"));
        age(old.ref(), PAST_TTL);
        Snapshot living = applied(insert(b));

        assertThat(timeless(refused(insert(a, List.of(b))))).isEqualTo(timeless(living));
        assertThat(timeless(refused(insert(a)))).isEqualTo(timeless(living));
    }

    @Test
    void aliasesAreDeletedWithTheirRecord() {
        Snapshot record = applied(settle(applied(insert(a, List.of(b, c))), Status.SUCCEEDED));
        age(record.ref(), PAST_TTL);

        sweepAll();

        assertThat(isAbsent(a)).isTrue();
        assertThat(isAbsent(b)).isTrue();
        assertThat(isAbsent(c)).isTrue();
        assertThat(applied(insert(b)).ref()).isEqualTo(b);
    }

    @Test
    void aliasesStayAsLongAsTheirRecord() {
        Snapshot record = applied(insert(a, List.of(b)));
        age(b, PAST_ALL.plus(PAST_ALL));

        sweepAll();

        assertThat(timeless(read(b))).isEqualTo(timeless(record));
    }

    /** Its target has become a pointer itself. Chains are not followed, so the alias counts as absent and is swept. */
    @Test
    void anAliasOfAnAliasCountsAsAbsent() {
        Snapshot old = applied(settle(applied(insert(a, List.of(c))), Status.SUCCEEDED));
        age(old.ref(), PAST_TTL);
        Snapshot record = applied(insert(b, List.of(a)));

        Snapshot seen = refused(insert(c));
        assertThat(seen.aliasOf()).isEqualTo(a);
        sweepAll();

        assertThat(isAbsent(c)).isTrue();
        assertThat(timeless(read(a))).isEqualTo(timeless(record));
    }
}
