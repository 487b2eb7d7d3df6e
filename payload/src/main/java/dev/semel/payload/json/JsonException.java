// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload.json;

/** These bytes are no JSON document, or one over a limit. Says where and why, and never shows what stands there. */
public final class JsonException extends RuntimeException {
    private final int offset;
    private final String reason;

    JsonException(int offset, String reason) {
        super("Not a JSON document: %s, at byte %d".formatted(reason, offset));
        this.offset = offset;
        this.reason = reason;
    }

    /** The byte at which reading stopped, counted from 0. */
    public int offset() {
        return offset;
    }

    /** What is wrong, in words that hold nothing of the document. */
    public String reason() {
        return reason;
    }
}
