// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.server.CommandRun;
import dev.semel.testservers.MariaDbServer;
import dev.semel.testservers.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Each finding is provoked on a real database, and the printed fix, applied, clears it. */
class DoctorTest extends DoctorScene {
    @ParameterizedTest
    @EnumSource
    void aMigratedDatabaseHasNoProblems(Kind kind) throws Exception {
        on(kind);
        assertThat(findings()).extracting(Finding::check).contains("schema");
        assertThat(finding("schema").fix()).contains("semel migrate");

        migrate();

        assertThat(findings()).extracting(Finding::level).allMatch(Finding.Level.NOTE::equals);
        assertThat(CommandRun.of("doctor", "--config", config().toString()).exit())
                .isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "POSTGRESQL, postgresql.fsync, ALTER SYSTEM SET fsync = off; SELECT pg_reload_conf()",
        "POSTGRESQL, postgresql.full_page_writes, ALTER SYSTEM SET full_page_writes = off; SELECT pg_reload_conf()",
        "POSTGRESQL, postgresql.synchronous_commit, ALTER DATABASE @name SET synchronous_commit = off",
        "POSTGRESQL, postgresql.isolation, ALTER DATABASE @name SET default_transaction_isolation = 'serializable'",
        "POSTGRESQL, index.idempotency_keys_due_idx, DROP INDEX idempotency_keys_due_idx",
        "POSTGRESQL, index.events_order_idx, DROP INDEX events_order_idx",
        "POSTGRESQL, schema, DROP INDEX calls_site_signature_hash_uq",
        "POSTGRESQL, schema, ALTER TABLE idempotency_keys DROP CONSTRAINT idempotency_keys_pkey",
        "MARIADB, schema, ALTER TABLE calls DROP KEY calls_site_signature_hash_uq",
        "SQLITE, schema, DROP INDEX calls_site_signature_hash_uq",
        "MARIADB, mariadb.innodb_flush_log_at_trx_commit, SET GLOBAL innodb_flush_log_at_trx_commit = 2",
        "MARIADB, mariadb.isolation, SET GLOBAL TRANSACTION ISOLATION LEVEL SERIALIZABLE",
        "MARIADB, index.idempotency_keys_records_idx, ALTER TABLE idempotency_keys DROP KEY idempotency_keys_records_idx",
        "MARIADB, trigger.events_no_update, DROP TRIGGER events_no_update",
        "MARIADB, trigger.events_no_delete, DROP TRIGGER events_no_delete",
        "SQLITE, index.webhook_inbox_open_idx, DROP INDEX webhook_inbox_open_idx",
        "SQLITE, index.semel_key_history_kind_idx, DROP INDEX semel_key_history_kind_idx"
    })
    void theFixClearsTheFinding(Kind kind, String check, String provocation) throws Exception {
        onMigrated(kind);
        execute(provocation.replace("@name", name()));
        String fix;
        try {
            await(check, true);
            fix = finding(check).fix();
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError("Not found: " + findings(), e);
        }

        apply(fix);

        await(check, false);
    }

    /** On a server of its own: commits of a server wait for its synchronous standbys. */
    @Test
    void aMissingStandbyIsANote() throws Exception {
        try (PostgresServer server = PostgresServer.start()) {
            on(server);
            // Commits of this database will not wait for a standby that does not exist.
            execute("ALTER DATABASE %s SET synchronous_commit = local".formatted(name()));
            assertThat(findings()).extracting(Finding::check).doesNotContain("postgresql.synchronous_commit");
            Finding standby = finding("postgresql.synchronous_standby");
            assertThat(standby.level()).isEqualTo(Finding.Level.NOTE);

            apply(standby.fix());
            await("postgresql.synchronous_standby", false);

            assertThat(finding("postgresql.synchronous_commit").level()).isEqualTo(Finding.Level.ERROR);
            apply(finding("postgresql.synchronous_commit").fix());
            assertThat(findings()).extracting(Finding::check).doesNotContain("postgresql.synchronous_commit");
        }
    }

    /** On a server of its own: a binary log cannot be switched on while a server runs. */
    @Test
    void aBinaryLogThatIsNotFlushed() throws Exception {
        try (MariaDbServer server = MariaDbServer.start(Map.of("log_bin", "binlog", "sync_binlog", "1"))) {
            on(server);
            assertThat(findings()).extracting(Finding::check).doesNotContain("mariadb.sync_binlog");
            execute("SET GLOBAL sync_binlog = 0");

            apply(finding("mariadb.sync_binlog").fix());
            assertThat(findings()).extracting(Finding::check).doesNotContain("mariadb.sync_binlog");

            pool = "  pool_size: 900\n";
            String fix = finding("pool_size").fix();
            apply(fix.replaceFirst(".* Or: ", ""));
            assertThat(findings()).extracting(Finding::check).doesNotContain("pool_size");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void aPoolThatIsLargerThanTheServer(Kind kind) throws Exception {
        on(kind);
        pool = "  pool_size: 900\n";
        String fix = finding("pool_size").fix();

        pool = "  pool_size: %s\n".formatted(fix.replaceFirst("Set database.pool_size: (\\d+),.*", "$1"));

        assertThat(findings()).extracting(Finding::check).doesNotContain("pool_size");
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void aClockThatIsWrong(Kind kind) throws Exception {
        on(kind);
        assertThat(findings()).extracting(Finding::check).doesNotContain("clock");
        for (int seconds : new int[] {-60, 60}) {
            clock = Clock.offset(Clock.systemUTC(), Duration.ofSeconds(seconds));
            assertThat(finding("clock").problem()).contains("apart");
            assertThat(finding("clock").fix()).contains("Synchronize");
        }

        clock = Clock.systemUTC();
        assertThat(findings()).extracting(Finding::check).doesNotContain("clock");
    }

    @Test
    void anSqliteDatabaseInMemory() throws Exception {
        url = "jdbc:sqlite::memory:";
        Finding memory = finding("sqlite.memory");
        CommandRun run = CommandRun.of("doctor", "--config", config().toString());
        assertThat(run.exit()).isEqualTo(1);
        assertThat(run.out()).contains("error sqlite.memory", "Fix: " + memory.fix());

        on(Kind.SQLITE);
        migrate();
        assertThat(findings()).isEmpty();
    }

    @Test
    void anSqliteConnectionThatLosesCommits() throws Exception {
        on(Kind.SQLITE);
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA journal_mode = DELETE");
            statement.execute("PRAGMA synchronous = NORMAL");
            List<Finding> found = SqliteChecks.of(new ServerVariables(connection));
            assertThat(found).extracting(Finding::check).containsExactly("sqlite.synchronous", "sqlite.journal_mode");
            for (Finding finding : found) {
                statement.execute(finding.fix().replaceFirst(";.*", ""));
            }
            assertThat(SqliteChecks.of(new ServerVariables(connection))).isEmpty();
        }
    }

    @Test
    void aBacklogOfTheCleanup() throws Exception {
        on(Kind.SQLITE);
        migrate();
        execute("""
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10001)
                INSERT INTO idempotency_keys (key_hash, tenant, scope, secret_id, record_id, claim_nonce, fingerprint, status,
                    on_stale, attempt_count, fence, ttl_micros, created_at, lease_until, run_until,
                    completed_at, due_at)
                SELECT randomblob(32), 't', 's', 'one', randomblob(16), randomblob(16), randomblob(32), 'SUCCEEDED',
                    'RERUN', 1, i, 1000000, 1, 1, 1, 1, 1 FROM n
                """);
        assertThat(finding("cleanup.backlog").problem()).contains("10001 claims", "has never run");
        assertThat(finding("cleanup.backlog").fix()).contains("semel cleanup");

        lastCleanup(Duration.ofMinutes(30), "true");
        assertThat(findings()).as("the next run deletes them").isEmpty();
        lastCleanup(Duration.ofMinutes(30), "false");
        assertThat(finding("cleanup.backlog").problem()).contains("could not delete all");
        lastCleanup(Duration.ofHours(3), "true");
        assertThat(finding("cleanup.backlog").problem()).contains("was started at ");
        more = SECRET + "cleanup: {at: \"03:00\"}\n";
        lastCleanup(Duration.ofHours(25), "true");
        assertThat(findings()).as("it runs once a day").isEmpty();
        lastCleanup(Duration.ofHours(27), "true");
        assertThat(finding("cleanup.backlog").problem()).contains("was started at ");

        String file = url;
        assertThat(CommandRun.of("cleanup", "--database-url", file, "--json").text("report"))
                .startsWith("{\"claims\":10001,");
        assertThat(findings()).isEmpty();
    }

    private void lastCleanup(Duration ago, String complete) throws Exception {
        execute("""
                INSERT OR REPLACE INTO semel_jobs (name, holder, held_until, started_at, ended_at, report)
                SELECT 'cleanup', 'h', t, t, t, '{"complete":%s}' FROM (SELECT (unixepoch() - %d) * 1000000 AS t)
                """.formatted(complete, ago.toSeconds()));
    }

    /** In this class, because others of it change settings of the shared server. */
    @Test
    void aUserWithoutRights() throws Exception {
        on(Kind.POSTGRESQL);
        migrate();
        String owner = user;
        String secret = password;
        String reader = "reader_" + COUNT.incrementAndGet();
        execute("CREATE ROLE %s LOGIN PASSWORD 'reader'; GRANT SELECT ON ALL TABLES IN SCHEMA public TO %1$s;"
                        .formatted(reader)
                + " REVOKE SELECT ON idempotency_keys FROM %s".formatted(reader));
        user = reader;
        password = "reader";
        List<Finding> found = findings();
        assertThat(found)
                .filteredOn(finding -> finding.level() != Finding.Level.NOTE)
                .isNotEmpty()
                .allSatisfy(
                        finding -> assertThat(finding.problem() + finding.fix()).doesNotContain(secret));

        user = owner;
        password = secret;
        execute("GRANT SELECT ON idempotency_keys TO " + reader);
        user = reader;
        password = "reader";

        assertThat(findings()).extracting(Finding::level).allMatch(Finding.Level.NOTE::equals);
        user = owner;
        password = secret;
        execute("DROP OWNED BY %s; DROP ROLE %1$s".formatted(reader));
    }
}
