// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload.json;

/**
 * An immutable JSON value. It is checked when it is created, so that every value has exactly one canonical form. Its
 * {@code toString()} does not show the content, which may be confidential and must not get into logs.
 */
public sealed interface Json permits JsonArray, JsonBoolean, JsonNull, JsonNumber, JsonObject, JsonString {
    /** The maximum nesting depth of any document, regardless of the parser's limits. */
    int MAX_DEPTH = 1_000;

    /** Reads a document with the default limits. */
    static Json parse(byte[] utf8) {
        return parse(utf8, JsonLimits.DEFAULT);
    }

    /**
     * Reads a document by RFC 8259, strictly: UTF-8 without a byte order mark, no duplicate names, no lone surrogates,
     * no text after the document.
     *
     * @throws JsonException if the bytes are not such a document or exceed a limit
     */
    static Json parse(byte[] utf8, JsonLimits limits) {
        return new JsonParser(utf8, limits).document();
    }

    /** The document as it was read, without white space. Members keep their order, and numbers keep their digits. */
    default byte[] utf8() {
        return JsonWriter.asRead().write(this);
    }

    /** The canonical form. Two documents have equal bytes if and only if they are equal. See {@link CanonicalJson}. */
    default byte[] canonical() {
        return CanonicalJson.of(this);
    }
}
