// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.semel.jdbc.SchemaException;
import dev.semel.journal.ledger.Ledger;
import dev.semel.journal.ledger.LedgerEvent;
import dev.semel.key.Secrets;
import dev.semel.testservers.DatabaseKind;
import dev.semel.testservers.EachDatabase;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

@ParameterizedClass
@EachDatabase
class JournalSchemaTest {
    @Parameter
    DatabaseKind kind;

    @TempDir
    Path folder;

    private static final String WAITING = """
            SELECT count(*) FROM pg_locks AS l JOIN pg_database AS d ON d.oid = l.database
            WHERE d.datname = current_database() AND NOT l.granted
            """;

    @Test
    void aFileIsAppliedOnce_inADatabaseWithClaims() throws Exception {
        try (MigratedDatabase database = MigratedDatabase.of(kind, folder)) {
            Journal.schema(database.dataSource()).migrate();

            assertThat(database.count("semel_records_schema_version")).isEqualTo(4);
            assertThat(database.count("semel_schema_version")).isEqualTo(1);
        }
    }

    @Test
    void aMissingTableIsNamedTogetherWithTheFix() throws Exception {
        try (MigratedDatabase database = MigratedDatabase.of(kind, folder)) {
            database.execute("DROP TABLE calls");

            assertThatThrownBy(() -> Journal.on(database.dataSource()).build())
                    .isInstanceOf(SchemaException.class)
                    .hasMessageContaining("Journal.schema(dataSource).migrate()")
                    .hasMessageContaining("calls_site_signature_hash_uq");
        }
    }

    /** MariaDB commits each statement of a file separately, so a file may be applied but not recorded. */
    @Test
    void aMigrationThatWasInterruptedIsFinished() throws Exception {
        assumeTrue(kind != DatabaseKind.SQLITE, "SQLite applies a file in one transaction");
        try (MigratedDatabase database = MigratedDatabase.of(kind, folder)) {
            database.execute("DELETE FROM semel_records_schema_version");
            Journal.schema(database.dataSource()).migrate();
            assertThatCode(() -> Journal.schema(database.dataSource()).check()).doesNotThrowAnyException();
            assertThat(database.count("semel_records_schema_version")).isEqualTo(4);
        }
    }

    /** The database has the tables and rows of the first version. */
    @Test
    void theInboxIsAddedToADatabaseOfAnEarlierVersion() throws Exception {
        try (MigratedDatabase database = MigratedDatabase.of(kind, folder)) {
            UUID event = Entries.event(Entries.get(database.journal().ledger().ingest(Entries.entry("key"))))
                    .id();
            database.execute("DROP TABLE webhook_inbox");
            database.execute("DELETE FROM semel_records_schema_version WHERE version >= 2");
            if (kind.isMariaDbOrMySql()) {
                database.execute("DELETE FROM semel_positions WHERE name = 'webhook_inbox'");
            }
            assertThatThrownBy(() -> Journal.on(database.dataSource()).build())
                    .isInstanceOf(SchemaException.class)
                    .hasMessageContaining("V2__webhook_inbox.sql");

            Journal.schema(database.dataSource()).migrate();

            Journal journal = database.journal(builder -> builder.inbox(Secrets.of(InboxEntries.OLD)));
            InboxEntries.recorded(Entries.get(journal.inbox().record(InboxEntries.webhook("ev_1"), InboxEntries.WAIT)));
            assertThat(Entries.get(journal.ledger().find("acme", event))).isPresent();
            assertThat(database.count("semel_records_schema_version")).isEqualTo(4);
        }
    }

    /** A writer of the earlier version is still open. */
    @Test
    void writeNumbersContinueAboveThoseOfTheEarlierVersion() throws Exception {
        assumeTrue(kind == DatabaseKind.POSTGRESQL, "other databases order by position");
        try (MigratedDatabase database = MigratedDatabase.of(kind, folder)) {
            String before = "SELECT base + pg_current_xact_id()::text::bigint FROM semel_writes WHERE id = 1";
            database.execute("DROP FUNCTION semel_settled()");
            database.execute("DROP SEQUENCE semel_write_numbers");
            database.execute("CREATE OR REPLACE FUNCTION semel_write() RETURNS bigint LANGUAGE sql AS '%s'"
                    .formatted(before.replace("'", "''")));
            database.execute("DELETE FROM semel_records_schema_version WHERE version >= 3");
            database.execute("INSERT INTO events (org_id, event_type) VALUES ('acme', 'first')");
            CompletableFuture<Void> migration;
            try (Connection late = database.connect();
                    Statement statement = late.createStatement()) {
                late.setAutoCommit(false);
                statement.execute("INSERT INTO events (org_id, event_type) VALUES ('acme', 'late')");
                migration = CompletableFuture.runAsync(
                        () -> Journal.schema(database.dataSource()).migrate());
                await().atMost(Duration.ofSeconds(20))
                        .until(() -> database.single(WAITING).equals("1"));
                assertThat(migration).isNotDone();
                late.commit();
            }
            migration.get(60, TimeUnit.SECONDS);
            Ledger ledger = database.journal().ledger();
            Entries.get(ledger.ingest(Entries.entry("fresh")));

            assertThat(Entries.get(ledger.page("acme", null, 10)).items())
                    .extracting(event ->
                            Entries.text(event.given().member("event_type").orElseThrow()))
                    .containsExactly("\"first\"", "\"late\"", "\"paid\"");
            assertThat(database.single(
                            "SELECT count(*) FROM events WHERE write < (SELECT base FROM semel_writes WHERE id = 1)"
                                    + " + pg_snapshot_xmin(pg_current_snapshot())::text::bigint"))
                    .as("pages of the earlier version stop before the new numbers and skip none of them")
                    .isEqualTo("2");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"events", "ledger_ingestion_idempotency", "calls", "webhook_inbox"})
    void anotherApplicationsTableIsNamed(String table) throws Exception {
        try (MigratedDatabase database = MigratedDatabase.of(kind, folder)) {
            for (String ours : List.of(
                    "ledger_ingestion_idempotency",
                    "events",
                    "calls",
                    "webhook_inbox",
                    "semel_records_schema_version")) {
                database.execute("DROP TABLE " + ours);
            }
            database.execute("CREATE TABLE %s (n INTEGER)".formatted(table));

            assertThatThrownBy(() -> Journal.schema(database.dataSource()).migrate())
                    .isInstanceOf(SchemaException.class)
                    .hasMessageContaining("The table %s already exists".formatted(table))
                    .hasMessageContaining("of its own");
            assertThatThrownBy(() -> Journal.schema(database.dataSource()).migrate())
                    .as("a second start fails with the same message")
                    .hasMessageContaining("The table %s already exists".formatted(table));
        }
    }

    @ParameterizedTest
    @MethodSource("keys")
    void aMissingUniqueIndexIsNamedTogetherWithTheStatementThatMakesIt(Key key) throws Exception {
        assumeTrue(key.in().contains(kind), "not a table of this database");
        try (MigratedDatabase database = MigratedDatabase.of(kind, folder)) {
            for (String drop : key.drops(kind)) {
                database.execute(drop);
            }
            mended(database, "The table %s lacks its unique index %s".formatted(key.table(), key.index()));
        }
    }

    /** For example after a CREATE UNIQUE INDEX CONCURRENTLY that found duplicates. */
    @Test
    void anInvalidIndexDoesNotCount() throws Exception {
        assumeTrue(kind == DatabaseKind.POSTGRESQL, "only PostgreSQL has invalid indexes");
        try (MigratedDatabase database = MigratedDatabase.of(kind, folder)) {
            database.execute("UPDATE pg_index SET indisvalid = false"
                    + " WHERE indexrelid = 'calls_site_signature_hash_uq'::regclass");
            mended(database, "calls_site_signature_hash_uq, but it is invalid");
        }
    }

    @Test
    void aPartialIndexDoesNotCount() throws Exception {
        assumeTrue(!kind.isMariaDbOrMySql(), "MariaDB has no partial indexes");
        try (MigratedDatabase database = MigratedDatabase.of(kind, folder)) {
            database.execute("DROP INDEX calls_site_signature_hash_uq");
            database.execute(
                    "CREATE UNIQUE INDEX verified_only ON calls (site_id, signature_hash) WHERE verified IS NOT NULL");
            mended(database, "The table calls lacks its unique index calls_site_signature_hash_uq");
        }
    }

    /** A file that is applied a second time by hand restores the functions of its version. */
    @Test
    void functionsOfAnEarlierVersionAreRefused() throws Exception {
        assumeTrue(kind == DatabaseKind.POSTGRESQL, "other databases order by position");
        try (MigratedDatabase database = MigratedDatabase.of(kind, folder)) {
            Ledger before = database.journal().ledger();
            Entries.get(before.ingest(Entries.entry("first")));
            String cursor = Entries.get(before.page("acme", null, 10)).cursor();
            database.execute(file("V1__records.sql"));

            assertThatThrownBy(() -> Journal.on(database.dataSource()).build())
                    .isInstanceOf(SchemaException.class)
                    .hasMessageContaining("V3__write_numbers.sql");
            database.execute(file("V3__write_numbers.sql"));

            Ledger ledger = database.journal().ledger();
            UUID next = Entries.event(Entries.get(ledger.ingest(Entries.entry("next"))))
                    .id();
            assertThat(Entries.get(ledger.page("acme", cursor, 10)).items())
                    .extracting(LedgerEvent::id)
                    .containsExactly(next);
        }
    }

    private static String file(String name) throws Exception {
        try (var resource = Journal.class.getResourceAsStream("postgresql/" + name)) {
            assertThat(resource).as(name).isNotNull();
            return new String(resource.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** The functions run with the rights of their owner. */
    @Test
    void aRoleNeedsRightsOnTheTablesOnly() throws Exception {
        assumeTrue(kind == DatabaseKind.POSTGRESQL, "only PostgreSQL has sequences");
        try (MigratedDatabase database = MigratedDatabase.of(kind, folder)) {
            String role = "serving_" + ProcessHandle.current().pid();
            database.execute("CREATE ROLE %s LOGIN PASSWORD 'serving'".formatted(role));
            database.execute("GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA public TO " + role);
            PGSimpleDataSource serving = new PGSimpleDataSource();
            serving.setUrl(database.url());
            serving.setUser(role);
            serving.setPassword("serving");
            try (Journal journal = Journal.on(serving).build()) {
                UUID event = Entries.event(Entries.get(journal.ledger().ingest(Entries.entry("key"))))
                        .id();
                assertThat(Entries.get(journal.ledger().page("acme", null, 10)).items())
                        .extracting(LedgerEvent::id)
                        .containsExactly(event);
            } finally {
                database.execute("DROP OWNED BY " + role);
                database.execute("DROP ROLE " + role);
            }
        }
    }

    /** PostgreSQL does not use a deferrable index for ON CONFLICT, so every write would fail. */
    @Test
    void aDeferrableIndexDoesNotCount() throws Exception {
        assumeTrue(kind == DatabaseKind.POSTGRESQL, "only PostgreSQL has deferrable indexes");
        try (MigratedDatabase database = MigratedDatabase.of(kind, folder)) {
            database.execute("ALTER TABLE ledger_ingestion_idempotency"
                    + " DROP CONSTRAINT ledger_ingestion_idempotency_pkey, ADD UNIQUE (key_hash) DEFERRABLE");
            mended(database, "The table ledger_ingestion_idempotency lacks its unique index");
        }
    }

    /** An operator has dropped the trigger to correct an event. */
    @Test
    void aMissingTriggerDoesNotStopTheMigration() throws Exception {
        assumeTrue(kind == DatabaseKind.SQLITE, "only the SQLite migration recreates a trigger");
        try (MigratedDatabase database = MigratedDatabase.of(kind, folder)) {
            database.execute("DROP TRIGGER events_no_update");
            for (String column : List.of("taken_until", "take_token", "taken_by")) {
                database.execute("ALTER TABLE webhook_inbox DROP COLUMN " + column);
            }
            database.execute("DELETE FROM semel_records_schema_version WHERE version >= 3");

            Journal.schema(database.dataSource()).migrate();

            assertThat(database.count("semel_records_schema_version")).isEqualTo(4);
        }
    }

    /** For example a backup. While a migration waits for a table, all other statements wait behind it. */
    @Test
    void aMigrationGivesUpWhereAReaderStaysOpen() throws Exception {
        assumeTrue(kind.isMariaDbOrMySql(), "the file of PostgreSQL sets its own bound, and SQLite has one writer");
        try (MigratedDatabase database = MigratedDatabase.of(kind, folder);
                Connection reader = database.connect();
                Statement statement = reader.createStatement()) {
            Ledger ledger = database.journal().ledger();
            database.execute("DELETE FROM semel_records_schema_version WHERE version >= 3");
            reader.setAutoCommit(false);
            statement.executeQuery("SELECT count(*) FROM events").close();

            CompletableFuture<Throwable> migration = CompletableFuture.supplyAsync(() ->
                    catchThrowable(() -> Journal.schema(database.dataSource()).migrate()));

            assertThat(migration.get(60, TimeUnit.SECONDS)).isNotNull();
            Entries.event(Entries.get(ledger.ingest(Entries.entry("key"))));
            reader.rollback();
            Journal.schema(database.dataSource()).migrate();
            assertThat(database.count("semel_records_schema_version")).isEqualTo(4);
        }
    }

    /** Expects a failure, runs the statements of its message, and expects success. */
    private static void mended(MigratedDatabase database, String why) throws Exception {
        JournalBuilder builder = Journal.on(database.dataSource());
        Throwable refusal = catchThrowable(builder::build);
        assertThat(refusal).isInstanceOf(SchemaException.class).hasMessageContaining(why);
        String statements = refusal.getMessage().replaceFirst(".* then run: ", "");
        for (String statement : statements.split("; ?", -1)) {
            if (!statement.isEmpty()) {
                database.execute(statement);
            }
        }
        builder.build().close();
    }

    static List<Key> keys() {
        List<DatabaseKind> all = List.of(DatabaseKind.values());
        return List.of(
                new Key("events", "events_id_uq", all),
                new Key("ledger_ingestion_idempotency", "ledger_ingestion_key_hash_uq", all),
                new Key("calls", "calls_id_uq", all),
                new Key("calls", "calls_site_signature_hash_uq", all),
                new Key("webhook_inbox", "webhook_inbox_id_uq", all),
                new Key("semel_writes", "semel_writes_id_uq", List.of(DatabaseKind.POSTGRESQL)),
                new Key(
                        "semel_positions",
                        "semel_positions_name_uq",
                        List.of(DatabaseKind.MARIADB, DatabaseKind.MYSQL)));
    }

    record Key(String table, String index, List<DatabaseKind> in) {
        List<String> drops(DatabaseKind kind) {
            List<String> drops = new ArrayList<>();
            if (table.equals("events") && kind == DatabaseKind.POSTGRESQL) {
                drops.add("ALTER TABLE ledger_ingestion_idempotency"
                        + " DROP CONSTRAINT ledger_ingestion_idempotency_event_id_fkey");
            }
            if (table.equals("events") && kind.isMariaDbOrMySql()) {
                drops.add("ALTER TABLE ledger_ingestion_idempotency DROP FOREIGN KEY ledger_ingestion_event_fk");
            }
            boolean primary = kind == DatabaseKind.POSTGRESQL
                    ? !index.equals("calls_site_signature_hash_uq")
                    : List.of("ledger_ingestion_idempotency", "semel_positions").contains(table);
            switch (kind) {
                case POSTGRESQL ->
                    drops.add(
                            primary
                                    ? "ALTER TABLE %s DROP CONSTRAINT %s_pkey".formatted(table, table)
                                    : "DROP INDEX " + index);
                case MARIADB, MYSQL ->
                    drops.add(
                            primary
                                    ? "ALTER TABLE %s DROP PRIMARY KEY".formatted(table)
                                    : "DROP INDEX %s ON %s".formatted(index, table));
                case SQLITE -> {
                    if (index.equals("calls_site_signature_hash_uq")) {
                        drops.add("DROP INDEX " + index);
                    } else {
                        // The index of a unique column cannot be dropped, but the table can be replaced.
                        drops.add("ALTER TABLE %s RENAME TO old".formatted(table));
                        drops.add("CREATE TABLE %s AS SELECT * FROM old".formatted(table));
                        if (table.equals("calls")) {
                            drops.add("DROP INDEX calls_site_signature_hash_uq");
                            drops.add(
                                    "CREATE UNIQUE INDEX calls_site_signature_hash_uq ON calls (site_id, signature_hash)"
                                            + " WHERE signature_hash IS NOT NULL");
                        }
                    }
                }
            }
            return drops;
        }
    }
}
