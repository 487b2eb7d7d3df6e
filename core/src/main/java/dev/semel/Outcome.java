// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.claim.Fingerprint;
import dev.semel.claim.StoredResult;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The outcome of work that must happen once. Every case is a value; {@link #orThrow} turns failures into an exception. */
public sealed interface Outcome<T extends @Nullable Object> {
    /**
     * The work is done.
     *
     * @param value the first caller's own result, or the decoded stored form
     * @param replayed whether it was done before, so that nothing ran now
     */
    record Succeeded<T extends @Nullable Object>(T value, boolean replayed) implements Outcome<T> {}

    /** The work was done before, but its result was not kept; {@code why} explains it. Nothing ran now. */
    record Tombstone<T extends @Nullable Object>(String why) implements Outcome<T> {}

    /**
     * The work failed permanently.
     *
     * @param stored the stored form of the failure, if there is one
     * @param cause the exception, if it was thrown now
     */
    record Failed<T extends @Nullable Object>(
            @Nullable StoredResult stored, @Nullable Throwable cause, boolean replayed) implements Outcome<T> {}

    /** The work ran now and failed. The next call runs it again. */
    record Retryable<T extends @Nullable Object>(Throwable cause) implements Outcome<T> {}

    /**
     * Another caller is running the work.
     *
     * @param leaseLeft the time left of the owner's lease; an estimate if the owner is an open transaction, which has no lease
     */
    record InProgress<T extends @Nullable Object>(Duration leaseLeft) implements Outcome<T> {
        /** When to retry: after the rest of the lease, but in 50 ms to 5 s. Most work ends long before its lease. */
        public Duration retryAfter() {
            return RetryAfter.of(leaseLeft);
        }
    }

    /**
     * The key was used for another request. Nothing ran.
     *
     * @param earlier the fingerprint of the request that first used the key, with its sketch if one was stored
     */
    record Mismatch<T extends @Nullable Object>(Fingerprint earlier) implements Outcome<T> {}

    /**
     * It is unknown whether the effect happened; a person or a reconciler decides.
     *
     * @param cause the exception, if the work ran now and threw it; otherwise nothing ran now
     */
    record Unknown<T extends @Nullable Object>(
            String reason, @Nullable Throwable cause) implements Outcome<T> {
        public Unknown(String reason) {
            this(reason, null);
        }
    }

    /** The store did not answer, or the caller was interrupted while it waited. Nothing ran. */
    record Unavailable<T extends @Nullable Object>(
            String reason, @Nullable Throwable cause) implements Outcome<T> {}

    /**
     * The work ran now, but its outcome could not be stored: ownership was lost, or the store did not answer. Another caller
     * may run it again.
     *
     * @param value the result, unless the work failed
     * @param failure the exception, if the work failed
     * @param lost whether another caller owns the claim now; otherwise the store did not answer
     */
    record Unsettled<T extends @Nullable Object>(
            @Nullable T value, @Nullable Throwable failure, boolean lost, String reason) implements Outcome<T> {}

    /**
     * The value if the work succeeded, now or before.
     *
     * @throws NotDoneException in every other case; its cause is the exception of the work, if it ran now
     */
    default T orThrow() {
        if (this instanceof Succeeded<T> succeeded) {
            return succeeded.value();
        }
        throw new NotDoneException(this);
    }
}
