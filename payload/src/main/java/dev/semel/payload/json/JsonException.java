// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload.json;

/** The bytes are not a JSON document, or exceed a limit. The message has the position and the reason but no content. */
public final class JsonException extends RuntimeException {
    private static final String DUPLICATE_NAME = "an object has two members of the same name";

    private final int offset;
    private final String reason;

    JsonException(int offset, String reason) {
        super("Not a JSON document: %s, at byte %d".formatted(reason, offset));
        this.offset = offset;
        this.reason = reason;
    }

    /** An object has two members of the same name; the second starts at this byte. */
    static JsonException duplicateName(int offset) {
        return new JsonException(offset, DUPLICATE_NAME);
    }

    /** Whether an object has two members of the same name. {@link #offset} is then the opening quote of the second. */
    public boolean isDuplicateName() {
        return reason.equals(DUPLICATE_NAME);
    }

    /** The offset of the byte at which reading stopped. The first byte has offset 0. */
    public int offset() {
        return offset;
    }

    /** The reason, which contains nothing of the document. */
    public String reason() {
        return reason;
    }
}
