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
 * The state of a claim at one moment, by the store's own clock.
 *
 * @param attempt how often the claim was acquired since it was free, without attempts that were given back before they began.
 *     It can decrease, so decisions use the token or the fence
 * @param fence grows with every acquisition, even across sweeps; for SQL that must refuse a late owner
 * @param leaseLeft the time left of the lease; zero if it has ended or there is none
 * @param ttlLeft the time until a settled claim expires and counts as absent; zero if it has expired, null for no limit
 * @param result the result it was settled with; null if there is none. One that a call about many claims omitted is {@linkplain
 *     StoredResult#isOmitted marked}
 * @param reason why the claim is in this state, if a reason was given; never contains content
 * @param aliasOf the record that this row points to; null in every record. Stores follow pointers, so callers see one only if
 *     it leads nowhere: to no row, to another pointer, or to an expired record
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

    /** The same snapshot, with a result of more than this many bytes omitted. */
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

    /** Whether the result was omitted, so that only a read of this claim alone returns it. */
    public boolean resultOmitted() {
        return result != null && result.isOmitted();
    }

    /** Whether a settled claim has expired. */
    public boolean expired() {
        return ttlLeft != null && ttlLeft.isZero();
    }

    /** Whether the owner's lease has ended without a settlement. */
    public boolean lapsed() {
        return status == Status.IN_PROGRESS && leaseLeft.isZero();
    }

    /** Whether the claim counts as absent: it has expired, or it is a pointer to no record. */
    public boolean absent() {
        return expired() || aliasOf != null;
    }

    /** Whether nothing runs before a person decides: it is parked, or lapsed under a policy that parks it. */
    public boolean awaitsDecision() {
        return !absent() && (status == Status.UNKNOWN || (lapsed() && onStale == StalePolicy.PARK));
    }

    /** Whether a caller may try to take it over: absent, failed retryably, or lapsed under a policy that allows it. */
    public boolean reclaimable() {
        return absent() || status == Status.RETRYABLE || (lapsed() && onStale != StalePolicy.PARK);
    }
}
