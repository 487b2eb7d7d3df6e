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
import dev.semel.key.Secrets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Journal are closed while the database lets nobody read or write: nobody may be left waiting. */
@ParameterizedClass
@EnumSource(Kind.class)
class ClosedJournalTest {
    /** Longer than closing takes: what is under way then does not end by itself. */
    private static final Duration LONG = Duration.ofMinutes(5);

    @Parameter
    Kind kind;

    @TempDir
    Path folder;

    @Test
    void everyReadThatIsUnderWayOrQueuedEnds() throws Exception {
        try (TestDatabase database = TestDatabase.of(kind, folder)) {
            Journal records = stuck(database);
            List<CompletionStage<?>> answers = new ArrayList<>();
            try (Connection blocking = blocked(database)) {
                UUID id = UUID.randomUUID();
                for (int i = 0; i < 5; i++) {
                    answers.add(records.ledger().page("acme", null, 10));
                    answers.add(records.ledger().find("acme", id));
                    answers.add(records.ledger().known(Set.of(entry("key").keyHash())));
                    answers.add(records.calls().page("site", null, 10));
                    answers.add(records.calls().find("site", id));
                    answers.add(records.calls().known("site", "hash"));
                    answers.add(records.inbox().page(InboxQuery.of("acme"), null, 10));
                    answers.add(records.inbox().find("acme", id));
                    answers.add(records.inbox().ack("acme", id, "ann"));
                    answers.add(records.inbox().purge());
                }
                records.close();
                assertThat(answers)
                        .allMatch(answer -> answer.toCompletableFuture().isDone());
                assertThat(blocking.isClosed()).isFalse();
            }
            Throwable failure = catchThrowable(
                    () -> answers.get(answers.size() - 4).toCompletableFuture().join());
            assertThat(failure).hasCauseInstanceOf(StoreException.class);
        }
    }

    /** Closing lets writes that are under way finish, for ten seconds twice. */
    @Test
    void everyWriteThatIsUnderWayOrQueuedEnds() throws Exception {
        assumeTrue(kind == Kind.POSTGRESQL, "one database is enough for a test that takes so long");
        try (TestDatabase database = TestDatabase.of(kind, folder)) {
            Journal records = stuck(database);
            List<CompletionStage<?>> answers = new ArrayList<>();
            try (Connection blocking = blocked(database)) {
                for (int i = 0; i < 5; i++) {
                    answers.add(records.ledger().ingest(entry("key-" + i)));
                    answers.add(records.ledger().ingestAll(List.of(entry("all-" + i))));
                    answers.add(records.calls().record(call("site", "signature-" + i)));
                    answers.add(records.inbox().record(webhook("ev_" + i), WAIT));
                }
                records.close();
                assertThat(answers)
                        .allMatch(answer -> answer.toCompletableFuture().isDone());
                assertThat(blocking.isClosed()).isFalse();
            }
            answers.forEach(answer -> assertThat(get(answer)).as("never fails").isNotNull());
        }
    }

    private static Journal stuck(TestDatabase database) {
        return database.records(builder ->
                builder.threads(1).statementTimeout(LONG).maxWait(LONG).inbox(Secrets.of(InboxEntries.OLD)));
    }

    /** Nobody else reads or writes records until it is closed. */
    private Connection blocked(TestDatabase database) throws Exception {
        if (kind == Kind.SQLITE) {
            return database.dataSource().getConnection();
        }
        Connection connection = database.connect();
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute(
                    kind == Kind.POSTGRESQL
                            ? "LOCK TABLE events, calls, webhook_inbox, ledger_ingestion_idempotency"
                            : "LOCK TABLES events WRITE, calls WRITE, webhook_inbox WRITE, ledger_ingestion_idempotency"
                                    + " WRITE, semel_positions WRITE");
        }
        return connection;
    }
}
