// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import java.util.Optional;

/** The URL as the sender knows and signs it. Behind a proxy it differs from the URL of the received request. */
record PublicUrl(Optional<String> configured) {
    /** Reads the setting {@code url}: the URL that is registered with the sender. */
    static PublicUrl of(ProviderConfig config) {
        return new PublicUrl(config.one("url"));
    }

    /** The configured URL with the query of the request, unless a query is configured too. */
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
