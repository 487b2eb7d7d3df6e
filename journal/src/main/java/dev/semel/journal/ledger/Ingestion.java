// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.ledger;

import dev.semel.claim.StoreException;
import dev.semel.payload.same.Difference;

/** The outcome of an entry. */
public sealed interface Ingestion {
    /** This call wrote the event, and it is committed. */
    record Written(LedgerEvent event) implements Ingestion {}

    /**
     * The key was used before. Nothing was written.
     *
     * @param event the existing event
     * @param difference where the sent event differs from the existing one
     */
    record Existing(LedgerEvent event, Difference difference) implements Ingestion {
        public boolean differs() {
            return !difference.changes().isEmpty() || !difference.complete();
        }
    }

    /** The key was used before with a different event; see {@link OnMismatch#REJECT}. Nothing was written. */
    record Rejected(LedgerEvent event, Difference difference) implements Ingestion {}

    /**
     * The event is not known to be committed. If the cause's kind is {@code UNREACHABLE} or {@code BUSY}, send the same entry
     * again. If it is {@code REJECTED}, the database will never accept the entry.
     */
    record Failed(StoreException cause) implements Ingestion {}
}
