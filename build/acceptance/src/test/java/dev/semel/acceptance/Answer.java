// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A response of a server. */
@SuppressWarnings("ArrayRecordComponent") // Never compared and never changed.
record Answer(int status, HttpHeaders headers, byte[] body) {

    String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    JsonObject json() {
        return new JsonObject(text());
    }

    JsonArray array(String member) {
        return json().getJsonArray(member);
    }

    /** The lines of an NDJSON response. */
    List<JsonObject> lines() {
        return text().lines()
                .filter(line -> !line.isBlank())
                .map(JsonObject::new)
                .toList();
    }

    String get(String member) {
        Object value = json().getValue(member);
        return value == null ? null : value.toString();
    }

    /** A header's value, or an empty text if it is missing. */
    String header(String name) {
        return headers.firstValue(name).orElse("");
    }

    String mediaType() {
        return header("Content-Type").replaceFirst(";.*", "").strip();
    }

    @Override
    public String toString() {
        return "%d %s %s".formatted(status, headers.map(), text());
    }
}
