// SPDX-License-Identifier: Apache-2.0
package dev.semel;

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

    /** Another caller is at it; this is what is left of its lease. */
    record InProgress(Duration retryAfter) implements ClaimOutcome {}

    /** The key was used for another request. */
    record Mismatch() implements ClaimOutcome {}

    /** Nobody knows whether it happened. */
    record Unknown(String reason) implements ClaimOutcome {}

    /** The store did not answer: nothing is claimed as far as the caller is concerned, and nothing may run. */
    record Unavailable(String reason, @Nullable Throwable cause) implements ClaimOutcome {}
}
