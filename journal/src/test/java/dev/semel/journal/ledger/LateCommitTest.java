// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.ledger;

import static dev.semel.journal.Entries.entry;
import static dev.semel.journal.Entries.event;
import static dev.semel.journal.Entries.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.journal.MigratedDatabase;
import dev.semel.journal.page.Page;
import dev.semel.testservers.DatabaseKind;
import dev.semel.testservers.EachDatabase;
import dev.semel.testservers.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Another writer's transaction is open while the ledger writes. A cursor must not skip its event. */
class LateCommitTest {
    private static final String OTHER = "INSERT INTO events (id, org_id, event_type) VALUES ('%s', 'acme', 'other')";

    /** PostgreSQL: the ledger continues to write, and pages stop before events that may still appear. */
    @Test
    void onPostgres_pagesWaitForIt() throws Exception {
        try (MigratedDatabase database = MigratedDatabase.on(PostgresServer.shared())) {
            Ledger ledger = database.journal().ledger();
            UUID before = event(get(ledger.ingest(entry("before")))).id();
            UUID late = UUID.randomUUID();
            UUID after;
            String cursor;
            try (Connection connection = database.connect();
                    Statement statement = connection.createStatement()) {
                connection.setAutoCommit(false);
                statement.execute(OTHER.formatted(late));
                after = event(get(ledger.ingest(entry("after")))).id();
                Page<LedgerEvent> page = get(ledger.page("acme", null, 10));
                assertThat(page.items()).extracting(LedgerEvent::id).containsExactly(before);
                assertThat(page.unsettled()).as("another event exists").isTrue();
                assertThat(get(ledger.find("acme", after))).isPresent();
                cursor = page.cursor();
                connection.commit();
            }
            List<UUID> rest = new ArrayList<>();
            await().atMost(Duration.ofSeconds(20)).until(() -> {
                rest.clear();
                get(ledger.page("acme", cursor, 10)).items().forEach(event -> rest.add(event.id()));
                return rest.size() == 2;
            });
            assertThat(rest).containsExactly(late, after);
        }
    }

    /** MariaDB and MySQL: the ledger waits for the writer, so positions become visible in their order. */
    @ParameterizedTest
    @EachDatabase(except = {DatabaseKind.POSTGRESQL, DatabaseKind.SQLITE})
    void onMariaDbAndMySql_theLedgerWaitsForIt(DatabaseKind kind) throws Exception {
        try (MigratedDatabase database = MigratedDatabase.on(kind.sharedServer())) {
            Ledger ledger = database.journal().ledger();
            UUID late = UUID.randomUUID();
            CompletableFuture<Ingestion> after;
            try (Connection connection = database.connect();
                    Statement statement = connection.createStatement()) {
                connection.setAutoCommit(false);
                statement.execute(OTHER.formatted(late));
                after = ledger.ingest(entry("after")).toCompletableFuture();
                await().during(Duration.ofMillis(500)).until(() -> !after.isDone());
                assertThat(get(ledger.page("acme", null, 10)).items()).isEmpty();
                connection.commit();
            }
            UUID id = event(get(after)).id();
            assertThat(get(ledger.page("acme", null, 10)).items())
                    .extracting(LedgerEvent::id)
                    .containsExactly(late, id);
        }
    }

    /**
     * A transaction is older than the events that readers have seen, because it wrote to another table or took its snapshot
     * before. Its first event is late and must be ordered after those events.
     */
    @ParameterizedTest
    @ValueSource(strings = {"READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE"})
    void onPostgres_anOldTransactionsFirstEventIsNotSkipped(String isolation) throws Exception {
        try (MigratedDatabase database = MigratedDatabase.on(PostgresServer.shared());
                Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            Ledger ledger = database.journal().ledger();
            connection.setAutoCommit(false);
            statement.execute("SET TRANSACTION ISOLATION LEVEL " + isolation);
            statement.execute("CREATE TABLE somewhere_else (n integer)");
            Savepoint undone = connection.setSavepoint();
            statement.execute(OTHER.formatted(UUID.randomUUID()));
            connection.rollback(undone);

            UUID seen = event(get(ledger.ingest(entry("seen")))).id();
            Page<LedgerEvent> first = get(ledger.page("acme", null, 10));
            assertThat(first.items()).extracting(LedgerEvent::id).containsExactly(seen);
            assertThat(first.unsettled()).isFalse();

            UUID late = UUID.randomUUID();
            statement.execute(OTHER.formatted(late));
            UUID after = event(get(ledger.ingest(entry("after")))).id();
            Page<LedgerEvent> waiting = get(ledger.page("acme", first.cursor(), 10));
            assertThat(waiting.items()).isEmpty();
            assertThat(waiting.more()).isFalse();
            assertThat(waiting.unsettled()).isTrue();
            connection.commit();

            Page<LedgerEvent> rest = get(ledger.page("acme", waiting.cursor(), 10));
            assertThat(rest.items()).extracting(LedgerEvent::id).containsExactly(late, after);
            assertThat(rest.unsettled()).isFalse();
        }
    }

    /** After a reader has read the last number and before it reads the locks, others write and one writer begins. */
    @Test
    void onPostgres_aWriterThatBeginsDuringAReadHidesNothing() throws Exception {
        try (MigratedDatabase database = MigratedDatabase.on(PostgresServer.shared());
                Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            Ledger ledger = database.journal().ledger();
            UUID settled = event(get(ledger.ingest(entry("settled")))).id();
            statement.execute("""
                    SELECT pg_advisory_lock_shared(
                        (('semel_write_numbers'::regclass::oid::bigint << 16 | (last_value + 1 >> 32 & 65535))::bit(32))::integer,
                        ((last_value + 1)::bit(32))::integer)
                    FROM semel_write_numbers
                    """);

            Page<LedgerEvent> page = get(ledger.page("acme", null, 10));

            assertThat(page.items()).extracting(LedgerEvent::id).containsExactly(settled);
            assertThat(page.unsettled()).isFalse();
        }
    }

    /** A lock for each row would fill the server's lock table. */
    @Test
    void onPostgres_aTransactionTakesOneLockForAllItsEvents() throws Exception {
        try (MigratedDatabase database = MigratedDatabase.on(PostgresServer.shared());
                Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute(
                    "INSERT INTO events (org_id, event_type) SELECT 'acme', 'x' FROM generate_series(1, 500)");
            statement.execute("INSERT INTO calls (site_id, body) SELECT 'site', '{}' FROM generate_series(1, 500)");

            try (ResultSet locks = statement.executeQuery(
                    "SELECT count(*) FROM pg_locks" + " WHERE locktype = 'advisory' AND pid = pg_backend_pid()")) {
                assertThat(locks.next()).isTrue();
                assertThat(locks.getInt(1)).isEqualTo(1);
            }
        }
    }

    /** A dump is restored into another cluster. Transactions have small numbers there, but their events must still be later. */
    @Test
    void onPostgres_aRestoredLedgerContinues() throws Exception {
        try (MigratedDatabase database = MigratedDatabase.on(PostgresServer.shared())) {
            UUID restored = UUID.randomUUID();
            database.execute("UPDATE semel_writes SET cluster = 'another'");
            database.execute(
                    "INSERT INTO events (id, org_id, event_type, write) VALUES ('%s', 'acme', 'old', 1000000000000)"
                            .formatted(restored));
            Ledger ledger = database.journal().ledger();

            UUID fresh = event(get(ledger.ingest(entry("new")))).id();

            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(
                            () -> assertThat(get(ledger.page("acme", null, 10)).items())
                                    .extracting(LedgerEvent::id)
                                    .containsExactly(restored, fresh));
            assertThat(database.single("SELECT cluster FROM semel_writes")).isNotEqualTo("another");
        }
    }
}
