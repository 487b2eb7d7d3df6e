// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

import static dev.semel.journal.Entries.entry;
import static dev.semel.journal.Entries.get;
import static dev.semel.journal.Entries.written;
import static dev.semel.journal.InboxEntries.WAIT;
import static dev.semel.journal.InboxEntries.recorded;
import static dev.semel.journal.InboxEntries.webhookOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.journal.inbox.Inbox;
import dev.semel.journal.inbox.InboxEvent;
import dev.semel.journal.inbox.InboxOutcome;
import dev.semel.journal.ledger.Ingestion;
import dev.semel.journal.ledger.Ledger;
import dev.semel.journal.ledger.LedgerEvent;
import dev.semel.testservers.DatabaseKind;
import dev.semel.testservers.EachDatabase;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;

/** Rows of every size are stored unchanged, together with rows of other sizes. */
@ParameterizedClass
@EachDatabase
class LargeRowsTest {
    private static final List<Integer> SIZES =
            List.of(1, 16_384, 65_535, 65_536, 65_537, 70_000, 1024 * 1024, 2 * 1024 * 1024);

    private final DatabaseKind kind;
    private MigratedDatabase database;

    @TempDir
    private Path folder;

    LargeRowsTest(DatabaseKind kind) {
        this.kind = kind;
    }

    @BeforeEach
    void open() {
        database = MigratedDatabase.of(kind, folder);
    }

    @AfterEach
    void close() throws Exception {
        database.close();
    }

    private static String payload(int size) {
        return "{\"text\":\"" + "x".repeat(size) + "\"}";
    }

    @Test
    void events() {
        Ledger ledger = database.journal().ledger();
        List<CompletionStage<Ingestion>> written = SIZES.stream()
                .map(size -> ledger.ingest(entry("acme", "key-" + size, payload(size))))
                .toList();
        for (int i = 0; i < SIZES.size(); i++) {
            LedgerEvent event = written(get(written.get(i)));
            LedgerEvent stored = get(ledger.find("acme", event.id())).orElseThrow();
            assertThat(stored.given()).isEqualTo(event.given());
            assertThat(Entries.text(stored.given())).contains(payload(SIZES.get(i)));
        }
    }

    @Test
    void webhooks() {
        Inbox inbox = InboxEntries.inbox(database);
        List<CompletionStage<InboxOutcome>> written = SIZES.stream()
                .map(size -> inbox.record(webhookOf("acme", "key-" + size, payload(size)), WAIT))
                .toList();
        for (int i = 0; i < SIZES.size(); i++) {
            InboxEvent event =
                    get(inbox.find("acme", recorded(get(written.get(i))))).orElseThrow();
            assertThat(InboxEntries.text(event)).isEqualTo(payload(SIZES.get(i)));
        }
    }
}
