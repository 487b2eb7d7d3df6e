// SPDX-License-Identifier: Apache-2.0
package dev.semel.operations;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What came of a payment. */
public sealed interface PaymentOutcome<T> {
    /** {@code processed}, {@code duplicate}, {@code in_progress} or {@code failed}. */
    String status();

    /**
     * It was done now.
     *
     * @param result what the work returned
     * @param note null as a rule; otherwise why another caller may do it again
     */
    record Processed<T>(@Nullable T result, @Nullable String note) implements PaymentOutcome<T> {
        @Override
        public String status() {
            return "processed";
        }
    }

    /**
     * It was done before, and nothing ran now.
     *
     * @param result the stored form of what the first one returned; null if there is none
     * @param note why there is none
     */
    record Duplicate<T>(@Nullable T result, @Nullable String note) implements PaymentOutcome<T> {
        @Override
        public String status() {
            return "duplicate";
        }
    }

    /** It is a duplicate of one that is being done. Ask again after this time. */
    record InProgress<T>(Duration retryAfter) implements PaymentOutcome<T> {
        @Override
        public String status() {
            return "in_progress";
        }
    }

    /** It failed, or could not begin; see {@link OperationResult.Failed}. */
    record Failed<T>(
            String stopReason, boolean retryable, @Nullable Throwable cause) implements PaymentOutcome<T> {
        @Override
        public String status() {
            return "failed";
        }
    }
}
