// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonArray;
import dev.semel.payload.json.JsonBoolean;
import dev.semel.payload.json.JsonNumber;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import java.util.IdentityHashMap;
import java.util.Map;

/**
 * Calculates the length of {@link Json#utf8()} without writing it. Sizes are cached, so that the excerpts of one delivery
 * do not count the same members again. Safe for use by concurrent threads.
 */
final class JsonSizes {
    private final IdentityHashMap<Json, Integer> known = new IdentityHashMap<>();

    synchronized int of(Json json) {
        Integer before = known.get(json);
        if (before != null) {
            return before;
        }
        int size = counted(json);
        if (json instanceof JsonObject || json instanceof JsonArray) {
            known.put(json, size);
        }
        return size;
    }

    private static int counted(Json json) {
        if (json instanceof JsonObject object) {
            int size = 2 + Math.max(0, object.members().size() - 1);
            for (Map.Entry<String, Json> member : object.members().entrySet()) {
                size += of(member.getKey()) + 1 + counted(member.getValue());
            }
            return size;
        }
        if (json instanceof JsonArray array) {
            int size = 2 + Math.max(0, array.elements().size() - 1);
            for (Json element : array.elements()) {
                size += counted(element);
            }
            return size;
        }
        if (json instanceof JsonString string) {
            return of(string.value());
        }
        if (json instanceof JsonNumber number) {
            return number.text().length();
        }
        return json instanceof JsonBoolean flag && !flag.value() ? 5 : 4;
    }

    /** The size of a string with its quotes. */
    static int of(String text) {
        int size = 2;
        for (int i = 0; i < text.length(); i++) {
            size += of(text.charAt(i));
        }
        return size;
    }

    private static int of(char c) {
        if (c < ' ') {
            return "\b\t\n\f\r".indexOf(c) >= 0 ? 2 : 6;
        }
        if (c == '"' || c == '\\') {
            return 2;
        }
        if (c < 0x80) {
            return 1;
        }
        // A surrogate pair is four bytes, two for each half.
        return c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
    }
}
