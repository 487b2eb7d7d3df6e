// SPDX-License-Identifier: Apache-2.0
package dev.semel.spi;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.OwnerToken;
import dev.semel.claim.RecordId;
import dev.semel.claim.StalePolicy;
import dev.semel.claim.Status;
import dev.semel.claim.StoredResult;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A claim as its store saw it at one moment of the store's own clock.
 *
 * @param attempt how often it was acquired in this life, without what was given back before it was begun; so it may go
 *     down, and decisions go by the token or the fence
 * @param fence grows with every acquisition, over clean-ups too; for SQL that must refuse a late owner
 * @param leaseLeft what is left of the lease; zero once it has ended or where there is none
 * @param ttlLeft what is left of a settled claim's time, after which it counts as absent; zero once that is over, null
 *     where there is no end
 * @param result what it was settled with; null if that was nothing. One that a call about many claims left out is {@linkplain
 *     StoredResult#isOmitted marked as such}
 * @param reason why it is in this state, if somebody said so; never holds content
 * @param aliasOf where this row leads, if it is no record; null in every record. Stores follow aliases, so that nobody
 *     else meets one unless it leads nowhere: to no row, to another alias, or to a record that has expired
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
        @Nullable Duration ttlLeft,
        @Nullable StoredResult result,
        @Nullable String reason,
        @Nullable ClaimRef aliasOf) {

    /** A record. */
    public Snapshot(
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
            @Nullable Duration ttlLeft,
            @Nullable StoredResult result,
            @Nullable String reason) {
        this(
                ref,
                scope,
                status,
                token,
                record,
                fingerprint,
                attempt,
                fence,
                onStale,
                leaseLeft,
                ttlLeft,
                result,
                reason,
                null);
    }

    public Snapshot {
        if (leaseLeft.isNegative()) {
            leaseLeft = Duration.ZERO;
        }
        if (ttlLeft != null && ttlLeft.isNegative()) {
            ttlLeft = Duration.ZERO;
        }
    }

    /** The same, with a result of more bytes than this left out. */
    public Snapshot withResultUpTo(int most) {
        return result == null || result.size() <= most || result.isOmitted()
                ? this
                : new Snapshot(
                        ref,
                        scope,
                        status,
                        token,
                        record,
                        fingerprint,
                        attempt,
                        fence,
                        onStale,
                        leaseLeft,
                        ttlLeft,
                        StoredResult.omitted(result.size()),
                        reason,
                        aliasOf);
    }

    /** Whether the result was left out, so that only asking for this claim alone shows it. */
    public boolean resultOmitted() {
        return result != null && result.isOmitted();
    }

    /** Whether a settled claim's time is over. */
    public boolean expired() {
        return ttlLeft != null && ttlLeft.isZero();
    }

    /** Whether the owner let the lease end without settling. */
    public boolean lapsed() {
        return status == Status.IN_PROGRESS && leaseLeft.isZero();
    }

    /** Whether it counts as absent: its time is over, or it leads nowhere. */
    public boolean absent() {
        return expired() || aliasOf != null;
    }

    /** Whether a caller may try to take it over: absent, failed retryably, or lapsed under a policy that allows it. */
    public boolean reclaimable() {
        return absent() || status == Status.RETRYABLE || (lapsed() && onStale != StalePolicy.PARK);
    }
}
