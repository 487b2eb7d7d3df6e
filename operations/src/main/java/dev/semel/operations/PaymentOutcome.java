// SPDX-License-Identifier: Apache-2.0
package dev.semel.operations;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The outcome of a payment. */
public sealed interface PaymentOutcome<T> {
    /** {@code processed}, {@code duplicate}, {@code in_progress} or {@code failed}. */
    String status();

    /**
     * This call processed the payment.
     *
     * @param result the result of the work
     * @param note usually null; otherwise why another caller may process the payment again
     */
    record Processed<T>(@Nullable T result, @Nullable String note) implements PaymentOutcome<T> {
        @Override
        public String status() {
            return "processed";
        }
    }

    /**
     * The payment was processed before. Nothing ran in this call.
     *
     * @param result the stored form of the first result; null if nothing is stored
     * @param note why there is no result
     */
    record Duplicate<T>(@Nullable T result, @Nullable String note) implements PaymentOutcome<T> {
        @Override
        public String status() {
            return "duplicate";
        }
    }

    /** The payment is a duplicate of one that is in progress. Retry after this time. */
    record InProgress<T>(Duration retryAfter) implements PaymentOutcome<T> {
        @Override
        public String status() {
            return "in_progress";
        }
    }

    /** The payment failed or could not begin, see {@link OperationResult.Failed}. */
    record Failed<T>(
            String stopReason, boolean retryable, @Nullable Throwable cause) implements PaymentOutcome<T> {
        @Override
        public String status() {
            return "failed";
        }
    }
}
