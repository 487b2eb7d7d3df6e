// SPDX-License-Identifier: Apache-2.0
package dev.semel.claim;

import org.jspecify.annotations.Nullable;

/** A store could not do what was asked. Its message never holds a key, a token or a result. */
public final class StoreException extends RuntimeException {
    /** What the caller may conclude. */
    public enum Kind {
        /** It may or may not have happened: send the same command again. */
        UNREACHABLE,
        /** It has not happened because of other work (a lock, a deadlock, a full queue): try again later. */
        BUSY,
        /** It has not happened and never will: the command or the schema is at fault. */
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
