// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload.json;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/** Writes a document without white space, either as it was read or in its canonical form. */
final class JsonWriter {
    private static final int USUAL = 256;
    private static final String HEX = "0123456789abcdef";

    private final StringBuilder out = new StringBuilder(USUAL);
    private final boolean canonical;

    private JsonWriter(boolean canonical) {
        this.canonical = canonical;
    }

    static JsonWriter asRead() {
        return new JsonWriter(false);
    }

    static JsonWriter canonical() {
        return new JsonWriter(true);
    }

    byte[] write(Json json) {
        value(json, 0);
        return out.toString().getBytes(StandardCharsets.UTF_8);
    }

    private void value(Json json, int depth) {
        if (json instanceof JsonObject object) {
            object(object, deeper(depth));
        } else if (json instanceof JsonArray array) {
            array(array, deeper(depth));
        } else if (json instanceof JsonString string) {
            string(string.value());
        } else if (json instanceof JsonNumber number) {
            out.append(canonical ? number.canonicalText() : number.text());
        } else if (json instanceof JsonBoolean bool) {
            out.append(bool.value());
        } else {
            out.append("null");
        }
    }

    /** The parser limits the depth of a document, but a document that was built in code could be deeper. */
    private static int deeper(int depth) {
        if (depth == Json.MAX_DEPTH) {
            throw new IllegalArgumentException("A document must not be nested deeper than " + Json.MAX_DEPTH);
        }
        return depth + 1;
    }

    private void object(JsonObject object, int depth) {
        // RFC 8785 requires the order by UTF-16 code units, which is the natural order of strings.
        Map<String, Json> members = canonical ? new TreeMap<>(object.members()) : object.members();
        char before = '{';
        for (Map.Entry<String, Json> member : members.entrySet()) {
            out.append(before);
            before = ',';
            string(member.getKey());
            out.append(':');
            value(member.getValue(), depth);
        }
        out.append(members.isEmpty() ? "{}" : "}");
    }

    private void array(JsonArray array, int depth) {
        char before = '[';
        for (Json element : array.elements()) {
            out.append(before);
            before = ',';
            value(element, depth);
        }
        out.append(array.elements().isEmpty() ? "[]" : "]");
    }

    private void string(String text) {
        out.append('"');
        int plain = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ' || c == '"' || c == '\\') {
                out.append(text, plain, i);
                escape(c);
                plain = i + 1;
            }
        }
        if (plain == 0) {
            // Nearly all strings need no escapes. A whole string is appended faster than a range of it.
            out.append(text);
        } else {
            out.append(text, plain, text.length());
        }
        out.append('"');
    }

    private void escape(char c) {
        switch (c) {
            case '"' -> out.append("\\\"");
            case '\\' -> out.append("\\\\");
            case '\b' -> out.append("\\b");
            case '\t' -> out.append("\\t");
            case '\n' -> out.append("\\n");
            case '\f' -> out.append("\\f");
            case '\r' -> out.append("\\r");
            default -> out.append("\\u00").append(HEX.charAt(c >> 4)).append(HEX.charAt(c & 0xf));
        }
    }
}
