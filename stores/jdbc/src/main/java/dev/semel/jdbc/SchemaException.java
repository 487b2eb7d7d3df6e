// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import org.jspecify.annotations.Nullable;

/** The schema is not the one that this version needs. The message contains the fix or the missing statements. */
public final class SchemaException extends RuntimeException {
    SchemaException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
