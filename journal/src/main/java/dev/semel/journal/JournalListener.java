// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

import dev.semel.journal.calls.CallOutcome;
import dev.semel.journal.ledger.Ingestion;

/**
 * Receives the outcomes of a journal, for metrics. It is called once for each entry, on the threads of the journal, before the
 * caller gets the outcome, and must not block. Exceptions are logged.
 */
public interface JournalListener {
    /** An entry of the ledger has its outcome. */
    default void onIngestion(Ingestion ingestion) {}

    /** A call event has its outcome. */
    default void onCall(CallOutcome outcome) {}
}
