// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.claim.ClaimRef;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened to a claim, for metrics and logs. Holds no key, no token and no result.
 *
 * @param attempt which attempt it was about; 0 where that is not known
 * @param cause what went wrong, if something did
 */
public record ClaimEvent(
        Kind kind,
        ClaimRef ref,
        String scope,
        int attempt,
        @Nullable Throwable cause) {
    /** What can happen. */
    public enum Kind {
        /** A key was claimed for the first time. */
        GRANTED,
        /** A key was claimed again after a retryable failure. */
        RETRIED,
        /** A claim was taken over because its owner's lease had ended. */
        TAKEN_OVER,
        /** A duplicate got the stored result. */
        REPLAYED,
        /** A duplicate got the stored failure. */
        FAILURE_REPLAYED,
        /** A duplicate was told that the first is still running. */
        IN_PROGRESS,
        /** A key came with another request. */
        MISMATCH,
        /** A caller was told that the outcome is unknown. */
        UNKNOWN,
        /** A caller was told that the store does not answer. */
        UNAVAILABLE,
        /** A claim was settled as done. */
        SUCCEEDED,
        /** A claim was settled as failed for good. */
        FAILED,
        /** A claim was settled as failed, to be run again. */
        FAILED_RETRYABLY,
        /** A claim was settled as unknown. */
        PARKED,
        /** A claim was given back before its work was begun. */
        GIVEN_BACK,
        /** A settlement or renewal was refused because the claim has another owner. */
        OWNERSHIP_LOST,
        /** A renewal got no answer; it is tried again. */
        RENEWAL_FAILED,
        /** A settlement got no answer in time. */
        SETTLEMENT_FAILED,
        /** A caller's aliases lead to two claims; the more decisive one answered. */
        ALIAS_CONFLICT,
        /** In shadow mode: this call would not have run. */
        SHADOW_DUPLICATE
    }
}
