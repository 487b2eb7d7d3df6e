// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.claim.Fingerprint;
import dev.semel.claim.Status;
import dev.semel.spi.Snapshot;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What a caller that waited for a claim has read. Nothing was claimed. */
public sealed interface Awaited {
    /** It answers: succeeded, failed for good, unknown, or a mismatch. */
    record Answered(ClaimOutcome outcome) implements Awaited {}

    /**
     * Its owner still runs it.
     *
     * @param leaseLeft what is left of the owner's lease
     */
    record Running(Duration leaseLeft) implements Awaited {
        /** When to ask again: after the lease left, but in 50 ms to 5 s. Most work ends long before its lease. */
        public Duration retryAfter() {
            return RetryAfter.of(leaseLeft);
        }
    }

    /** Its last attempt failed retryably, or was given back: the next caller may claim it. */
    record FailedRetryably() implements Awaited {}

    /** Nobody has it: it was never claimed, has expired, or its owner let the lease end. The next caller may claim it. */
    record Free() implements Awaited {}

    /** The store did not answer. */
    record Unavailable(String reason, @Nullable Throwable cause) implements Awaited {}

    /** What this claim, or that there is none, means for a caller with this fingerprint. */
    static Awaited of(@Nullable Snapshot claim, Fingerprint fingerprint) {
        if (claim == null) {
            return new Free();
        }
        Decision decision = Decision.about(claim, fingerprint);
        if (decision instanceof Decision.Answer answer) {
            return answer.outcome() instanceof ClaimOutcome.InProgress running
                    ? new Running(running.leaseLeft())
                    : new Answered(answer.outcome());
        }
        return claim.status() == Status.RETRYABLE && !claim.absent() ? new FailedRetryably() : new Free();
    }
}
