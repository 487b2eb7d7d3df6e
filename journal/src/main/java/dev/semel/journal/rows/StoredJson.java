// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.rows;

import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonException;
import dev.semel.payload.json.JsonString;
import java.nio.charset.StandardCharsets;

/** JSON in text columns. */
public final class StoredJson {
    private StoredJson() {}

    /** Other applications may have written text that is not JSON; it is returned as a string. */
    public static Json parse(String text) {
        try {
            return Json.parse(text.getBytes(StandardCharsets.UTF_8));
        } catch (JsonException e) {
            return new JsonString(text);
        }
    }

    public static String text(Json json) {
        return new String(json.utf8(), StandardCharsets.UTF_8);
    }
}
