// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import org.jspecify.annotations.Nullable;

/** Thrown by {@link Outcome#orThrow} if there is no value to return. */
public final class NotDoneException extends RuntimeException {
    private final transient Outcome<?> outcome;

    NotDoneException(Outcome<?> outcome) {
        super(describe(outcome), causeOf(outcome));
        this.outcome = outcome;
    }

    /** The outcome that has no value. */
    public Outcome<?> outcome() {
        return outcome;
    }

    private static String describe(Outcome<?> outcome) {
        if (outcome instanceof Outcome.Tombstone<?> tombstone) {
            return "It was done before, but its result was not kept: " + tombstone.why();
        }
        if (outcome instanceof Outcome.Failed<?> failed) {
            return failed.replayed() ? "It failed permanently before" : "It failed permanently";
        }
        if (outcome instanceof Outcome.Retryable<?>) {
            return "It failed; the next call runs it again";
        }
        if (outcome instanceof Outcome.InProgress<?> running) {
            return "It is in progress; retry in " + running.retryAfter();
        }
        if (outcome instanceof Outcome.Mismatch<?>) {
            return "The key was already used for another request; use a new key for a new request";
        }
        if (outcome instanceof Outcome.Unknown<?> unknown) {
            return "It is unknown whether it happened: " + unknown.reason();
        }
        if (outcome instanceof Outcome.Unavailable<?> unavailable) {
            return "The store did not answer, and nothing ran: " + unavailable.reason();
        }
        if (outcome instanceof Outcome.Unsettled<?> unsettled) {
            return "It ran, but its outcome could not be stored: " + unsettled.reason();
        }
        return "It succeeded";
    }

    private static @Nullable Throwable causeOf(Outcome<?> outcome) {
        if (outcome instanceof Outcome.Failed<?> failed) {
            return failed.cause();
        }
        if (outcome instanceof Outcome.Retryable<?> retryable) {
            return retryable.cause();
        }
        if (outcome instanceof Outcome.Unavailable<?> unavailable) {
            return unavailable.cause();
        }
        if (outcome instanceof Outcome.Unknown<?> unknown) {
            return unknown.cause();
        }
        return outcome instanceof Outcome.Unsettled<?> unsettled ? unsettled.failure() : null;
    }
}
