// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

import static dev.semel.journal.Entries.call;
import static dev.semel.journal.Entries.entry;
import static dev.semel.journal.Entries.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.journal.calls.CallOutcome;
import dev.semel.journal.calls.CallSignature;
import dev.semel.journal.ledger.Ingestion;
import dev.semel.testservers.DatabaseKind;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every outcome is reported once, and a listener that throws changes nothing. */
class JournalListenerTest {
    @TempDir
    Path folder;

    private final List<String> heard = new CopyOnWriteArrayList<>();
    private MigratedDatabase database;
    private Journal journal;

    @BeforeEach
    void open() {
        database = MigratedDatabase.of(DatabaseKind.SQLITE, folder);
        journal = database.journal(builder -> builder.listener(new Throwing()).listener(new Remembering()));
    }

    @AfterEach
    void close() throws Exception {
        database.close();
    }

    /** Fails at every outcome. */
    private static final class Throwing implements JournalListener {
        @Override
        public void onIngestion(Ingestion ingestion) {
            throw new IllegalStateException("of a listener");
        }

        @Override
        public void onCall(CallOutcome outcome) {
            throw new AssertionError("of a listener");
        }
    }

    private final class Remembering implements JournalListener {
        @Override
        public void onIngestion(Ingestion ingestion) {
            heard.add(ingestion.getClass().getSimpleName());
        }

        @Override
        public void onCall(CallOutcome outcome) {
            heard.add(outcome.getClass().getSimpleName());
        }
    }

    @Test
    void everyEntryOfTheLedgerIsReportedOnce() {
        assertThat(get(journal.ledger().ingest(entry("a")))).isInstanceOf(Ingestion.Written.class);
        assertThat(get(journal.ledger().ingest(entry("a")))).isInstanceOf(Ingestion.Existing.class);
        assertThat(heard).containsExactly("Written", "Existing");

        // One new key twice in the batch, and the known one.
        get(journal.ledger().ingestAll(List.of(entry("b"), entry("a"), entry("b"))));

        assertThat(heard.subList(2, heard.size())).containsExactlyInAnyOrder("Written", "Existing", "Existing");
    }

    @Test
    void everyCallIsReportedOnce() {
        get(journal.calls().record(call("site", "signature")));
        get(journal.calls().record(call("site", "signature")));
        get(journal.calls().record(call("site", null)));
        get(journal.calls().duplicate("site", CallSignature.hashOf("signature")));
        get(journal.calls().duplicate("site", CallSignature.hashOf("other")));

        assertThat(heard).containsExactly("Inserted", "Noop", "Inserted", "Noop");
    }

    @Test
    void aClosedJournalReportsFailures() {
        journal.close();

        assertThat(get(journal.ledger().ingest(entry("a")))).isInstanceOf(Ingestion.Failed.class);
        assertThat(get(journal.calls().record(call("site", "signature")))).isInstanceOf(CallOutcome.Failed.class);
        assertThat(heard).containsExactly("Failed", "Failed");
    }
}
