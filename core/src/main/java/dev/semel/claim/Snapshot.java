// SPDX-License-Identifier: Apache-2.0
package dev.semel.claim;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A claim as its store saw it at one moment of the store's own clock.
 *
 * @param attempt how often it was acquired in this life, from 1
 * @param fence grows with every acquisition, over clean-ups too; for SQL that must refuse a late owner
 * @param leaseLeft what is left of the lease; zero once it has ended or where there is none
 * @param expired whether the settled result's time is over, so that the row counts as absent
 * @param reason why it is in this state, if somebody said so; never holds content
 */
public record Snapshot(
        ClaimRef ref,
        String scope,
        Status status,
        OwnerToken token,
        RecordId record,
        Fingerprint fingerprint,
        int attempt,
        long fence,
        StalePolicy onStale,
        Duration leaseLeft,
        boolean expired,
        @Nullable StoredResult result,
        @Nullable String reason) {

    public Snapshot {
        if (leaseLeft.isNegative()) {
            leaseLeft = Duration.ZERO;
        }
    }

    /** Whether the owner let the lease end without settling. */
    public boolean lapsed() {
        return status == Status.IN_PROGRESS && leaseLeft.isZero();
    }

    /** Whether a caller may try to take it over: expired, failed retryably, or lapsed under a policy that allows it. */
    public boolean reclaimable() {
        return expired || status == Status.RETRYABLE || (lapsed() && onStale != StalePolicy.PARK);
    }
}
