// SPDX-License-Identifier: Apache-2.0
package dev.semel.operations;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The outcome of a step. */
public sealed interface StepOutcome<T> {
    /** {@code DONE}, {@code LOCKED} or {@code FAILED}. */
    String status();

    /**
     * The step is done, in this call or before.
     *
     * @param result null if nothing is stored; the note says why
     * @param reused whether the step was done before and did not run now
     * @param note as in {@link OperationResult.Succeeded}
     */
    record Done<T>(
            @Nullable T result, boolean reused, @Nullable String note) implements StepOutcome<T> {
        @Override
        public String status() {
            return "DONE";
        }
    }

    /** Another worker is running the step. Requeue it after this time, which is at most 5 s, without any effect. */
    record Locked<T>(Duration retryAfter) implements StepOutcome<T> {
        @Override
        public String status() {
            return "LOCKED";
        }
    }

    /** The step failed or could not begin, see {@link OperationResult.Failed}. */
    record Failed<T>(
            String stopReason, boolean retryable, @Nullable Throwable cause) implements StepOutcome<T> {
        @Override
        public String status() {
            return "FAILED";
        }
    }
}
