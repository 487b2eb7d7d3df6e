// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload.json;

/**
 * A JSON value: immutable, and checked when it is made, so that every value has exactly one canonical form. No value
 * shows its content in {@code toString()}: documents are other people's, and logs are no place for them.
 */
public sealed interface Json permits JsonArray, JsonBoolean, JsonNull, JsonNumber, JsonObject, JsonString {
    /** The deepest that any document may be nested, whatever the limits of its parser. */
    int MAX_DEPTH = 1_000;

    /** Reads a document with the default limits. */
    static Json parse(byte[] utf8) {
        return parse(utf8, JsonLimits.DEFAULT);
    }

    /**
     * Reads a document by RFC 8259, strictly: UTF-8 without a byte order mark, no duplicate names, no lone surrogates,
     * no text after the document.
     *
     * @throws JsonException if it is no such document, or over a limit
     */
    static Json parse(byte[] utf8, JsonLimits limits) {
        return new JsonParser(utf8, limits).document();
    }

    /** The document as it was read: members in their order, numbers by their own digits; only the white space is gone. */
    default byte[] utf8() {
        return JsonWriter.asRead().write(this);
    }

    /** The canonical form: equal documents, and only those, have equal bytes. See {@link CanonicalJson}. */
    default byte[] canonical() {
        return CanonicalJson.of(this);
    }
}
