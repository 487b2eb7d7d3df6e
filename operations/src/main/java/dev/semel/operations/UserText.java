// SPDX-License-Identifier: Apache-2.0
package dev.semel.operations;

import dev.semel.internal.Sha256;
import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Hashes text that a user typed, so that the text itself never becomes part of a key. The hash equals
 * {@code sha256(text.trim().replace(/\s+/g, " "))} in JavaScript, so that a browser, a Node service and this library agree:
 *
 * <ol>
 *   <li>White space is defined as in ECMAScript's {@code trim} and {@code \s}: U+0009 to U+000D, U+0020, U+00A0, U+1680,
 *       U+2000 to U+200A, U+2028, U+2029, U+202F, U+205F, U+3000 and U+FEFF. Java's definitions differ: U+0085, U+001C to
 *       U+001F, U+180E and U+200B are not white space here.
 *   <li>White space at both ends is removed. Elsewhere, each run of white space becomes one space.
 *   <li>A lone surrogate, which has no UTF-8 form, becomes U+FFFD, as in every JavaScript engine.
 *   <li>Nothing else changes: case, accents and punctuation matter, and Unicode is not normalized.
 * </ol>
 */
public final class UserText {
    /** The member of an operation's inputs that holds the hash. */
    public static final String MEMBER = "userTextHash";

    private static final char REPLACEMENT = '\ufffd';

    private UserText() {}

    /** SHA-256 of the normalized text, in lower-case hexadecimal. */
    public static String hash(String text) {
        return Sha256.hex(normalized(text).getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Adds the hash of a user's text to inputs, as {@value #MEMBER}.
     *
     * @throws IllegalArgumentException if the inputs already have that member
     */
    public static JsonObject into(JsonObject inputs, String text) {
        Map<String, Json> members = new LinkedHashMap<>(inputs.members());
        if (members.put(MEMBER, new JsonString(hash(text))) != null) {
            throw new IllegalArgumentException(
                    "The inputs already have a member %s: give the text or its hash, not both".formatted(MEMBER));
        }
        return new JsonObject(members);
    }

    static String normalized(String text) {
        Objects.requireNonNull(text, "A user's text must not be null");
        StringBuilder normal = new StringBuilder(text.length());
        boolean gap = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (isWhiteSpace(c)) {
                gap = !normal.isEmpty();
                continue;
            }
            if (gap) {
                normal.append(' ');
                gap = false;
            }
            if (!Character.isSurrogate(c)) {
                normal.append(c);
            } else if (Character.isHighSurrogate(c)
                    && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1))) {
                normal.append(c).append(text.charAt(++i));
            } else {
                normal.append(REPLACEMENT);
            }
        }
        return normal.toString();
    }

    /**
     * ECMAScript's WhiteSpace and LineTerminator. The characters are listed here, because the category "space separator"
     * changes with the version of Unicode, and a hash must not change with the JDK.
     */
    static boolean isWhiteSpace(char c) {
        return switch (c) {
            case '\t', '\n', '\u000b', '\f', '\r', ' ' -> true;
            case '\u00a0', '\u1680', '\u2028', '\u2029', '\u202f', '\u205f', '\u3000', '\ufeff' -> true;
            default -> c >= '\u2000' && c <= '\u200a';
        };
    }

    /** The text without white space at both ends. */
    static String trimmed(String text) {
        int from = 0;
        int to = text.length();
        while (from < to && isWhiteSpace(text.charAt(from))) {
            from++;
        }
        while (to > from && isWhiteSpace(text.charAt(to - 1))) {
            to--;
        }
        return text.substring(from, to);
    }
}
