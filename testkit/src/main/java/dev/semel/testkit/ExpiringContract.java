// SPDX-License-Identifier: Apache-2.0
package dev.semel.testkit;

import static dev.semel.testkit.Commands.settle;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Status;
import dev.semel.claim.Terms;
import dev.semel.spi.Snapshot;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The TTL counts from the settlement. Claims that are not settled, or settled as unknown, do not expire. */
abstract class ExpiringContract extends ContractGroup {
    ExpiringContract(ClaimStoreContract contract) {
        super(contract);
    }

    @Test
    void nothingExpiresWhileItRuns() {
        Snapshot running = running();
        age(running.ref(), Duration.ofDays(3_650));

        assertThat(read(running.ref()).expired()).isFalse();
    }

    @Test
    void theTtlCountsFromTheSettlement() {
        for (Status status : List.of(Status.SUCCEEDED, Status.FAILED, Status.RETRYABLE)) {
            Snapshot owned = running();
            ClaimRef ref = owned.ref();
            // Counted from the claim, the day would end two hours after the settlement.
            age(ref, Duration.ofHours(22));
            applied(settle(owned, status));

            age(ref, Duration.ofHours(23));
            assertThat(read(ref).expired()).as("%s after 23 hours", status).isFalse();
            age(ref, Duration.ofHours(2));
            assertThat(read(ref).expired()).as("%s after 25 hours", status).isTrue();
        }
    }

    /** Caches use it as their own time-to-live. */
    @Test
    void theRemainingRetentionIsShown() {
        Snapshot owned = running();
        assertThat(owned.ttlLeft()).isNull();

        applied(settle(owned, Status.SUCCEEDED));
        assertThat(read(owned.ref()).ttlLeft()).isBetween(Duration.ofHours(23), Duration.ofHours(24));

        age(owned.ref(), Duration.ofHours(22));
        assertThat(read(owned.ref()).ttlLeft()).isBetween(Duration.ofHours(1), Duration.ofHours(2));

        age(owned.ref(), Duration.ofHours(3));
        assertThat(read(owned.ref()).ttlLeft()).isZero();
    }

    @Test
    void anExpiredClaimIsStillShownInFull() {
        Snapshot settled = applied(settle(running(), Status.SUCCEEDED, "old news"));
        age(settled.ref(), PAST_TTL);

        Snapshot expired = read(settled.ref());

        assertThat(expired.status()).isEqualTo(Status.SUCCEEDED);
        assertThat(expired.result()).isEqualTo(settled.result());
        assertThat(expired.token()).isEqualTo(settled.token());
    }

    @Test
    void withoutATtlNothingExpires() {
        for (Status status : List.of(Status.SUCCEEDED, Status.FAILED, Status.RETRYABLE)) {
            Snapshot settled = applied(settle(running(Terms.DEFAULT.withoutExpiry()), status));
            age(settled.ref(), Duration.ofDays(3_650));

            assertThat(read(settled.ref()).expired()).isFalse();
        }
    }

    @Test
    void anUnknownClaimNeverExpires() {
        Snapshot unknown = settled(Status.UNKNOWN);
        age(unknown.ref(), Duration.ofDays(3_650));

        assertThat(read(unknown.ref()).expired()).isFalse();
    }

    /** An unknown claim is kept without limit. Once it is settled, its result has the full TTL. */
    @Test
    void theTtlOfAnUnknownClaimCountsFromItsLastSettlement() {
        Snapshot unknown = settled(Status.UNKNOWN);
        age(unknown.ref(), Duration.ofDays(30));
        applied(settle(unknown, Status.SUCCEEDED, "found out"));

        assertThat(read(unknown.ref()).expired()).isFalse();
        age(unknown.ref(), PAST_TTL);
        assertThat(read(unknown.ref()).expired()).isTrue();
    }

    /** A settlement that is sent again because its answer was lost must not restart the TTL. */
    @Test
    void theSameSettlementAgainDoesNotProlongTheTtl() {
        Snapshot owned = running();
        applied(settle(owned, Status.SUCCEEDED, "once"));
        age(owned.ref(), Duration.ofHours(23));
        applied(settle(owned, Status.SUCCEEDED, "once"));
        age(owned.ref(), Duration.ofHours(2));

        assertThat(read(owned.ref()).expired()).isTrue();
    }
}
