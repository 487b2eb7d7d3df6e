// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.claim.Status;
import java.util.Objects;

/** Classifies the exceptions of the work. */
final class Failures {
    private Failures() {}

    /** The class by the operation's classifier. A classifier that throws does not hide the failure. */
    static FailureClass classOf(Operation<?> operation, Claim claim, Throwable failure) {
        FailureClass failureClass = FailureClass.RETRYABLE;
        try {
            failureClass =
                    Objects.requireNonNull(operation.classify(failure), "A failure classifier must not return null");
        } catch (RuntimeException | Error e) {
            if (e != failure) {
                failure.addSuppressed(e);
            }
        }
        boolean lastAttempt = claim.attempt() >= operation.attemptCap().orElse(Integer.MAX_VALUE);
        return failureClass == FailureClass.RETRYABLE && lastAttempt ? FailureClass.FINAL : failureClass;
    }

    static Status statusOf(FailureClass failureClass) {
        return switch (failureClass) {
            case RETRYABLE -> Status.RETRYABLE;
            case FINAL -> Status.FAILED;
            case UNKNOWN -> Status.UNKNOWN;
        };
    }
}
