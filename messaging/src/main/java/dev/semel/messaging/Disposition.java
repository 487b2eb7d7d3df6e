// SPDX-License-Identifier: Apache-2.0
package dev.semel.messaging;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What to do with a message after the gate: acknowledge it, or have it redelivered. */
public sealed interface Disposition {
    /**
     * The message is done. Acknowledge it.
     *
     * @param duplicate whether it was done before, so that nothing ran now
     */
    record Acknowledge(boolean duplicate) implements Disposition {}

    /** The message was given up, and the sink has it. Acknowledge it. */
    record DeadLettered(DeadLetter letter) implements Disposition {
        public DeadLettered {
            Objects.requireNonNull(letter, "A letter must not be null");
        }
    }

    /**
     * The message is not done. Do not acknowledge it.
     *
     * @param after how long to wait before the message is tried again
     * @param cause the exception, if one was thrown now
     */
    record Redeliver(Duration after, Why why, @Nullable Throwable cause) implements Disposition {
        public Redeliver {
            Objects.requireNonNull(why, "A reason must not be null");
            if (after.isNegative()) {
                throw new IllegalArgumentException("A pause must not be negative, but is " + after);
            }
        }
    }

    /** Why a message is redelivered. */
    enum Why {
        /** Another consumer is processing the message. */
        IN_PROGRESS,
        /** The handler failed, and the message is tried again. */
        ATTEMPT_FAILED,
        /** The store did not answer. Nothing ran. */
        STORE_UNAVAILABLE,
        /** The handler ran, but the store did not confirm it. The next delivery learns whether it counts. */
        UNSETTLED,
        /** The message was given up, but the sink failed. */
        SINK_FAILED,
        /** An earlier message of the same batch is redelivered. Nothing ran. */
        NOT_REACHED
    }

    /** Whether to acknowledge the message. */
    default boolean acknowledged() {
        return !(this instanceof Redeliver);
    }
}
