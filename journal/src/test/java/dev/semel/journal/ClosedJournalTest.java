// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

import static dev.semel.journal.Entries.call;
import static dev.semel.journal.Entries.entry;
import static dev.semel.journal.Entries.get;
import static dev.semel.journal.InboxEntries.WAIT;
import static dev.semel.journal.InboxEntries.webhook;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.semel.claim.StoreException;
import dev.semel.journal.inbox.InboxQuery;
import dev.semel.journal.ledger.LedgerEvent;
import dev.semel.journal.page.Page;
import dev.semel.key.Secrets;
import dev.semel.testservers.DatabaseKind;
import dev.semel.testservers.EachDatabase;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/** A journal is closed while the database is locked. Every call must be answered. */
@ParameterizedClass
@EachDatabase
class ClosedJournalTest {
    /** Longer than closing takes, so that running calls do not end by themselves. */
    private static final Duration LONG = Duration.ofMinutes(5);

    @Parameter
    DatabaseKind kind;

    @TempDir
    Path folder;

    @Test
    void everyRunningOrQueuedReadEnds() throws Exception {
        try (MigratedDatabase database = MigratedDatabase.of(kind, folder)) {
            Journal journal = stuck(database);
            List<CompletionStage<?>> answers = new ArrayList<>();
            try (Connection blocking = blocked(database)) {
                UUID id = UUID.randomUUID();
                for (int i = 0; i < 5; i++) {
                    answers.add(journal.ledger().page("acme", null, 10));
                    answers.add(journal.ledger().find("acme", id));
                    answers.add(journal.ledger().known(Set.of(entry("key").keyHash())));
                    answers.add(journal.calls().page("site", null, 10));
                    answers.add(journal.calls().find("site", id));
                    answers.add(journal.calls().duplicate("site", "hash"));
                    answers.add(journal.inbox().page(InboxQuery.of("acme"), null, 10));
                    answers.add(journal.inbox().find("acme", id));
                    answers.add(journal.inbox().ack("acme", id, "ann"));
                    answers.add(journal.inbox().purge());
                }
                journal.close();
                assertThat(answers)
                        .allMatch(answer -> answer.toCompletableFuture().isDone());
                assertThat(blocking.isClosed()).isFalse();
            }
            Throwable failure = catchThrowable(
                    () -> answers.get(answers.size() - 4).toCompletableFuture().join());
            assertThat(failure).hasCauseInstanceOf(StoreException.class);
        }
    }

    /** Closing waits ten seconds for running writes, twice. */
    @Test
    @Tag("slow")
    void everyRunningOrQueuedWriteEnds() throws Exception {
        assumeTrue(kind == DatabaseKind.POSTGRESQL, "one database is enough for a test that takes so long");
        try (MigratedDatabase database = MigratedDatabase.of(kind, folder)) {
            Journal journal = stuck(database);
            List<CompletionStage<?>> answers = new ArrayList<>();
            try (Connection blocking = blocked(database)) {
                for (int i = 0; i < 5; i++) {
                    answers.add(journal.ledger().ingest(entry("key-" + i)));
                    answers.add(journal.ledger().ingestAll(List.of(entry("all-" + i))));
                    answers.add(journal.calls().record(call("site", "signature-" + i)));
                    answers.add(journal.inbox().record(webhook("ev_" + i), WAIT));
                }
                journal.close();
                assertThat(answers)
                        .allMatch(answer -> answer.toCompletableFuture().isDone());
                assertThat(blocking.isClosed()).isFalse();
            }
            answers.forEach(answer -> assertThat(get(answer)).as("never fails").isNotNull());
        }
    }

    /** An open transaction makes pages unsettled, so that they pause before they are read again. */
    @Test
    void everyPageThatWaitsForAnotherWriterEnds() throws Exception {
        assumeTrue(kind == DatabaseKind.POSTGRESQL, "only PostgreSQL has unsettled pages");
        try (MigratedDatabase database = MigratedDatabase.of(kind, folder);
                Connection writer = database.connect();
                Statement statement = writer.createStatement()) {
            Journal journal = database.journal();
            writer.setAutoCommit(false);
            statement.execute("INSERT INTO events (org_id, event_type) VALUES ('acme', 'other')");
            get(journal.ledger().ingest(entry("key")));
            List<CompletableFuture<Page<LedgerEvent>>> pages = Stream.generate(
                            () -> journal.ledger().page("acme", null, 10).toCompletableFuture())
                    .limit(200)
                    .toList();
            get(journal.ledger().find("acme", UUID.randomUUID()));

            journal.close();

            assertThat(pages).allMatch(CompletableFuture::isDone);
            assertThat(pages).anyMatch(CompletableFuture::isCompletedExceptionally);
        }
    }

    private static Journal stuck(MigratedDatabase database) {
        return database.journal(builder ->
                builder.threads(1).statementTimeout(LONG).maxWait(LONG).inbox(Secrets.of(InboxEntries.OLD)));
    }

    /** Blocks all reads and writes of the journal until it is closed. */
    private Connection blocked(MigratedDatabase database) throws Exception {
        if (kind == DatabaseKind.SQLITE) {
            return database.dataSource().getConnection();
        }
        Connection connection = database.connect();
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute(
                    kind == DatabaseKind.POSTGRESQL
                            ? "LOCK TABLE events, calls, webhook_inbox, ledger_ingestion_idempotency"
                            : "LOCK TABLES events WRITE, calls WRITE, webhook_inbox WRITE, ledger_ingestion_idempotency"
                                    + " WRITE, semel_positions WRITE");
        }
        return connection;
    }
}
