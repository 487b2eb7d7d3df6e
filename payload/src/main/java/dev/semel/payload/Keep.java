// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload;

/** In which form a result is stored. The first caller gets its own full answer whatever is chosen. */
public enum Keep {
    /** In the clear, without what is sensitive: redacted, or reduced to an allow-list. */
    SANITISED,
    /** Exactly as it was, encrypted. */
    SEALED,
    /** Only that it was done. */
    NONE
}
