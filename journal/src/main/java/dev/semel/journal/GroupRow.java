// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

/** What one caller wants written once. It stays the same however often it is sent. */
interface GroupRow {
    /** What must not be twice in a batch. */
    Object key();

    /** About how many bytes it has. */
    long size();
}
