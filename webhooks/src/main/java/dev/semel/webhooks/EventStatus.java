// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

import java.util.Locale;

/** What came of one event of a delivery. */
public enum EventStatus {
    /** It is done, by this delivery. */
    PROCESSED,
    /** It was done before. */
    ALREADY_PROCESSED,
    /** Another event of the same payment was done before, and this one is settled as done. */
    PAYMENT_DUPLICATE,
    /** It failed, now or in the delivery that was waited for. The next delivery is processed. */
    FAILED,
    /** Another delivery is at it, for longer than could be waited. */
    IN_PROGRESS,
    /** The store did not answer. */
    UNAVAILABLE,
    /** It cannot be read, or has no key. */
    INVALID;

    /** As answers write it. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
