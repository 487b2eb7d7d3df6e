// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

/** The schema is not what this version needs; the message says which statements would make it so. */
public final class SchemaException extends RuntimeException {
    SchemaException(String message, Throwable cause) {
        super(message, cause);
    }
}
