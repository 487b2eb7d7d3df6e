// SPDX-License-Identifier: Apache-2.0
package dev.semel.operations;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What came of a step. */
public sealed interface StepOutcome<T> {
    /** {@code DONE}, {@code LOCKED} or {@code FAILED}. */
    String status();

    /**
     * It is done, now or before.
     *
     * @param result null if there is none to replay; the note says why
     * @param reused whether it was done before, so that nothing ran now
     * @param note as in {@link OperationResult.Succeeded}
     */
    record Done<T>(
            @Nullable T result, boolean reused, @Nullable String note) implements StepOutcome<T> {
        @Override
        public String status() {
            return "DONE";
        }
    }

    /** Another worker is running it: requeue the step after this time, which is at most 5 s, and have no effect. */
    record Locked<T>(Duration retryAfter) implements StepOutcome<T> {
        @Override
        public String status() {
            return "LOCKED";
        }
    }

    /** It failed, or could not begin; see {@link OperationResult.Failed}. */
    record Failed<T>(
            String stopReason, boolean retryable, @Nullable Throwable cause) implements StepOutcome<T> {
        @Override
        public String status() {
            return "FAILED";
        }
    }
}
