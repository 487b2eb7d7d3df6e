// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance.hostile;

import io.vertx.core.json.Json;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** JSON documents with one missing or invalid member. */
public final class BrokenFields {
    private BrokenFields() {}

    /** Invalid values of a required text. */
    static Map<String, String> badTexts() {
        Map<String, String> bad = new LinkedHashMap<>();
        bad.put("null", "null");
        bad.put("a number", "7");
        bad.put("a boolean", "true");
        bad.put("an array", "[\"a\"]");
        bad.put("an object", "{\"a\":1}");
        bad.put("an empty text", "\"\"");
        bad.put("a text of 1,025 characters", "\"" + "k".repeat(1_025) + "\"");
        bad.put("a NUL", "\"a\\u0000b\"");
        bad.put("a line break", "\"a\\nb\"");
        bad.put("a delete character", "\"a\\u007fb\"");
        bad.put("a control character beyond ASCII", "\"a\\u0085b\"");
        return bad;
    }

    /** Documents that are not objects. */
    static final List<String> NO_OBJECTS = List.of("null", "true", "7", "\"text\"", "[]", "[{}]", "{}");

    static List<HostileCase> cases() {
        List<HostileCase> cases = new ArrayList<>();
        for (Endpoint endpoint : Endpoint.all()) {
            for (String document : NO_OBJECTS) {
                cases.add(wrong(endpoint, "the document " + document, document));
            }
            for (String pointer : endpoint.texts()) {
                cases.add(wrong(endpoint, "no " + pointer, changed(endpoint, pointer, null)));
                badTexts()
                        .forEach((name, value) ->
                                cases.add(wrong(endpoint, pointer + " as " + name, changed(endpoint, pointer, value))));
            }
            endpoint.optional().forEach((pointer, values) -> {
                for (String value : values) {
                    cases.add(wrong(endpoint, pointer + " as " + value, changed(endpoint, pointer, value)));
                }
            });
        }
        return cases;
    }

    private static HostileCase wrong(Endpoint endpoint, String what, String document) {
        // An unknown site is also refused as unknown or unsigned.
        return HostileCase.content(
                "%s: %s".formatted(endpoint, what), endpoint.post().json(document), 400);
    }

    /** The valid document with another value at a pointer, or without the member. */
    static String changed(Endpoint endpoint, String pointer, String value) {
        JsonObject whole = endpoint.body();
        JsonObject holder = whole;
        String[] steps = pointer.split("/", -1);
        for (int i = 0; i < steps.length - 1; i++) {
            holder = holder.getJsonObject(steps[i]);
        }
        String last = steps[steps.length - 1];
        if (value == null) {
            holder.remove(last);
        } else {
            holder.put(last, Json.decodeValue(value));
        }
        return whole.encode();
    }
}
