// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

import dev.semel.journal.calls.CallOutcome;
import dev.semel.journal.ledger.Ingestion;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports to the application's listeners. An exception of a listener is logged and changes nothing. */
record JournalListeners(List<JournalListener> listeners) {
    private static final Logger LOG = LoggerFactory.getLogger(Journal.class);

    JournalListeners {
        listeners = List.copyOf(listeners);
    }

    void ingested(Ingestion ingestion) {
        tell(listener -> listener.onIngestion(ingestion));
    }

    void called(CallOutcome outcome) {
        tell(listener -> listener.onCall(outcome));
    }

    private void tell(Consumer<JournalListener> what) {
        for (JournalListener listener : listeners) {
            try {
                what.accept(listener);
            } catch (RuntimeException | Error e) {
                LOG.warn(
                        "Journal listener threw {}; the journal is not affected",
                        e.getClass().getName(),
                        e);
            }
        }
    }
}
