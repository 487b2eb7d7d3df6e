// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

import dev.semel.internal.BoundedText;
import org.jspecify.annotations.Nullable;

/**
 * Which events of the inbox are read.
 *
 * @param provider whose webhooks; null for all
 * @param unacknowledged whether only those that nobody has acknowledged
 */
public record InboxQuery(String tenant, @Nullable String provider, boolean unacknowledged) {
    public InboxQuery {
        BoundedText.check("tenant", tenant, EventText.MAX_NAME);
        if (provider != null) {
            BoundedText.check("provider", provider, InboxEntry.MAX_PROVIDER);
        }
    }

    /** All events of a tenant. */
    public static InboxQuery of(String tenant) {
        return new InboxQuery(tenant, null, false);
    }

    /** Only this provider's. */
    public InboxQuery from(String name) {
        return new InboxQuery(tenant, name, unacknowledged);
    }

    /** Only those that nobody has acknowledged. */
    public InboxQuery onlyUnacknowledged() {
        return new InboxQuery(tenant, provider, true);
    }
}
