// SPDX-License-Identifier: Apache-2.0
package dev.semel.messaging;

import dev.semel.FailureClass;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Function;

/** When a failed message is tried again, and when it is given up. */
record GatePolicy(
        int maxAttempts, Duration firstPause, Duration maxPause, Function<Throwable, FailureClass> classifier) {
    /** Beyond this many doublings the pause is at its maximum anyway. */
    private static final int MAX_DOUBLINGS = 30;

    GatePolicy {
        if (maxAttempts < 1) {
            throw new IllegalArgumentException("A message needs at least 1 attempt, but maxAttempts is " + maxAttempts);
        }
        if (firstPause.isNegative() || maxPause.compareTo(firstPause) < 0) {
            throw new IllegalArgumentException(
                    "The first pause must not be negative or longer than the longest one, but they are %s and %s"
                            .formatted(firstPause, maxPause));
        }
    }

    /** The pause after this attempt: the first one, doubled with each attempt up to the longest. */
    Duration pauseAfter(int attempt) {
        Duration pause = firstPause.multipliedBy(1L << Math.min(Math.max(0, attempt - 1), MAX_DOUBLINGS));
        return pause.compareTo(maxPause) > 0 ? maxPause : pause;
    }

    FailureClass classOf(Throwable failure, int attempt) {
        if (failure instanceof AttemptsExhaustedException) {
            return FailureClass.FINAL;
        }
        FailureClass given = given(failure);
        return given == FailureClass.RETRYABLE && attempt >= maxAttempts ? FailureClass.FINAL : given;
    }

    /** The class by the user's classifier. If that fails, the message's own failure is retryable. */
    FailureClass given(Throwable failure) {
        try {
            return Objects.requireNonNull(classifier.apply(failure), "A failure classifier must not return null");
        } catch (RuntimeException | Error e) {
            if (e != failure) {
                failure.addSuppressed(e);
            }
            return FailureClass.RETRYABLE;
        }
    }
}
