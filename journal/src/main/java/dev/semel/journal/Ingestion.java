// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

import dev.semel.claim.StoreException;
import dev.semel.payload.compare.Difference;

/** What came of an entry. */
public sealed interface Ingestion {
    /** It is committed, by this call. */
    record Written(LedgerEvent event) implements Ingestion {}

    /**
     * The key was used before, for this event; nothing was written.
     *
     * @param difference where the event that was sent now differs from it, if it does
     */
    record Existing(LedgerEvent event, Difference difference) implements Ingestion {
        public boolean differs() {
            return !difference.changes().isEmpty() || !difference.complete();
        }
    }

    /** The key was used before, for another event; see {@link OnMismatch#REJECT}. Nothing was written. */
    record Rejected(LedgerEvent event, Difference difference) implements Ingestion {}

    /**
     * It is not known to be committed. By the cause's kind: {@code UNREACHABLE} and {@code BUSY}, send the same entry
     * again; {@code REJECTED}, the database will never take it.
     */
    record Failed(StoreException cause) implements Ingestion {}
}
