// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.claim.Fingerprint;
import dev.semel.claim.StoredResult;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What came of asking for work to be done once. Every case is a value; {@link #orThrow} is for those who insist. */
public sealed interface Outcome<T extends @Nullable Object> {
    /**
     * It is done.
     *
     * @param value the first caller's own result, or the stored form decoded afresh
     * @param replayed whether it was done before, so that nothing ran now
     */
    record Succeeded<T extends @Nullable Object>(T value, boolean replayed) implements Outcome<T> {}

    /** It was done before, but its result was not kept; this says why. Nothing ran now. */
    record Tombstone<T extends @Nullable Object>(String why) implements Outcome<T> {}

    /**
     * It failed for good.
     *
     * @param stored what is replayed of the failure, if anything was stored
     * @param cause the exception, if it was thrown now
     */
    record Failed<T extends @Nullable Object>(
            @Nullable StoredResult stored, @Nullable Throwable cause, boolean replayed) implements Outcome<T> {}

    /** It ran now and failed; the next call runs it again. */
    record Retryable<T extends @Nullable Object>(Throwable cause) implements Outcome<T> {}

    /**
     * Another caller is running it.
     *
     * @param leaseLeft what is left of the owner's lease; an estimate if the owner is an open transaction, which has none
     */
    record InProgress<T extends @Nullable Object>(Duration leaseLeft) implements Outcome<T> {
        /** When to ask again: after the lease left, but in 50 ms to 5 s. Most work ends long before its lease. */
        public Duration retryAfter() {
            return RetryAfter.of(leaseLeft);
        }
    }

    /**
     * The key was used for another request. Nothing ran.
     *
     * @param earlier the fingerprint of the request that has the key, with its sketch if one was stored
     */
    record Mismatch<T extends @Nullable Object>(Fingerprint earlier) implements Outcome<T> {}

    /**
     * Nobody knows whether the effect happened; a person or a reconciler decides.
     *
     * @param cause what the work threw, if it ran now and that is why nobody knows; otherwise nothing ran now
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
     * It ran now, but that could not be written down: ownership was lost, or the store did not answer. Another caller
     * may run it again.
     *
     * @param value what it returned, unless it failed
     * @param failure what it threw, if it failed
     * @param lost whether another caller owns it now; otherwise the store did not answer
     */
    record Unsettled<T extends @Nullable Object>(
            @Nullable T value, @Nullable Throwable failure, boolean lost, String reason) implements Outcome<T> {}

    /**
     * The value if it succeeded, now or before.
     *
     * @throws NotDoneException in every other case; its cause is what the work threw now, if it did
     */
    default T orThrow() {
        if (this instanceof Succeeded<T> succeeded) {
            return succeeded.value();
        }
        throw new NotDoneException(this);
    }
}
