// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

import java.util.Locale;

/** The outcome of one event of a delivery. */
public enum EventStatus {
    /** This delivery processed or stored the event. */
    PROCESSED,
    /** The event was processed before. */
    ALREADY_PROCESSED,
    /** Another event of the same payment was processed before. This event is settled without being processed. */
    PAYMENT_DUPLICATE,
    /** Processing failed, in this delivery or in the one that it waited for. The next delivery is processed. */
    FAILED,
    /** Another delivery is processing the event and did not finish within the wait. */
    IN_PROGRESS,
    /** The store is unavailable. */
    UNAVAILABLE,
    /** The event cannot be read or has no key. */
    INVALID;

    /** The status as written in answers and logs. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
