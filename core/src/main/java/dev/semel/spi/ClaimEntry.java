// SPDX-License-Identifier: Apache-2.0
package dev.semel.spi;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.StalePolicy;
import dev.semel.claim.Status;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A claim as a person looks at it: everything but what would let them act as its owner.
 *
 * @param lapsed whether it is in progress with its lease over
 * @param resultType how to read the result; null if there is none
 * @param resultSize how many bytes the result has
 * @param conflictsWith another claim that a caller took for the same one by its aliases; null if nobody did
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
        Instant updatedAt,
        Instant startedAt,
        @Nullable Instant completedAt,
        @Nullable Instant expiresAt,
        @Nullable String resultType,
        int resultSize,
        @Nullable String reason,
        @Nullable ClaimRef conflictsWith) {}
