// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload.seal;

import org.jspecify.annotations.Nullable;

/** A result cannot be encrypted or decrypted. */
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

    /** The reason for the failure. */
    public enum Reason {
        /** The result has too many bytes. */
        TOO_LARGE,
        /** The envelope is malformed, or a newer version wrote it. */
        UNREADABLE,
        /** The result was encrypted with a secret that is not active any more. */
        UNKNOWN_SECRET,
        /** The envelope was modified, or belongs to another claim. */
        NOT_AUTHENTIC
    }
}
