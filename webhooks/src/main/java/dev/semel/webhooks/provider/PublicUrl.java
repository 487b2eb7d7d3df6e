// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import java.util.Optional;

/** The address as the sender knows it, which it signs: behind a proxy it is not the one that arrives here. */
record PublicUrl(Optional<String> configured) {
    /** The setting {@code url}: what is registered with the sender. */
    static PublicUrl of(ProviderConfig config) {
        return new PublicUrl(config.one("url"));
    }

    /** As configured, with the query that came, unless that is configured too. */
    String of(WebhookRequest request) {
        if (configured.isEmpty()) {
            return request.url();
        }
        int query = request.url().indexOf('?');
        return query < 0 || configured.get().contains("?")
                ? configured.get()
                : configured.get() + request.url().substring(query);
    }
}
