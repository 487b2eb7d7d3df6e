// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** An immutable request with methods that return changed copies. */
@SuppressWarnings("ArrayRecordComponent") // Never compared and never changed.
record Ask(String method, String path, Map<String, String> headers, byte[] body) {
    private static final byte[] NOTHING = {};

    static Ask get(String path) {
        return new Ask("GET", path, Map.of(), NOTHING);
    }

    static Ask post(String path) {
        return new Ask("POST", path, Map.of(), NOTHING);
    }

    static Ask post(String path, JsonObject body) {
        return post(path).json(body.encode());
    }

    Ask json(String text) {
        return body("application/json", text);
    }

    Ask body(String mediaType, String text) {
        return new Ask(method, path, headers, text.getBytes(StandardCharsets.UTF_8)).header("Content-Type", mediaType);
    }

    Ask header(String name, String value) {
        Map<String, String> all = new LinkedHashMap<>(headers);
        all.put(name, value);
        return new Ask(method, path, all, body);
    }

    Ask method(String other) {
        return new Ask(other, path, headers, body);
    }

    String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    String header(String name) {
        return headers.entrySet().stream()
                .filter(header -> header.getKey().equalsIgnoreCase(name))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse("");
    }
}
