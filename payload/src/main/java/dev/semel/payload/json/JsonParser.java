// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload.json;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Reads one document by RFC 8259. {@link JsonLimits#maxDepth()} limits the recursion. Every byte is read once. */
final class JsonParser {
    private final byte[] bytes;
    private final JsonLimits limits;
    private int at;
    private int values;

    JsonParser(byte[] utf8, JsonLimits limits) {
        this.bytes = Objects.requireNonNull(utf8, "A document's bytes must not be null");
        this.limits = Objects.requireNonNull(limits, "A parser's limits must not be null");
    }

    Json document() {
        if (bytes.length > limits.maxBytes()) {
            throw new JsonException(limits.maxBytes(), "it has more than %d bytes".formatted(limits.maxBytes()));
        }
        int malformed = Unicode.firstMalformed(bytes);
        if (malformed >= 0) {
            throw new JsonException(malformed, "it is not UTF-8");
        }
        if (bytes.length >= 3 && bytes[0] == (byte) 0xef && bytes[1] == (byte) 0xbb && bytes[2] == (byte) 0xbf) {
            throw new JsonException(0, "it starts with a byte order mark");
        }
        Json json = value(0);
        skipSpace();
        if (at < bytes.length) {
            throw wrong("text follows the end of the document");
        }
        return json;
    }

    private Json value(int depth) {
        skipSpace();
        if (++values > limits.maxValues()) {
            throw wrong("it has more than %d values".formatted(limits.maxValues()));
        }
        return switch (peek()) {
            case '{' -> object(deeper(depth));
            case '[' -> array(deeper(depth));
            case '"' -> new JsonString(string());
            case 't' -> word("true", new JsonBoolean(true));
            case 'f' -> word("false", new JsonBoolean(false));
            case 'n' -> word("null", JsonNull.NULL);
            case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> number();
            case -1 -> throw wrong("it ends where a value is expected");
            default -> throw wrong("a value is missing or malformed");
        };
    }

    private int deeper(int depth) {
        if (depth == limits.maxDepth()) {
            throw wrong("it is nested deeper than %d".formatted(limits.maxDepth()));
        }
        return depth + 1;
    }

    private Json object(int depth) {
        JsonObject.Builder members = new JsonObject.Builder();
        at++;
        skipSpace();
        if (skip('}')) {
            return members.build();
        }
        do {
            skipSpace();
            int start = at;
            if (peek() != '"') {
                throw wrong("a member has no name");
            }
            String name = string();
            skipSpace();
            if (!skip(':')) {
                throw wrong("a member's name has no colon after it");
            }
            if (!members.read(name, value(depth))) {
                throw JsonException.duplicateName(start);
            }
            skipSpace();
        } while (skip(','));
        if (!skip('}')) {
            throw wrong("an object is not closed");
        }
        return members.build();
    }

    private Json array(int depth) {
        List<Json> elements = new ArrayList<>();
        at++;
        skipSpace();
        if (skip(']')) {
            return new JsonArray(elements);
        }
        do {
            elements.add(value(depth));
            skipSpace();
        } while (skip(','));
        if (!skip(']')) {
            throw wrong("an array is not closed");
        }
        return new JsonArray(elements);
    }

    private Json word(String word, Json meaning) {
        for (int i = 0; i < word.length(); i++, at++) {
            if (peek() != word.charAt(i)) {
                throw wrong("a value is missing or malformed");
            }
        }
        return meaning;
    }

    private Json number() {
        int start = at;
        while (isPartOfNumber(peek())) {
            at++;
        }
        try {
            return new JsonNumber(new String(bytes, start, at - start, StandardCharsets.US_ASCII));
        } catch (IllegalArgumentException e) {
            throw new JsonException(start, Objects.requireNonNullElse(e.getMessage(), "a number is malformed"));
        }
    }

    private static boolean isPartOfNumber(int c) {
        return (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '+' || c == 'e' || c == 'E';
    }

    /** Copies each run without escapes as a whole. Most strings are one such run. */
    private String string() {
        at++;
        int plain = at;
        StringBuilder text = null;
        while (true) {
            int c = peek();
            if (c == '"') {
                String rest = new String(bytes, plain, at - plain, StandardCharsets.UTF_8);
                at++;
                return text == null ? rest : text.append(rest).toString();
            } else if (c == '\\') {
                text = text == null ? new StringBuilder() : text;
                if (at > plain) {
                    text.append(new String(bytes, plain, at - plain, StandardCharsets.UTF_8));
                }
                escape(text);
                plain = at;
            } else if (c == -1) {
                throw wrong("a string is not closed");
            } else if (c < ' ') {
                throw wrong("a string has a control character that is not escaped");
            } else {
                at++;
            }
        }
    }

    private void escape(StringBuilder text) {
        at++;
        int c = peek();
        at++;
        switch (c) {
            case '"', '\\', '/' -> text.append((char) c);
            case 'b' -> text.append('\b');
            case 'f' -> text.append('\f');
            case 'n' -> text.append('\n');
            case 'r' -> text.append('\r');
            case 't' -> text.append('\t');
            case 'u' -> unicode(text);
            default -> throw new JsonException(at - 1, "a string has an unknown escape");
        }
    }

    private void unicode(StringBuilder text) {
        int start = at - 2;
        char first = hex();
        text.append(first);
        if (Character.isHighSurrogate(first)) {
            if (!(skip('\\') && skip('u'))) {
                throw new JsonException(start, "a string has a lone surrogate");
            }
            char second = hex();
            if (!Character.isLowSurrogate(second)) {
                throw new JsonException(start, "a string has a lone surrogate");
            }
            text.append(second);
        } else if (Character.isLowSurrogate(first)) {
            throw new JsonException(start, "a string has a lone surrogate");
        }
    }

    private char hex() {
        int value = 0;
        for (int i = 0; i < 4; i++, at++) {
            // For a single byte, or -1 at the end, digit() accepts ASCII digits and letters only.
            int digit = Character.digit(peek(), 16);
            if (digit < 0) {
                throw wrong("a \\u escape must have four hexadecimal digits");
            }
            value = value << 4 | digit;
        }
        return (char) value;
    }

    private void skipSpace() {
        while (true) {
            int c = peek();
            if (c != ' ' && c != '\n' && c != '\r' && c != '\t') {
                return;
            }
            at++;
        }
    }

    private boolean skip(char expected) {
        boolean there = peek() == expected;
        if (there) {
            at++;
        }
        return there;
    }

    /** The next byte as 0 to 255, or -1 at the end. */
    private int peek() {
        return at < bytes.length ? bytes[at] & 0xff : -1;
    }

    private JsonException wrong(String reason) {
        return new JsonException(Math.min(at, bytes.length), reason);
    }
}
