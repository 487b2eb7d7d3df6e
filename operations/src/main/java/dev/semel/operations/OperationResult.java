// SPDX-License-Identifier: Apache-2.0
package dev.semel.operations;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The result of an operation. Every case is a value; none is thrown as an exception. */
public sealed interface OperationResult<T> {
    /** {@code succeeded}, {@code in_progress} or {@code failed}. */
    String status();

    /**
     * The operation succeeded, in this call or before.
     *
     * @param data the full result for the first caller, its stored form for replays; null if nothing is stored
     * @param cached whether the operation succeeded before and did not run now
     * @param note usually null; otherwise why there is no data, or why another caller may run the operation again
     */
    record Succeeded<T>(
            @Nullable T data, boolean cached, @Nullable String note) implements OperationResult<T> {
        @Override
        public String status() {
            return "succeeded";
        }
    }

    /** Another caller is running the operation. Retry after this time, which is at most 5 s. */
    record InProgress<T>(Duration retryAfter) implements OperationResult<T> {
        @Override
        public String status() {
            return "in_progress";
        }
    }

    /**
     * The operation failed or could not begin.
     *
     * @param stopReason one word, from {@link StopReason} or the work's {@link StopException}
     * @param retryable whether the next call runs the operation again
     * @param cause the exception of the work if it ran in this call, or the reason why the store is unavailable
     */
    record Failed<T>(
            String stopReason, boolean retryable, @Nullable Throwable cause) implements OperationResult<T> {
        @Override
        public String status() {
            return "failed";
        }
    }
}
