// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The query parameters of a URL. */
final class UrlQuery {
    private final Map<String, List<String>> values;

    private UrlQuery(Map<String, List<String>> values) {
        this.values = values;
    }

    /** The parameters of this URL. An invalid query has none. */
    static UrlQuery of(String url) {
        int at = url.indexOf('?');
        try {
            return new UrlQuery(
                    at < 0 ? Map.of() : Form.lenient(url.substring(at + 1).getBytes(StandardCharsets.US_ASCII)));
        } catch (IllegalArgumentException e) {
            return new UrlQuery(Map.of());
        }
    }

    Optional<String> one(String name) {
        List<String> found = values.getOrDefault(name, List.of());
        return found.size() == 1 ? Optional.of(found.get(0)) : Optional.empty();
    }
}
