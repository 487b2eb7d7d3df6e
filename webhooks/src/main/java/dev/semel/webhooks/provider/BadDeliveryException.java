// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

/** A delivery, or one event of it, that cannot be read. The message holds nothing of what was sent. */
public final class BadDeliveryException extends RuntimeException {
    public BadDeliveryException(String message) {
        super(message);
    }
}
