// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload.json;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/** Writes a document without white space, either as it was read or in its canonical form. */
final class JsonWriter {
    private static final int USUAL = 512;
    private static final int MAX_ASCII = 0x7f;

    /** The longest array of any JVM. */
    private static final int MAX_ARRAY = Integer.MAX_VALUE - 8;

    private static final String HEX = "0123456789abcdef";

    private byte[] out = new byte[USUAL];
    private int size;
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
        return Arrays.copyOf(out, size);
    }

    private void value(Json json, int depth) {
        if (json instanceof JsonObject object) {
            object(object, deeper(depth));
        } else if (json instanceof JsonArray array) {
            array(array, deeper(depth));
        } else if (json instanceof JsonString string) {
            string(string.value());
        } else if (json instanceof JsonNumber number) {
            ascii(canonical ? number.canonicalText() : number.text());
        } else if (json instanceof JsonBoolean bool) {
            ascii(bool.value() ? "true" : "false");
        } else {
            ascii("null");
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
            ascii(before);
            before = ',';
            string(member.getKey());
            ascii(':');
            value(member.getValue(), depth);
        }
        ascii(members.isEmpty() ? "{}" : "}");
    }

    private void array(JsonArray array, int depth) {
        char before = '[';
        for (Json element : array.elements()) {
            ascii(before);
            before = ',';
            value(element, depth);
        }
        ascii(array.elements().isEmpty() ? "[]" : "]");
    }

    private void string(String text) {
        ascii('"');
        int plain = plain(text);
        for (int i = plain; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ' || c == '"' || c == '\\') {
                escape(c);
            } else if (Character.isHighSurrogate(c)) {
                // Every text was checked: it has no lone surrogates.
                utf8(Character.toCodePoint(c, text.charAt(++i)));
            } else {
                utf8(c);
            }
        }
        ascii('"');
    }

    /** Appends the first part of the text, up to a character that needs an escape or several bytes. Nearly always it is all. */
    private int plain(String text) {
        int length = text.length();
        ensure(length);
        byte[] into = out;
        int at = size;
        int i = 0;
        while (i < length) {
            char c = text.charAt(i);
            if (c < ' ' || c == '"' || c == '\\' || c > MAX_ASCII) {
                break;
            }
            into[at++] = (byte) c;
            i++;
        }
        size = at;
        return i;
    }

    private void utf8(int code) {
        ensure(4);
        if (code <= MAX_ASCII) {
            out[size++] = (byte) code;
        } else if (code < 0x800) {
            out[size++] = (byte) (0xc0 | code >> 6);
            continuation(code);
        } else if (code < 0x10000) {
            out[size++] = (byte) (0xe0 | code >> 12);
            continuation(code >> 6);
            continuation(code);
        } else {
            out[size++] = (byte) (0xf0 | code >> 18);
            continuation(code >> 12);
            continuation(code >> 6);
            continuation(code);
        }
    }

    private void continuation(int bits) {
        out[size++] = (byte) (0x80 | (bits & 0x3f));
    }

    private void escape(char c) {
        switch (c) {
            case '"' -> ascii("\\\"");
            case '\\' -> ascii("\\\\");
            case '\b' -> ascii("\\b");
            case '\t' -> ascii("\\t");
            case '\n' -> ascii("\\n");
            case '\f' -> ascii("\\f");
            case '\r' -> ascii("\\r");
            default -> {
                ascii("\\u00");
                ascii(HEX.charAt(c >> 4));
                ascii(HEX.charAt(c & 0xf));
            }
        }
    }

    private void ascii(String text) {
        ensure(text.length());
        for (int i = 0; i < text.length(); i++) {
            out[size++] = (byte) text.charAt(i);
        }
    }

    private void ascii(char c) {
        ensure(1);
        out[size++] = (byte) c;
    }

    private void ensure(int more) {
        if (more > out.length - size) {
            long wanted = Math.max(2L * out.length, (long) size + more);
            out = Arrays.copyOf(out, (int) Math.min(wanted, MAX_ARRAY));
        }
    }
}
