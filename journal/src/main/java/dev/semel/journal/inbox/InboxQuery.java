// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.inbox;

import dev.semel.internal.BoundedText;
import org.jspecify.annotations.Nullable;

/**
 * Selects events of the inbox.
 *
 * @param provider only this provider's events; null for all
 * @param unacknowledged whether only events are selected that are not acknowledged
 */
public record InboxQuery(String tenant, @Nullable String provider, boolean unacknowledged) {
    public InboxQuery {
        BoundedText.check("tenant", tenant, InboxEntry.MAX_NAME);
        if (provider != null) {
            BoundedText.check("provider", provider, InboxEntry.MAX_PROVIDER);
        }
    }

    /** All events of a tenant. */
    public static InboxQuery of(String tenant) {
        return new InboxQuery(tenant, null, false);
    }

    /** Selects only events of this provider. */
    public InboxQuery from(String name) {
        return new InboxQuery(tenant, name, unacknowledged);
    }

    /** Selects only events that are not acknowledged. */
    public InboxQuery onlyUnacknowledged() {
        return new InboxQuery(tenant, provider, true);
    }
}
