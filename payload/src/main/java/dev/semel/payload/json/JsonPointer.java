// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload.json;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A JSON pointer (RFC 6901), such as {@code /order/items/0/price}. The empty pointer is the whole document. */
public record JsonPointer(List<String> tokens) {
    /** The whole document. */
    public static final JsonPointer ROOT = new JsonPointer(List.of());

    public JsonPointer {
        tokens = List.copyOf(tokens);
        tokens.forEach(token -> Unicode.check("A pointer's token", token));
    }

    /** Reads the text form, in which {@code ~1} stands for a slash and {@code ~0} for a tilde. */
    public static JsonPointer of(String text) {
        if (text.isEmpty()) {
            return ROOT;
        }
        if (text.charAt(0) != '/') {
            throw new IllegalArgumentException("A JSON pointer must be empty or start with a slash: write /" + text);
        }
        List<String> tokens = new ArrayList<>();
        for (String token : text.substring(1).split("/", -1)) {
            tokens.add(unescaped(token, text));
        }
        return new JsonPointer(tokens);
    }

    private static String unescaped(String token, String text) {
        for (int tilde = token.indexOf('~'); tilde >= 0; tilde = token.indexOf('~', tilde + 1)) {
            char next = tilde + 1 < token.length() ? token.charAt(tilde + 1) : ' ';
            if (next != '0' && next != '1') {
                throw new IllegalArgumentException(
                        "A JSON pointer must write a tilde as ~0 and a slash in a name as ~1: correct " + text);
            }
        }
        return token.replace("~1", "/").replace("~0", "~");
    }

    /** The pointer to a member or an element of the value at this pointer. */
    public JsonPointer child(String token) {
        List<String> longer = new ArrayList<>(tokens);
        longer.add(token);
        return new JsonPointer(longer);
    }

    /** The text form. */
    @Override
    public String toString() {
        return tokens.stream()
                .map(token -> "/" + token.replace("~", "~0").replace("/", "~1"))
                .collect(Collectors.joining());
    }
}
