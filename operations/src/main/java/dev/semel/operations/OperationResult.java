// SPDX-License-Identifier: Apache-2.0
package dev.semel.operations;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What came of an operation. Every case is a value: nothing is thrown for any of them. */
public sealed interface OperationResult<T> {
    /** {@code succeeded}, {@code in_progress} or {@code failed}. */
    String status();

    /**
     * It is done, now or before.
     *
     * @param data the first caller's own full result, or the stored form of it; null if there is none to replay
     * @param cached whether it was done before, so that nothing ran now
     * @param note null as a rule; otherwise why there is no data, or why another caller may run it again although it ran
     */
    record Succeeded<T>(
            @Nullable T data, boolean cached, @Nullable String note) implements OperationResult<T> {
        @Override
        public String status() {
            return "succeeded";
        }
    }

    /** Another caller is running it. Ask again after this time, which is at most 5 s. */
    record InProgress<T>(Duration retryAfter) implements OperationResult<T> {
        @Override
        public String status() {
            return "in_progress";
        }
    }

    /**
     * It failed, or could not begin.
     *
     * @param stopReason one word, of {@link StopReason} or of the work's {@link StopException}
     * @param retryable whether the next call runs it again
     * @param cause what the work threw, if it ran now; or why the store did not answer
     */
    record Failed<T>(
            String stopReason, boolean retryable, @Nullable Throwable cause) implements OperationResult<T> {
        @Override
        public String status() {
            return "failed";
        }
    }
}
