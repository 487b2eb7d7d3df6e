// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload.seal;

import org.jspecify.annotations.Nullable;

/** A sealed result cannot be made or opened. */
public final class SealException extends RuntimeException {
    private final Reason reason;

    SealException(Reason reason, String message) {
        this(reason, message, null);
    }

    SealException(Reason reason, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }

    /** Why it cannot be done. */
    public enum Reason {
        /** More bytes than a result may have. */
        TOO_LARGE,
        /** No envelope that this version understands. */
        UNREADABLE,
        /** Sealed by a secret that is not alive any more. */
        UNKNOWN_SECRET,
        /** Changed since it was sealed, or sealed for another claim. */
        NOT_AUTHENTIC
    }
}
