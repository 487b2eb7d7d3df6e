// SPDX-License-Identifier: Apache-2.0
package dev.semel.claim;

import org.jspecify.annotations.Nullable;

/** A store could not do what was asked. The message never contains a key, a token or a result. */
public final class StoreException extends RuntimeException {
    /** What the caller may conclude. */
    public enum Kind {
        /** The effect is unknown. Send the same command again. */
        UNREACHABLE,
        /** There was no effect, because of other work such as a lock, a deadlock or a full queue. Try again later. */
        BUSY,
        /** There was no effect, and there never will be: the command or the schema is wrong. */
        REJECTED
    }

    private final Kind kind;

    public StoreException(Kind kind, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    public StoreException(Kind kind, String message) {
        this(kind, message, null);
    }

    public Kind kind() {
        return kind;
    }
}
