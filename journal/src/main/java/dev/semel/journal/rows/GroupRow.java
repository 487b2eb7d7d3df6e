// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.rows;

/** A row that is to be written once. It does not change between attempts. */
public interface GroupRow {
    /** The maximum bytes of a row's content. Rows of several callers share a statement, so that a statement stays this small. */
    int MAX_BYTES = 4 * 1024 * 1024;

    /** The key that must not occur twice in a batch. */
    Object key();

    /** The approximate number of bytes. */
    long size();
}
