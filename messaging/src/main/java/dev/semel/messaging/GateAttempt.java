// SPDX-License-Identifier: Apache-2.0
package dev.semel.messaging;

import dev.semel.FailureClass;
import dev.semel.Operation;
import dev.semel.claim.StoredResult;
import org.jspecify.annotations.Nullable;

/** One delivery of a message: counts its attempt, and decides what a failure means. */
final class GateAttempt {
    private final GatePolicy policy;

    /** What to fail with instead of calling the handler; null for a usual attempt. */
    private final @Nullable Throwable known;

    /** 0 if the handler was not reached. */
    private volatile int number;

    private volatile boolean failed;

    GateAttempt(GatePolicy policy) {
        this(policy, null);
    }

    private GateAttempt(GatePolicy policy, @Nullable Throwable known) {
        this.policy = policy;
        this.known = known;
    }

    /** An attempt that does nothing but fail with this exception of an earlier one, to store it. */
    static GateAttempt failingWith(Throwable failure, GatePolicy policy) {
        return new GateAttempt(policy, failure);
    }

    int number() {
        return number;
    }

    /** Whether the handler threw, so that its failure is part of what was settled. */
    boolean hasFailed() {
        return failed;
    }

    /** The operation with this delivery's view of failures. */
    <T extends @Nullable Object> Operation<T> of(Operation<T> operation) {
        return operation.classifyingFailures(this::classOf).storingFailures(this::stored);
    }

    /** Called before the handler. */
    void begin(int attempt) throws Exception {
        number = attempt;
        failed = false;
        if (attempt > policy.maxAttempts()) {
            throw new AttemptsExhaustedException(attempt - 1);
        }
        if (known instanceof Error error) {
            throw error;
        }
        if (known instanceof Exception exception) {
            throw exception;
        }
    }

    /** Called for a message of a batch, in which every message is at its first attempt. */
    void beginFirst() {
        number = 1;
    }

    FailureClass classOf(Throwable failure) {
        failed = true;
        return policy.classOf(failure, number);
    }

    StoredResult stored(Throwable failure) {
        StoredLetter letter = StoredLetter.of(failure, number);
        boolean exhausted = policy.given(failure) == FailureClass.RETRYABLE;
        return (exhausted ? letter.because(DeadLetter.Reason.ATTEMPTS_EXHAUSTED) : letter).stored();
    }
}
