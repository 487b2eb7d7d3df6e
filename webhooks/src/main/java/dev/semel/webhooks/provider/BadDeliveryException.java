// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

/** A delivery, or one of its events, cannot be read. The message contains nothing of the delivery. */
public final class BadDeliveryException extends RuntimeException {
    public BadDeliveryException(String message) {
        super(message);
    }
}
