// SPDX-License-Identifier: Apache-2.0
package dev.semel.testkit;

import static dev.semel.testkit.Commands.insert;
import static dev.semel.testkit.Commands.settle;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.StalePolicy;
import dev.semel.claim.Status;
import dev.semel.claim.Terms;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Insert if absent: the first insert is applied, and every other one is shown the claim. */
abstract class ClaimingContract extends ContractGroup {
    ClaimingContract(ClaimStoreContract contract) {
        super(contract);
    }

    @Test
    void anInsertWithoutAnExistingClaimIsGranted() {
        Command.Insert insert = insert(newRef());

        Snapshot granted = applied(insert);

        assertThat(granted.ref()).isEqualTo(insert.ref());
        assertThat(granted.scope()).isEqualTo(insert.scope());
        assertThat(granted.status()).isEqualTo(Status.IN_PROGRESS);
        assertThat(granted.token()).isEqualTo(insert.token());
        assertThat(granted.record()).isEqualTo(insert.record());
        assertThat(granted.fingerprint()).isEqualTo(insert.fingerprint());
        assertThat(granted.attempt()).isEqualTo(1);
        assertThat(granted.fence()).isPositive();
        assertThat(granted.onStale()).isEqualTo(insert.terms().onStale());
        assertThat(granted.leaseLeft())
                .isPositive()
                .isLessThanOrEqualTo(insert.terms().lease());
        assertThat(granted.expired()).isFalse();
        assertThat(granted.result()).isNull();
        assertThat(granted.reason()).isNull();
        assertThat(timeless(read(insert.ref()))).isEqualTo(timeless(granted));
    }

    @Test
    void aSecondInsertIsRefusedAndShownTheFirstInEveryField() {
        Snapshot first = running(Terms.DEFAULT.withOnStale(StalePolicy.RECONCILE));

        Snapshot shown = refusedWithoutTrace(insert(first.ref()));

        assertThat(timeless(shown)).isEqualTo(timeless(first));
        assertThat(shown.leaseLeft()).isPositive().isLessThanOrEqualTo(Terms.DEFAULT.lease());
    }

    @Test
    void aSecondInsertThroughAnotherStoreInstanceIsRefusedAsWell() {
        Snapshot first = running();

        Snapshot shown = refused(secondStore(), insert(first.ref()));

        assertThat(timeless(shown)).isEqualTo(timeless(first));
    }

    /** The answer to the first one was lost. Sent again, the insert must find its own claim. */
    @Test
    void theSameInsertAgainIsAppliedAndChangesNothing() {
        Command.Insert insert = insert(newRef());
        Snapshot granted = applied(insert);

        assertThat(timeless(applied(insert))).isEqualTo(timeless(granted));
        assertThat(timeless(applied(secondStore(), insert))).isEqualTo(timeless(granted));
        assertThat(timeless(read(insert.ref()))).isEqualTo(timeless(granted));
    }

    @Test
    void theSameInsertAgainDoesNotProlongTheLease() {
        Command.Insert insert = insert(newRef());
        applied(insert);
        age(insert.ref(), Duration.ofMinutes(4));

        assertThat(applied(insert).leaseLeft()).isLessThanOrEqualTo(Duration.ofMinutes(1));
    }

    /** A settled claim is done. Otherwise an insert that arrives again would run the work a second time. */
    @Test
    void theSameInsertAgainIsRefusedOnceItsClaimIsSettled() {
        Command.Insert insert = insert(newRef());
        applied(settle(applied(insert), Status.SUCCEEDED, "done"));

        assertThat(refusedWithoutTrace(insert).status()).isEqualTo(Status.SUCCEEDED);
    }

    @Test
    void anInsertOnASettledClaimIsRefusedAndShownTheResult() {
        for (Status status : new Status[] {Status.SUCCEEDED, Status.FAILED, Status.RETRYABLE, Status.UNKNOWN}) {
            Snapshot settled = applied(settle(running(), status, "result of " + status));

            Snapshot shown = refusedWithoutTrace(insert(settled.ref()));

            assertThat(shown.status()).isEqualTo(status);
            assertThat(shown.result()).isEqualTo(Commands.text("result of " + status));
            assertThat(shown.leaseLeft()).isZero();
        }
    }

    /** An insert never overwrites. An expired claim is replaced by a compare-and-set, which is TakeOver. */
    @Test
    void anInsertOnAnExpiredClaimIsRefusedAndShownThatItExpired() {
        Snapshot expired = expired(Status.SUCCEEDED);

        assertThat(refusedWithoutTrace(insert(expired.ref())).expired()).isTrue();
    }

    @Test
    void anInsertOnALapsedClaimIsRefusedAndShownThatItLapsed() {
        Snapshot lapsed = lapsed(Terms.DEFAULT);

        assertThat(refusedWithoutTrace(insert(lapsed.ref())).lapsed()).isTrue();
    }

    @Test
    void everyStalePolicyIsStored() {
        for (StalePolicy policy : StalePolicy.values()) {
            Snapshot granted = running(Terms.DEFAULT.withOnStale(policy));

            assertThat(read(granted.ref()).onStale()).isEqualTo(policy);
        }
    }

    @Test
    void theFingerprintIsStoredBitByBit() {
        byte[] bytes = new byte[Fingerprint.LENGTH];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (i * 37 + 250);
        }
        for (Fingerprint fingerprint : new Fingerprint[] {Fingerprint.NONE, new Fingerprint(bytes)}) {
            Command.Insert some = insert(newRef());
            applied(new Command.Insert(
                    some.ref(), some.scope(), some.secretId(), some.token(), some.record(), fingerprint, some.terms()));

            assertThat(read(some.ref()).fingerprint()).isEqualTo(fingerprint);
        }
    }

    /** A hundred years from now is after 2038, which some column types cannot hold. */
    @Test
    void theLongestTermsAreKept() {
        Duration century = Duration.ofDays(36_500);
        Snapshot granted = running(new Terms(century, century, Optional.of(century), StalePolicy.RERUN));

        assertThat(read(granted.ref()).leaseLeft()).isBetween(century.minusHours(1), century);
        age(granted.ref(), Duration.ofDays(365));
        assertThat(read(granted.ref()).leaseLeft())
                .isBetween(century.minusDays(365).minusHours(1), century.minusDays(365));

        applied(settle(granted, Status.SUCCEEDED));
        age(granted.ref(), Duration.ofDays(3_650));
        assertThat(read(granted.ref()).expired()).isFalse();
    }

    @Test
    void claimsOnDifferentReferencesAreIndependent() {
        ClaimRef one = newRef();
        ClaimRef other = newRef();

        Snapshot first = applied(insert(one));
        Snapshot second = applied(insert(other));

        applied(settle(first, Status.FAILED, "first"));
        assertThat(timeless(read(other))).isEqualTo(timeless(second));
    }
}
