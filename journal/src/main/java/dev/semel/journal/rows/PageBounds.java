// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.rows;

import dev.semel.journal.page.Page;

/**
 * The maximum size of a page.
 *
 * @param rows the maximum number of rows
 * @param bytes the maximum bytes of content; the first row of a page may be larger
 */
public record PageBounds(int rows, int bytes) {
    public PageBounds {
        if (rows < 1 || rows > Page.MAX_LIMIT) {
            throw new IllegalArgumentException("limit must be 1 to %d, but is %d".formatted(Page.MAX_LIMIT, rows));
        }
        if (bytes < 1 || bytes > Page.MAX_BYTES) {
            throw new IllegalArgumentException("maxBytes must be 1 to %d, but is %d".formatted(Page.MAX_BYTES, bytes));
        }
    }
}
