// SPDX-License-Identifier: Apache-2.0
package dev.semel.http.cases;

import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonArray;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import java.util.LinkedHashMap;
import java.util.Map;

/** Replaces {@code <name>} in every text of a JSON value. */
final class Placeholders {
    private Placeholders() {}

    static Json filled(Json json, Map<String, String> values) {
        if (json instanceof JsonString string) {
            return new JsonString(filled(string.value(), values));
        }
        if (json instanceof JsonArray array) {
            return new JsonArray(
                    array.elements().stream().map(one -> filled(one, values)).toList());
        }
        if (json instanceof JsonObject object) {
            Map<String, Json> members = new LinkedHashMap<>();
            object.members().forEach((name, value) -> members.put(name, filled(value, values)));
            return new JsonObject(members);
        }
        return json;
    }

    private static String filled(String text, Map<String, String> values) {
        String filled = text;
        for (Map.Entry<String, String> value : values.entrySet()) {
            filled = filled.replace("<" + value.getKey() + ">", value.getValue());
        }
        return filled;
    }
}
