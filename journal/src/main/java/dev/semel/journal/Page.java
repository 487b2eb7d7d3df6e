// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

import java.util.List;
import java.util.Objects;

/**
 * Some records in order of writing. A page ends at the limit that was asked for, or earlier: before the record that would
 * exceed {@link #MAX_BYTES}. It has at least one record if there is one that can be shown.
 *
 * @param cursor goes on after them; hand it in again later for what was written since
 * @param more whether more records can be shown already: ask at once, with this page's cursor
 * @param unsettled whether there are records after these that cannot be shown yet, because an open transaction may still
 *     add one before them: ask again later, with this page's cursor
 */
public record Page<T>(List<T> items, String cursor, boolean more, boolean unsettled) {
    /** The most items of a page. */
    public static final int MAX_LIMIT = 1_000;

    /** The most bytes of content of a page, unless its first item alone has more. */
    public static final int MAX_BYTES = 4 << 20;

    public Page {
        items = List.copyOf(items);
        Objects.requireNonNull(cursor, "A cursor must not be null");
    }
}
