// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.claim.Fingerprint;
import dev.semel.claim.StoredResult;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The outcome of a claim, for callers that run and settle the work themselves. */
public sealed interface ClaimOutcome {
    /** The caller owns the claim: run the work, then settle with the claim's token. */
    record Granted(Claim claim) implements ClaimOutcome {}

    /**
     * The work was done before, with this result.
     *
     * @param result null if the claim was settled without one. Only {@link Semel#claimAll} omits results, beyond a limit:
     *     {@link StoredResult#isOmitted} is true then
     */
    record Succeeded(@Nullable StoredResult result) implements ClaimOutcome {}

    /**
     * The work failed permanently before, with this result.
     *
     * @param result as that of {@link Succeeded}
     */
    record Failed(@Nullable StoredResult result) implements ClaimOutcome {}

    /**
     * Another caller is running the work.
     *
     * @param leaseLeft the time left of the owner's lease; an estimate if the owner is an open transaction, which has no lease
     */
    record InProgress(Duration leaseLeft) implements ClaimOutcome {
        /** When to retry: after the rest of the lease, but in 50 ms to 5 s. Most work ends long before its lease. */
        public Duration retryAfter() {
            return RetryAfter.of(leaseLeft);
        }
    }

    /**
     * The key was used for another request.
     *
     * @param earlier the fingerprint of the request that first used the key, with its sketch if one was stored
     */
    record Mismatch(Fingerprint earlier) implements ClaimOutcome {}

    /** It is unknown whether the effect happened. */
    record Unknown(String reason) implements ClaimOutcome {}

    /** The store did not answer. The caller owns nothing, and nothing may run. */
    record Unavailable(String reason, @Nullable Throwable cause) implements ClaimOutcome {}
}
