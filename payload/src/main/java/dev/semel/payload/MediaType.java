// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload;

import java.util.Locale;

/**
 * The parts of a media type that determine how a body is sanitised.
 *
 * @param essence type and subtype in lower case, without parameters
 * @param utf8 whether the charset is UTF-8 or not declared
 */
public record MediaType(String essence, boolean utf8) {
    /** Reads the value of a Content-Type header. An unreadable value is neither JSON nor plain text. */
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

    public boolean isJson() {
        return essence.equals("application/json") || essence.equals("text/json") || essence.endsWith("+json");
    }

    /** Whether the body is JSON in UTF-8, which {@link dev.semel.payload.json.Json} can read. */
    public boolean isUtf8Json() {
        return utf8 && isJson();
    }

    public boolean isPlainText() {
        return essence.equals("text/plain");
    }
}
