// SPDX-License-Identifier: Apache-2.0
package dev.semel.messaging;

import dev.semel.FailureClass;
import dev.semel.Operation;
import dev.semel.claim.StoredResult;
import org.jspecify.annotations.Nullable;

/** One delivery of a message: counts its attempt, and decides what a failure means. */
final class GateAttempt {
    private final GatePolicy policy;

    /** 0 if the handler was not reached. */
    private volatile int number;

    GateAttempt(GatePolicy policy) {
        this.policy = policy;
    }

    int number() {
        return number;
    }

    /** The operation with this delivery's view of failures. */
    <T extends @Nullable Object> Operation<T> of(Operation<T> operation) {
        return operation.classifyingFailures(this::classOf).storingFailures(this::stored);
    }

    /** Called before the handler. */
    void begin(int attempt) throws AttemptsExhaustedException {
        number = attempt;
        if (attempt > policy.maxAttempts()) {
            throw new AttemptsExhaustedException(attempt - 1);
        }
    }

    /** Called for a message of a batch, in which every message is at its first attempt. */
    void beginFirst() {
        number = 1;
    }

    FailureClass classOf(Throwable failure) {
        return policy.classOf(failure, number);
    }

    StoredResult stored(Throwable failure) {
        StoredLetter letter = StoredLetter.of(failure, number);
        boolean exhausted = policy.classifier().apply(failure) == FailureClass.RETRYABLE;
        return (exhausted ? letter.because(DeadLetter.Reason.ATTEMPTS_EXHAUSTED) : letter).stored();
    }
}
