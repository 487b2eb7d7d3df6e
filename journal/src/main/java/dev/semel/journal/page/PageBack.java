// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.page;

import java.util.Objects;
import java.util.Optional;

/**
 * Where a page of the last items begins. Read it with {@code page(owner, after.orElse(null), items)}, unless it has none.
 *
 * @param after the cursor after which it begins; empty if no item comes before it
 * @param items how many items it has
 */
public record PageBack(Optional<String> after, int items) {
    public PageBack {
        Objects.requireNonNull(after, "after must not be null");
        if (items < 0 || items > Page.MAX_LIMIT) {
            throw new IllegalArgumentException("items must be 0 to %d, but is %d".formatted(Page.MAX_LIMIT, items));
        }
    }
}
