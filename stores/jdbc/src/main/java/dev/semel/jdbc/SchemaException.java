// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import org.jspecify.annotations.Nullable;

/** The schema is not what this version needs; the message says what to do or which statements would make it so. */
public final class SchemaException extends RuntimeException {
    SchemaException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
