// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

/** What is said to a key that was used before, with another event. */
public enum OnMismatch {
    /** The existing event, and where they differ. */
    REPORT,
    /** That it is a conflict. */
    REJECT
}
