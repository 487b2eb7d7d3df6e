// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.claim.Fingerprint;
import dev.semel.claim.Status;
import dev.semel.spi.Snapshot;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The state of a claim that a caller has waited for by reading. Nothing was claimed. */
public sealed interface Awaited {
    /** The claim is settled or answers otherwise: succeeded, failed permanently, unknown, or a mismatch. */
    record Answered(ClaimOutcome outcome) implements Awaited {}

    /**
     * The owner is still running the work.
     *
     * @param leaseLeft the time left of the owner's lease
     */
    record Running(Duration leaseLeft) implements Awaited {
        /** When to retry: after the rest of the lease, but in 50 ms to 5 s. Most work ends long before its lease. */
        public Duration retryAfter() {
            return RetryAfter.of(leaseLeft);
        }
    }

    /** The last attempt failed retryably or was given back. The next caller may claim the key. */
    record FailedRetryably() implements Awaited {}

    /** The key is free: never claimed, expired, or its owner's lease has ended. The next caller may claim it. */
    record Free() implements Awaited {}

    /** The store did not answer. */
    record Unavailable(String reason, @Nullable Throwable cause) implements Awaited {}

    /** The state of this claim, or of an absent one, for a caller with this fingerprint. */
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
