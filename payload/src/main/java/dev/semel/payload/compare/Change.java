// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload.compare;

import java.util.Objects;

/**
 * One place at which two documents differ. It contains no values.
 *
 * @param kind how they differ
 * @param pointer the JSON pointer in its text form; phone numbers in member names are masked
 */
public record Change(Kind kind, String pointer) {
    public Change {
        Objects.requireNonNull(kind, "A change's kind must not be null");
        Objects.requireNonNull(pointer, "A change's pointer must not be null");
    }

    /** How the later document differs from the earlier one at one place. */
    public enum Kind {
        ADDED,
        REMOVED,
        CHANGED
    }
}
