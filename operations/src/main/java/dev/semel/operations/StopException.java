// SPDX-License-Identifier: Apache-2.0
package dev.semel.operations;

import dev.semel.FailureClass;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Thrown by work that stops and gives its callers a reason. Any other exception is a retryable failure with the stop reason
 * {@link StopReason#OPERATION_FAILED}.
 */
public final class StopException extends Exception {
    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9_.-]{1,64}");

    private final String stopReason;
    private final FailureClass failureClass;

    /**
     * @param stopReason one word, which is shown to callers and, if the stop is final, stored in the clear
     * @param failureClass whether the next caller runs the work again, gets the same result, or waits for an operator
     */
    public StopException(String stopReason, FailureClass failureClass) {
        this(stopReason, failureClass, null);
    }

    public StopException(String stopReason, FailureClass failureClass, @Nullable Throwable cause) {
        super("The operation stopped: " + word(stopReason), cause);
        this.stopReason = stopReason;
        this.failureClass = Objects.requireNonNull(failureClass, "A failure class must not be null");
    }

    public String stopReason() {
        return stopReason;
    }

    public FailureClass failureClass() {
        return failureClass;
    }

    private static String word(String stopReason) {
        if (!WORD.matcher(Objects.requireNonNull(stopReason, "A stop reason must not be null"))
                .matches()) {
            throw new IllegalArgumentException(
                    "A stop reason must be one word of up to 64 ASCII letters, digits, _, - and ., such as"
                            + " provider_timeout");
        }
        return stopReason;
    }
}
