// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.kafka;

import dev.semel.messaging.Disposition.Redeliver;
import org.springframework.kafka.KafkaException;

/**
 * A record was not acknowledged by the gate. The error handler of {@link GatedListeners} seeks back to it and waits.
 *
 * <p>The listener's exception is suppressed, not the cause: Spring's error handlers look for the root cause, and would skip the
 * record if it is one that they never retry.
 */
public final class RedeliverException extends KafkaException {
    private static final long serialVersionUID = 1;

    private final transient Redeliver redeliver;

    RedeliverException(Redeliver redeliver) {
        super("The record is redelivered after %s: %s".formatted(redeliver.after(), redeliver.why()));
        this.redeliver = redeliver;
        if (redeliver.cause() != null) {
            addSuppressed(redeliver.cause());
        }
    }

    public Redeliver redeliver() {
        return redeliver;
    }
}
