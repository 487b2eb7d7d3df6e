// SPDX-License-Identifier: Apache-2.0
package dev.semel.test;

import dev.semel.Outcome;
import dev.semel.Rejection;
import java.util.Objects;
import org.assertj.core.api.AbstractAssert;
import org.jspecify.annotations.Nullable;

/** Assertions about the outcome that a caller received. */
public final class OutcomeAssert<T extends @Nullable Object> extends AbstractAssert<OutcomeAssert<T>, Outcome<T>> {
    OutcomeAssert(Outcome<T> actual) {
        super(actual, OutcomeAssert.class);
    }

    /** The work ran for this caller, whatever its result. */
    public OutcomeAssert<T> ranNow() {
        isNotNull();
        boolean ran = (actual instanceof Outcome.Succeeded<T> done && !done.replayed())
                || (actual instanceof Outcome.Rejected<T> rejected && !rejected.replayed())
                || (actual instanceof Outcome.Failed<T> failed && !failed.replayed())
                || (actual instanceof Outcome.Unknown<T> unknown && unknown.cause() != null)
                || actual instanceof Outcome.Retryable<T>
                || actual instanceof Outcome.Unsettled<T>;
        return require(ran, "the work to have run for this caller");
    }

    /** The caller received a stored result, rejection or permanent failure, and nothing ran. */
    public OutcomeAssert<T> isReplayed() {
        isNotNull();
        return require(actual.isReplayed(), "a replayed answer");
    }

    /** The work succeeded, now or before. */
    public OutcomeAssert<T> isSucceeded() {
        return is(Outcome.Succeeded.class, "a result");
    }

    /** The work succeeded, now or before, with this value. */
    public OutcomeAssert<T> hasValue(T expected) {
        isSucceeded();
        T value = ((Outcome.Succeeded<T>) actual).value();
        return require(Objects.deepEquals(value, expected), "the value " + expected);
    }

    /** The work ended with a business rejection that has this code, now or before. */
    public OutcomeAssert<T> isRejectedWith(String code) {
        is(Outcome.Rejected.class, "the rejection " + code);
        return require(rejection().code().equals(code), "the rejection " + code);
    }

    /** The rejection has these details, as they are read from their stored form. */
    public <D> OutcomeAssert<T> hasDetails(Class<D> type, D expected) {
        is(Outcome.Rejected.class, "a rejection with details");
        D details = rejection().details(type).orElse(null);
        return require(Objects.deepEquals(details, expected), "a rejection with the details " + expected);
    }

    private Rejection rejection() {
        return ((Outcome.Rejected<T>) actual).rejection();
    }

    /** The work failed permanently, now or before. */
    public OutcomeAssert<T> isFailed() {
        return is(Outcome.Failed.class, "a permanent failure");
    }

    /** The work ran and failed, and the next call runs it again. */
    public OutcomeAssert<T> isRetryable() {
        return is(Outcome.Retryable.class, "a retryable failure");
    }

    /** Another caller is running the work. */
    public OutcomeAssert<T> isInProgress() {
        return is(Outcome.InProgress.class, "work in progress");
    }

    /** The key was used for another request. */
    public OutcomeAssert<T> isMismatch() {
        return is(Outcome.Mismatch.class, "a mismatch");
    }

    /** It is unknown whether the effect happened. */
    public OutcomeAssert<T> isUnknown() {
        return is(Outcome.Unknown.class, "an unknown outcome");
    }

    /** The claim could not be made, and nothing ran. */
    public OutcomeAssert<T> isUnavailable() {
        return is(Outcome.Unavailable.class, "an unavailable store");
    }

    /** The work ran, but its outcome could not be stored. */
    public OutcomeAssert<T> isUnsettled() {
        return is(Outcome.Unsettled.class, "an unsettled outcome");
    }

    private OutcomeAssert<T> is(Class<?> kind, String what) {
        isNotNull();
        return require(kind.isInstance(actual), what);
    }

    private OutcomeAssert<T> require(boolean holds, String what) {
        if (!holds) {
            failWithMessage("Expected %s, but the outcome is %s", what, actual);
        }
        return this;
    }
}
