// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.claim.Fingerprint;
import dev.semel.claim.StoredResult;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of work that must happen once. Every case is a value. {@link #fold} handles them all, and {@link #orElseThrow}
 * turns the cases without a value into exceptions.
 */
public sealed interface Outcome<T extends @Nullable Object> {
    /**
     * The work is done.
     *
     * @param value the first caller's own result, or the decoded stored form
     * @param replayed whether it was done before, so that nothing ran now
     */
    record Succeeded<T extends @Nullable Object>(T value, boolean replayed) implements Outcome<T> {}

    /**
     * The work ended with a business rejection, which is stored like a result: see {@link RunContext#reject}.
     *
     * @param replayed whether it was rejected before, so that nothing ran now
     */
    record Rejected<T extends @Nullable Object>(Rejection rejection, boolean replayed) implements Outcome<T> {}

    /** The work was done before, but its result was not kept; {@code why} explains it. Nothing ran now. */
    record Tombstone<T extends @Nullable Object>(String why) implements Outcome<T> {}

    /**
     * The work failed permanently.
     *
     * @param stored the stored form of the failure, if there is one
     * @param cause the exception, if it was thrown now
     */
    record Failed<T extends @Nullable Object>(
            @Nullable StoredResult stored, @Nullable Throwable cause, boolean replayed) implements Outcome<T> {
        /**
         * Why it failed, also if the failure is replayed: by default the class name of the exception. Exceptions that the
         * operation stores in its own form ({@link Operation#storingFailures}) are in {@link #stored}.
         */
        public String reason() {
            if (stored != null && stored.type().equals(Operation.FAILURE_TYPE)) {
                return stored.text();
            }
            return cause == null ? "no reason is stored" : cause.getClass().getName();
        }
    }

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
     * @param value the result, unless the work failed or rejected
     * @param failure the exception, if the work failed
     * @param lost whether another caller owns the claim now; otherwise the store did not answer
     */
    record Unsettled<T extends @Nullable Object>(
            @Nullable T value, @Nullable Throwable failure, boolean lost, String reason) implements Outcome<T> {}

    /**
     * One value for all cases.
     *
     * @param succeeded what a result becomes, fresh or replayed
     * @param rejected what a rejection becomes, fresh or replayed
     * @param otherwise what every other outcome becomes: the work failed, is in progress, or could not be asked for
     */
    default <R extends @Nullable Object> R fold(
            Function<? super T, ? extends R> succeeded,
            Function<? super Rejection, ? extends R> rejected,
            Function<? super Outcome<T>, ? extends R> otherwise) {
        if (this instanceof Succeeded<T> done) {
            return succeeded.apply(done.value());
        }
        return this instanceof Rejected<T> refused ? rejected.apply(refused.rejection()) : otherwise.apply(this);
    }

    /** The same outcome with another value. Outcomes without a value stay as they are. */
    @SuppressWarnings("unchecked") // Outcomes without a value have no T.
    default <R extends @Nullable Object> Outcome<R> map(Function<? super T, ? extends R> by) {
        if (this instanceof Succeeded<T> done) {
            return new Succeeded<>(by.apply(done.value()), done.replayed());
        }
        if (this instanceof Unsettled<T> unsettled && unsettled.value() != null) {
            return new Unsettled<>(
                    by.apply(unsettled.value()), unsettled.failure(), unsettled.lost(), unsettled.reason());
        }
        return (Outcome<R>) this;
    }

    /** Whether nothing ran now because the answer was stored: a result, a rejection or a permanent failure. */
    default boolean isReplayed() {
        return (this instanceof Succeeded<T> succeeded && succeeded.replayed())
                || (this instanceof Rejected<T> rejected && rejected.replayed())
                || (this instanceof Failed<T> failed && failed.replayed())
                || this instanceof Tombstone<T>;
    }

    /**
     * The value if the work succeeded, now or before.
     *
     * @throws NotDoneException in every other case: one subclass for each case, with its facts. If the work threw an exception
     *     now, that is its cause
     */
    default T orElseThrow() {
        if (this instanceof Succeeded<T> succeeded) {
            return succeeded.value();
        }
        throw NotDoneException.of(this);
    }

    /** The value if the work succeeded, now or before; otherwise throws the exception that is made of the outcome. */
    default <X extends Throwable> T orElseThrow(Function<? super Outcome<T>, X> exception) throws X {
        if (this instanceof Succeeded<T> succeeded) {
            return succeeded.value();
        }
        throw exception.apply(this);
    }
}
