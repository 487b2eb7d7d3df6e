// SPDX-License-Identifier: Apache-2.0
package dev.semel.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.spi.Snapshot;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class SnapshotTest {
    @ParameterizedTest
    @CsvSource({
        // status, lease left, policy, lapsed, reclaimable
        "IN_PROGRESS, 1, RERUN,     false, false",
        "IN_PROGRESS, 1, RECONCILE, false, false",
        "IN_PROGRESS, 1, PARK,      false, false",
        "IN_PROGRESS, 0, RERUN,     true,  true",
        "IN_PROGRESS, 0, RECONCILE, true,  true",
        "IN_PROGRESS, 0, PARK,      true,  false",
        "SUCCEEDED,   0, RERUN,     false, false",
        "FAILED,      0, RERUN,     false, false",
        "RETRYABLE,   0, RERUN,     false, true",
        "RETRYABLE,   0, RECONCILE, false, true",
        "RETRYABLE,   0, PARK,      false, true",
        "UNKNOWN,     0, RERUN,     false, false",
        "UNKNOWN,     0, PARK,      false, false",
    })
    void saysWhetherItLapsedAndMayBeTakenOver(
            Status status, long leaseLeft, StalePolicy policy, boolean lapsed, boolean reclaimable) {
        Snapshot snapshot = ASnapshot.that(status)
                .leaseLeft(Duration.ofNanos(leaseLeft))
                .onStale(policy)
                .build();

        assertThat(snapshot.lapsed()).isEqualTo(lapsed);
        assertThat(snapshot.reclaimable()).isEqualTo(reclaimable);
    }

    @ParameterizedTest
    @EnumSource(Status.class)
    void mayBeTakenOverOnceExpired(Status status) {
        Snapshot snapshot =
                ASnapshot.that(status).onStale(StalePolicy.PARK).expired(true).build();

        assertThat(snapshot.reclaimable()).isTrue();
    }

    @Test
    void neverHasNegativeTimeLeft() {
        assertThat(ASnapshot.that(Status.IN_PROGRESS)
                        .leaseLeft(Duration.ofNanos(-1))
                        .build()
                        .leaseLeft())
                .isEqualTo(Duration.ZERO);
        assertThat(ASnapshot.that(Status.IN_PROGRESS)
                        .leaseLeft(Duration.ofNanos(1))
                        .build()
                        .leaseLeft())
                .isEqualTo(Duration.ofNanos(1));
    }

    @Test
    void doesNotShowTokenOrResult() {
        OwnerToken token = OwnerToken.random();
        StoredResult result = new StoredResult("text/plain", "4111".getBytes(StandardCharsets.UTF_8));
        Snapshot snapshot = ASnapshot.that(Status.SUCCEEDED)
                .ownedBy(token)
                .with(result, null)
                .build();

        assertThat(snapshot.toString())
                .contains("token=OwnerToken[hidden]", "record=RecordId[hidden]", "4 bytes")
                .doesNotContain(token.hex(), snapshot.record().hex(), "4111");
    }

    @ParameterizedTest
    @CsvSource({"IN_PROGRESS, true", "UNKNOWN, true", "SUCCEEDED, false", "FAILED, false", "RETRYABLE, false"})
    void onlyOpenStatesCanBeSettled(Status status, boolean open) {
        assertThat(status.isOpen()).isEqualTo(open);
    }
}
