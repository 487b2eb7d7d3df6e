// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload;

import java.util.Locale;

/**
 * As much of a media type as decides how to sanitise a body.
 *
 * @param essence type and subtype in lower case, without parameters
 * @param utf8 whether no other encoding is declared
 */
public record MediaType(String essence, boolean utf8) {
    /** Reads the value of a Content-Type header; whatever it cannot read is no JSON and no plain text. */
    public static MediaType of(String text) {
        String[] parts = text.toLowerCase(Locale.ROOT).split(";", -1);
        boolean utf8 = true;
        for (int i = 1; i < parts.length; i++) {
            String parameter = parts[i].strip();
            if (parameter.startsWith("charset=")) {
                String charset = parameter.substring("charset=".length()).replace("\"", "");
                utf8 = charset.equals("utf-8") || charset.equals("utf8") || charset.equals("us-ascii");
            }
        }
        return new MediaType(parts[0].strip(), utf8);
    }

    boolean isJson() {
        return essence.equals("application/json") || essence.equals("text/json") || essence.endsWith("+json");
    }

    /** Whether the body can be read as JSON here. */
    public boolean isUtf8Json() {
        return utf8 && isJson();
    }

    boolean isPlainText() {
        return essence.equals("text/plain");
    }
}
