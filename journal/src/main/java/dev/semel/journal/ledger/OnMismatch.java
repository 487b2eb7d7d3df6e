// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.ledger;

/** The answer to a key that was used before with a different event. */
public enum OnMismatch {
    /** Return the existing event and the differences. */
    REPORT,
    /** Return a conflict. */
    REJECT
}
