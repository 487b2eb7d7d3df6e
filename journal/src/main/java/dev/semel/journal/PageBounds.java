// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

/**
 * How large a page may be.
 *
 * @param rows the most rows
 * @param bytes the most bytes of content; a page's first row is shown whatever its size
 */
record PageBounds(int rows, int bytes) {
    PageBounds {
        if (rows < 1 || rows > Page.MAX_LIMIT) {
            throw new IllegalArgumentException("limit must be 1 to %d, but is %d".formatted(Page.MAX_LIMIT, rows));
        }
        if (bytes < 1 || bytes > Page.MAX_BYTES) {
            throw new IllegalArgumentException("maxBytes must be 1 to %d, but is %d".formatted(Page.MAX_BYTES, bytes));
        }
    }
}
