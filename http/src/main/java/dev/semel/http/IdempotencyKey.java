// SPDX-License-Identifier: Apache-2.0
package dev.semel.http;

import java.util.List;

/**
 * The parsed {@code Idempotency-Key} header of a request. A structured-field string ({@code "k-1"}) and its bare form ({@code
 * k-1}) are the same key.
 */
public sealed interface IdempotencyKey {
    /** The name of the request header. */
    String HEADER = "Idempotency-Key";

    /** The maximum length of a key. */
    int MAX_LENGTH = 255;

    /** The request has no key. */
    record Missing() implements IdempotencyKey {}

    /** The request has this key. */
    record Given(String text) implements IdempotencyKey {
        /** Does not show the key, because it must not get into logs. */
        @Override
        public String toString() {
            return "Given[hidden]";
        }
    }

    /** The header is malformed. The reason does not quote it. */
    record Malformed(String why) implements IdempotencyKey {}

    /**
     * Reads the header.
     *
     * @param values the values of all header lines of this name
     */
    static IdempotencyKey of(List<String> values) {
        if (values.isEmpty()) {
            return new Missing();
        }
        if (values.size() > 1) {
            return new Malformed("A request must have exactly one Idempotency-Key, but this one has " + values.size());
        }
        String value = strip(values.get(0));
        IdempotencyKey key = value.startsWith("\"") ? quoted(value) : bare(value);
        return key instanceof Given given ? checked(given) : key;
    }

    /** Spaces and tabs around a header's value are not part of it. */
    private static String strip(String value) {
        int start = 0;
        int end = value.length();
        while (start < end && isBlank(value.charAt(start))) {
            start++;
        }
        while (end > start && isBlank(value.charAt(end - 1))) {
            end--;
        }
        return value.substring(start, end);
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t';
    }

    private static IdempotencyKey bare(String value) {
        return value.indexOf(',') < 0
                ? new Given(value)
                : new Malformed(
                        "A request must have exactly one Idempotency-Key: put a key that contains a comma in double quotes");
    }

    /** Reads a string as in RFC 9651, section 3.3.3: only a quote and a backslash are escaped. */
    private static IdempotencyKey quoted(String value) {
        StringBuilder text = new StringBuilder(value.length());
        for (int i = 1; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"') {
                return i == value.length() - 1
                        ? new Given(text.toString())
                        : new Malformed("An Idempotency-Key must end with its closing quote: send exactly one key");
            }
            if (c == '\\') {
                i++;
                if (i == value.length() || (value.charAt(i) != '"' && value.charAt(i) != '\\')) {
                    return new Malformed(
                            "A quoted Idempotency-Key has an invalid escape: only \\\" and \\\\ are allowed");
                }
            }
            text.append(value.charAt(i));
        }
        return new Malformed("The closing quote of the Idempotency-Key is missing");
    }

    private static IdempotencyKey checked(Given given) {
        String text = given.text();
        if (text.isEmpty() || text.length() > MAX_LENGTH) {
            return new Malformed("An Idempotency-Key must have 1 to %d characters".formatted(MAX_LENGTH));
        }
        return text.chars().allMatch(c -> c > ' ' && c < 0x7f)
                ? given
                : new Malformed("An Idempotency-Key must consist of visible ASCII characters");
    }
}
