// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Thrown by {@link Outcome#orElseThrow()} if there is no value to return. Each case of the outcome has a subclass. */
public abstract sealed class NotDoneException extends RuntimeException {
    private final transient Outcome<?> outcome;

    private NotDoneException(Outcome<?> outcome, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.outcome = outcome;
    }

    /** The outcome that has no value. */
    public Outcome<?> outcome() {
        return outcome;
    }

    static NotDoneException of(Outcome<?> outcome) {
        if (outcome instanceof Outcome.Rejected<?> rejected) {
            return new Rejected(rejected);
        }
        if (outcome instanceof Outcome.Tombstone<?> tombstone) {
            return new ResultNotKept(tombstone);
        }
        if (outcome instanceof Outcome.Failed<?> failed) {
            return new Failed(failed);
        }
        if (outcome instanceof Outcome.Retryable<?> retryable) {
            return new Retryable(retryable);
        }
        if (outcome instanceof Outcome.InProgress<?> running) {
            return new InProgress(running);
        }
        if (outcome instanceof Outcome.Mismatch<?> mismatch) {
            return new Mismatch(mismatch);
        }
        if (outcome instanceof Outcome.Unknown<?> unknown) {
            return new Unknown(unknown);
        }
        if (outcome instanceof Outcome.Unavailable<?> unavailable) {
            return new Unavailable(unavailable);
        }
        if (outcome instanceof Outcome.Unsettled<?> unsettled) {
            return new Unsettled(unsettled);
        }
        throw new IllegalArgumentException("A succeeded outcome has a value, so there is nothing to throw");
    }

    /** The work ended with a business rejection, now or before. */
    public static final class Rejected extends NotDoneException {
        private final transient Rejection rejection;

        private Rejected(Outcome.Rejected<?> outcome) {
            super(outcome, "It was rejected: " + outcome.rejection().code(), null);
            this.rejection = outcome.rejection();
        }

        public Rejection rejection() {
            return rejection;
        }

        public String code() {
            return rejection.code();
        }
    }

    /** The work failed permanently, now or before. */
    public static final class Failed extends NotDoneException {
        private final String reason;

        private Failed(Outcome.Failed<?> outcome) {
            super(
                    outcome,
                    (outcome.replayed() ? "It failed permanently before: " : "It failed permanently: ")
                            + outcome.reason(),
                    outcome.cause());
            this.reason = outcome.reason();
        }

        /** As {@link Outcome.Failed#reason}. */
        public String reason() {
            return reason;
        }
    }

    /** The work ran now and failed. The next call runs it again. */
    public static final class Retryable extends NotDoneException {
        private Retryable(Outcome.Retryable<?> outcome) {
            super(outcome, "It failed; the next call runs it again", outcome.cause());
        }
    }

    /** Another caller is running the work. */
    public static final class InProgress extends NotDoneException {
        private final Duration retryAfter;

        private InProgress(Outcome.InProgress<?> outcome) {
            super(outcome, "It is in progress; retry in " + outcome.retryAfter(), null);
            this.retryAfter = outcome.retryAfter();
        }

        public Duration retryAfter() {
            return retryAfter;
        }
    }

    /** The key was used for another request. */
    public static final class Mismatch extends NotDoneException {
        private Mismatch(Outcome.Mismatch<?> outcome) {
            super(outcome, "The key was already used for another request; use a new key for a new request", null);
        }
    }

    /** It is unknown whether the effect happened. */
    public static final class Unknown extends NotDoneException {
        private Unknown(Outcome.Unknown<?> outcome) {
            super(outcome, "It is unknown whether it happened: " + outcome.reason(), outcome.cause());
        }
    }

    /** The store did not answer in time, or refused the command. Nothing ran. */
    public static final class Unavailable extends NotDoneException {
        private Unavailable(Outcome.Unavailable<?> outcome) {
            super(outcome, "The claim could not be made, and nothing ran: " + outcome.reason(), outcome.cause());
        }
    }

    /** The work ran now, but its outcome could not be stored. */
    public static final class Unsettled extends NotDoneException {
        private Unsettled(Outcome.Unsettled<?> outcome) {
            super(outcome, "It ran, but its outcome could not be stored: " + outcome.reason(), outcome.failure());
        }
    }

    /** The work was done before, but its result was not kept. */
    public static final class ResultNotKept extends NotDoneException {
        private ResultNotKept(Outcome.Tombstone<?> outcome) {
            super(outcome, "It was done before, but its result was not kept: " + outcome.why(), null);
        }
    }
}
