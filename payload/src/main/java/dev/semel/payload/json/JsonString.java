// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload.json;

/** A JSON string. It is never normalized: two encodings of the same accented letter are two different strings. */
public record JsonString(String value) implements Json {
    public JsonString {
        Unicode.check("A JSON string", value);
    }

    @Override
    public String toString() {
        return "string of " + value.length() + " characters";
    }
}
