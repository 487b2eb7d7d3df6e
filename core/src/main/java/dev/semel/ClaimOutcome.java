// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.claim.Fingerprint;
import dev.semel.claim.StoredResult;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What came of a claim, for doors that run and settle the work themselves. */
public sealed interface ClaimOutcome {
    /** It is ours: run the work, then settle with the claim's token. */
    record Granted(Claim claim) implements ClaimOutcome {}

    /**
     * It was done before, with this result.
     *
     * @param result null if it was settled without one. Only {@link Semel#claimAll} leaves results out, beyond a bound:
     *     {@link StoredResult#isOmitted} says so
     */
    record Succeeded(@Nullable StoredResult result) implements ClaimOutcome {}

    /**
     * It failed for good before, with this result.
     *
     * @param result as that of {@link Succeeded}
     */
    record Failed(@Nullable StoredResult result) implements ClaimOutcome {}

    /**
     * Another caller is running it.
     *
     * @param leaseLeft what is left of the owner's lease; an estimate if the owner is an open transaction, which has none
     */
    record InProgress(Duration leaseLeft) implements ClaimOutcome {
        /** When to ask again: after the lease left, but in 50 ms to 5 s. Most work ends long before its lease. */
        public Duration retryAfter() {
            return RetryAfter.of(leaseLeft);
        }
    }

    /**
     * The key was used for another request.
     *
     * @param earlier the fingerprint of the request that has the key, with its sketch if one was stored
     */
    record Mismatch(Fingerprint earlier) implements ClaimOutcome {}

    /** Nobody knows whether it happened. */
    record Unknown(String reason) implements ClaimOutcome {}

    /** The store did not answer: nothing is claimed as far as the caller is concerned, and nothing may run. */
    record Unavailable(String reason, @Nullable Throwable cause) implements ClaimOutcome {}
}
