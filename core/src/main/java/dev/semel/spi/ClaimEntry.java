// SPDX-License-Identifier: Apache-2.0
package dev.semel.spi;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.StalePolicy;
import dev.semel.claim.Status;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * A claim as operators see it: everything except the token, which would make them its owner.
 *
 * @param lapsed whether it is in progress and its lease has ended
 * @param leaseUntil when the lease of its owner ends or ended; null if it is not in progress
 * @param resultType how to read the result; null if there is none
 * @param resultSize how many bytes the result has
 * @param conflictsWith another claim to which aliases of one caller lead as well; null if there is none
 */
public record ClaimEntry(
        ClaimRef ref,
        String scope,
        Status status,
        boolean lapsed,
        int attempt,
        long fence,
        StalePolicy onStale,
        String secretId,
        Instant createdAt,
        @Nullable Instant leaseUntil,
        @Nullable Instant completedAt,
        @Nullable Instant expiresAt,
        @Nullable String resultType,
        int resultSize,
        @Nullable String reason,
        @Nullable ClaimRef conflictsWith) {
    /** When it was granted last. The fence is that time, or a little more if the store's clock went back. */
    public Instant startedAt() {
        return Instant.EPOCH.plus(fence, ChronoUnit.MICROS);
    }

    /** When it was granted or ended last. */
    public Instant updatedAt() {
        return completedAt == null ? startedAt() : completedAt;
    }

    /** Whether nothing runs before a person decides: it is parked, or lapsed under a policy that parks it. */
    public boolean awaitsDecision() {
        return status == Status.UNKNOWN || (lapsed && onStale == StalePolicy.PARK);
    }
}
