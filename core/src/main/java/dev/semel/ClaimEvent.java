// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.claim.ClaimRef;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An event of a claim, for metrics and logs. It contains no key, no token and no result.
 *
 * @param attempt the attempt that the event is about; 0 if it is not known
 * @param cause the exception, if there was one
 * @param ttl how long the result of a granted claim is kept; null for no limit, and in other events
 */
public record ClaimEvent(
        Kind kind,
        ClaimRef ref,
        String scope,
        int attempt,
        @Nullable Throwable cause,
        @Nullable Duration ttl) {
    /** An event without a TTL. */
    public ClaimEvent(Kind kind, ClaimRef ref, String scope, int attempt, @Nullable Throwable cause) {
        this(kind, ref, scope, attempt, cause, null);
    }

    /** The kinds of events. */
    public enum Kind {
        /** A key was claimed for the first time. */
        GRANTED,
        /** A key was claimed again after a retryable failure. */
        RETRIED,
        /** A claim was taken over because its owner's lease had ended. */
        TAKEN_OVER,
        /** A duplicate received the stored result. */
        REPLAYED,
        /** A duplicate received the stored failure. */
        FAILURE_REPLAYED,
        /** A duplicate received the stored rejection. */
        REJECTION_REPLAYED,
        /** A duplicate received the answer that the first call is still running. */
        IN_PROGRESS,
        /** A key was used for another request. */
        MISMATCH,
        /** A caller received the answer that the outcome is unknown. */
        UNKNOWN,
        /** A caller received the answer that the store is unavailable. */
        UNAVAILABLE,
        /** A claim was settled as done. */
        SUCCEEDED,
        /** A claim was settled as failed permanently. */
        FAILED,
        /** A claim was settled with a business rejection. */
        REJECTED,
        /** A claim was settled as failed, and the next call runs it again. */
        FAILED_RETRYABLY,
        /** A claim was settled as unknown. */
        PARKED,
        /** A claim was given back before its work was begun. */
        GIVEN_BACK,
        /** A settlement or renewal was refused because the claim has another owner. */
        OWNERSHIP_LOST,
        /** A renewal got no answer and is tried again. */
        RENEWAL_FAILED,
        /** A settlement got no answer in time. */
        SETTLEMENT_FAILED,
        /** A caller's aliases lead to two claims; the more decisive one answered. */
        ALIAS_CONFLICT,
        /** In shadow mode: this call would not have run. */
        SHADOW_DUPLICATE
    }
}
