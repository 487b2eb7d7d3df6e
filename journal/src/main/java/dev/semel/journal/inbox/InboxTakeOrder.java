// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.inbox;

import dev.semel.internal.BoundedText;
import dev.semel.journal.page.Page;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Which events a consumer takes.
 *
 * @param provider only this provider's events; null for all
 * @param actor the consumer
 * @param max the maximum number of events: 1 to {@value #MAX_EVENTS}
 * @param lease how long nobody else takes them: up to 12 hours
 * @param maxBytes the maximum bytes of content, unless the first event alone is larger: 1 to {@link Page#MAX_BYTES}
 */
public record InboxTakeOrder(
        String tenant, @Nullable String provider, String actor, int max, Duration lease, int maxBytes) {
    /** The maximum number of events that are taken at once. */
    public static final int MAX_EVENTS = 100;

    /** The longest lease. */
    public static final Duration MAX_LEASE = Duration.ofHours(12);

    public InboxTakeOrder {
        BoundedText.check("tenant", tenant, InboxEntry.MAX_NAME);
        BoundedText.check("actor", actor, InboxEntry.MAX_NAME);
        if (provider != null) {
            BoundedText.check("provider", provider, InboxEntry.MAX_PROVIDER);
        }
        if (max < 1 || max > MAX_EVENTS) {
            throw new IllegalArgumentException("max must be 1 to %d, but is %d".formatted(MAX_EVENTS, max));
        }
        if (lease.toMillis() < 1 || lease.compareTo(MAX_LEASE) > 0) {
            throw new IllegalArgumentException("lease must be 1 ms to %s, but is %s".formatted(MAX_LEASE, lease));
        }
        if (maxBytes < 1 || maxBytes > Page.MAX_BYTES) {
            throw new IllegalArgumentException(
                    "maxBytes must be 1 to %d, but is %d".formatted(Page.MAX_BYTES, maxBytes));
        }
    }
}
