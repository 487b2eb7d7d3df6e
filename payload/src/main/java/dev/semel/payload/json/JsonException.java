// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload.json;

/** The bytes are not a JSON document, or exceed a limit. The message has the position and the reason but no content. */
public final class JsonException extends RuntimeException {
    private final int offset;
    private final String reason;

    JsonException(int offset, String reason) {
        super("Not a JSON document: %s, at byte %d".formatted(reason, offset));
        this.offset = offset;
        this.reason = reason;
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
