// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload;

/** The form in which a result is stored. The first caller always receives the full result. */
public enum Keep {
    /** Unencrypted and without sensitive content: redacted, or reduced to an allow-list. */
    SANITISED,
    /** The exact result, encrypted. */
    SEALED,
    /** No result: only the fact that the work was done. */
    NONE
}
