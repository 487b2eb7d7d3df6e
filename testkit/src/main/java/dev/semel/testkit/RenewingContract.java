// SPDX-License-Identifier: Apache-2.0
package dev.semel.testkit;

import static dev.semel.testkit.Commands.renew;
import static dev.semel.testkit.Commands.takeOver;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.claim.OwnerToken;
import dev.semel.claim.StalePolicy;
import dev.semel.claim.Status;
import dev.semel.claim.Terms;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The owner can renew its lease any number of times, up to the maximum run time. */
abstract class RenewingContract extends ContractGroup {
    private static final Duration LEASE = Terms.DEFAULT.lease();

    RenewingContract(ClaimStoreContract contract) {
        super(contract);
    }

    @Test
    void aRenewalProlongsTheLeaseFromNowAndChangesNothingElse() {
        Snapshot owned = running();
        age(owned.ref(), Duration.ofMinutes(4));
        assertThat(read(owned.ref()).leaseLeft()).isLessThanOrEqualTo(Duration.ofMinutes(1));

        Snapshot renewed = applied(renew(owned, LEASE));

        assertThat(renewed.leaseLeft()).isBetween(LEASE.minusMinutes(1), LEASE);
        assertThat(read(owned.ref()).leaseLeft()).isBetween(LEASE.minusMinutes(1), LEASE);
        assertThat(timeless(renewed)).isEqualTo(timeless(owned));
    }

    @Test
    void noRenewalExceedsTheMaximumRunTime() {
        Snapshot owned = running(Terms.DEFAULT.withMaxRun(Duration.ofMinutes(60)));
        age(owned.ref(), Duration.ofMinutes(57));

        assertThat(applied(renew(owned, LEASE)).leaseLeft()).isBetween(Duration.ofMinutes(2), Duration.ofMinutes(3));

        age(owned.ref(), Duration.ofMinutes(10));
        Snapshot over = applied(renew(owned, LEASE));
        assertThat(over.leaseLeft()).as("once the maximum run time is over").isZero();
        assertThat(over.reclaimable()).isTrue();
        assertThat(applied(takeOver(over)).attempt()).isEqualTo(2);
    }

    @Test
    void theMaximumRunTimeCountsFromTheClaimAndNotFromTheLastRenewal() {
        Snapshot owned = running(Terms.DEFAULT.withMaxRun(Duration.ofMinutes(60)));
        for (int i = 0; i < 11; i++) {
            age(owned.ref(), Duration.ofMinutes(4));
            assertThat(applied(renew(owned, LEASE)).leaseLeft()).isGreaterThan(Duration.ofMinutes(4));
        }
        // 44 of 60 minutes have passed.
        assertThat(applied(renew(owned, Duration.ofHours(5))).leaseLeft())
                .isBetween(Duration.ofMinutes(14), Duration.ofMinutes(16));
    }

    @Test
    void anotherTokenIsRefused() {
        Snapshot owned = running();

        refusedWithoutTrace(new Command.Renew(owned.ref(), OwnerToken.random(), LEASE));
        refusedWithoutTrace(new Command.Renew(owned.ref(), OwnerToken.random(), Duration.ZERO));
        assertThat(read(owned.ref()).leaseLeft()).isLessThanOrEqualTo(LEASE);
    }

    @Test
    void aFormerOwnerNeitherRenewsNorReleasesItsSuccessorsClaim() {
        Snapshot zombie = lapsed(Terms.DEFAULT);
        Snapshot successor = applied(takeOver(zombie));

        refusedWithoutTrace(renew(zombie, Duration.ofMinutes(50)));
        refusedWithoutTrace(renew(zombie, Duration.ZERO));

        assertThat(read(successor.ref()).leaseLeft()).isPositive().isLessThanOrEqualTo(LEASE);
    }

    @Test
    void aSettledClaimIsNotRenewed() {
        for (Status status : List.of(Status.SUCCEEDED, Status.FAILED, Status.RETRYABLE, Status.UNKNOWN)) {
            refusedWithoutTrace(renew(settled(status), LEASE));
        }
    }

    @Test
    void anAbsentClaimIsNotRenewed() {
        Snapshot elsewhere = running();

        refusedAsAbsent(new Command.Renew(newRef(), elsewhere.token(), LEASE));
    }

    @Test
    void aLeaseOfZeroReleasesTheClaimAtOnce() {
        Snapshot owned = running(Terms.DEFAULT.withOnStale(StalePolicy.RECONCILE));

        Snapshot givenUp = applied(renew(owned, Duration.ZERO));

        assertThat(givenUp.lapsed()).isTrue();
        Snapshot seen = read(owned.ref());
        assertThat(seen.lapsed()).isTrue();
        assertThat(seen.onStale()).isEqualTo(StalePolicy.RECONCILE);
        assertThat(applied(takeOver(seen)).attempt()).isEqualTo(2);
    }

    @Test
    void afterTheLeaseButBeforeATakeOverTheOwnerStillRenews() {
        for (StalePolicy policy : StalePolicy.values()) {
            Snapshot owned = lapsed(Terms.DEFAULT.withOnStale(policy));

            assertThat(applied(renew(owned, LEASE)).leaseLeft()).isPositive();
            assertThat(read(owned.ref()).reclaimable()).isFalse();
        }
    }
}
