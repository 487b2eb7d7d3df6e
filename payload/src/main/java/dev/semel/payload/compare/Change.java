// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload.compare;

import java.util.Objects;

/**
 * One place at which two documents differ. Never holds a value.
 *
 * @param kind how they differ there
 * @param pointer the JSON pointer in its text form; telephone numbers in member names are masked
 */
public record Change(Kind kind, String pointer) {
    public Change {
        Objects.requireNonNull(kind, "A change's kind must not be null");
        Objects.requireNonNull(pointer, "A change's pointer must not be null");
    }

    /** How two documents differ at one place, seen from the earlier one. */
    public enum Kind {
        ADDED,
        REMOVED,
        CHANGED
    }
}
