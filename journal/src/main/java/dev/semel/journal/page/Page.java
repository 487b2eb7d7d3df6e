// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.page;

import java.util.List;
import java.util.Objects;

/**
 * Items in the order of writing. A page ends at the requested limit, or earlier: before the item that would exceed {@link
 * #MAX_BYTES}. It has at least one item if any can be shown.
 *
 * @param cursor continues after these items; pass it again later to read what was written since
 * @param more whether more items can be shown now; ask again at once with this page's cursor
 * @param unsettled whether items exist after these that cannot be shown yet, because an open transaction may still add one
 *     before them; ask again later with this page's cursor
 */
public record Page<T>(List<T> items, String cursor, boolean more, boolean unsettled) {
    /** The maximum number of items of a page. */
    public static final int MAX_LIMIT = 1_000;

    /** The maximum bytes of content of a page, unless its first item alone is larger. */
    public static final int MAX_BYTES = 4 << 20;

    public Page {
        items = List.copyOf(items);
        Objects.requireNonNull(cursor, "cursor must not be null");
    }
}
