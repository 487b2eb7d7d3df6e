// SPDX-License-Identifier: Apache-2.0
package dev.semel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.server.metrics.Scrape;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The command {@code cleanup} against a running server and against its database, with the same settings. */
class CleanupCommandTest {
    private static final long DAY = 86_400_000_000L;

    @TempDir
    static Path folder;

    private static InProcessServer server;

    private final String tenant = "tenant-" + UUID.randomUUID();

    @BeforeAll
    static void start() {
        server = InProcessServer.in(folder, """
                cleanup:
                  every_minutes: 10080
                  history_days: 2
                  decisions_days: 4
                  inbox_days: 6
                  calls_days: 8
                  ledger_keys_days: 10
                """, Map.of());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /** Of each kind of row one is a day too old, and one is a day younger than that. */
    @ParameterizedTest
    @EnumSource
    void everyRetentionOfTheSettingsIsUsed(CommandTarget target) throws SQLException {
        for (int i = 0; i < 2; i++) {
            int days = i == 0 ? 1 : -1;
            server.post("/webhooks/%s/custom".formatted(tenant), "{\"id\":\"e%d\"}".formatted(i));
            server.post("/api/call-event", "{\"site_id\":\"%s-%d\"}".formatted(tenant, i));
            server.post("/api/ledger/ingest", """
                    {"idempotency_key":"k%d","event":{"org_id":"%s","event_type":"paid"}}""".formatted(i, tenant));
            execute(
                    history("PARKED", 2 + days),
                    history("RELEASED", 4 + days),
                    "UPDATE webhook_inbox SET acked_at = received_at - %d WHERE tenant = '%s' AND acked_at IS NULL"
                            .formatted((6 + days) * DAY, tenant),
                    "UPDATE calls SET created_at = created_at - %d WHERE site_id = '%s-%d'"
                            .formatted((8 + days) * DAY, tenant, i),
                    """
                    UPDATE ledger_ingestion_idempotency SET created_at = created_at - %d
                    WHERE org_id = '%s' AND idempotency_key = 'k%d'""".formatted((10 + days) * DAY, tenant, i));
        }
        execute("UPDATE idempotency_keys SET completed_at = 1, due_at = 1 WHERE tenant = '%s'".formatted(tenant));
        String others = "{\"calls\":1,\"inbox_events\":1,\"ledger_keys\":1}";

        CommandRun dry = run(target, "--dry-run", "--json");
        assertThat(dry.out().strip()).as(dry.err()).isEqualTo("""
                {"status":"dry_run","due":{"claims":2,"others":%s}}""".formatted(others));
        assertThat(run(target, "--dry-run").out())
                .containsPattern("claims +2\n")
                .containsPattern("ledger_keys +1");

        CommandRun ended = run(target, "--json");
        assertThat(ended.out().strip()).as(ended.err()).isEqualTo("""
                {"status":"ended","report":{"claims":2,"released":0,"parked":0,"history":2,"others":%s,"rows":7,"complete":true}}""".formatted(others));
        assertThat(rows("semel_key_history WHERE tenant = '%s' AND kind = 'PARKED'".formatted(tenant)))
                .isEqualTo(1);
        assertThat(rows("semel_key_history WHERE tenant = '%s' AND kind = 'RELEASED'".formatted(tenant)))
                .isEqualTo(1);
        assertThat(run(target).out()).containsPattern("status +ended").containsPattern("rows +0\n");
    }

    @Test
    void theRunOfAnotherInstanceIsFollowedToItsEnd() throws Exception {
        otherInstanceRuns(3_600);
        Scrape before = Scrape.of(server);
        CompletableFuture<CommandRun> command =
                CompletableFuture.supplyAsync(() -> run(CommandTarget.SERVER, "--json"));
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .until(() -> Scrape.of(server)
                        .since(
                                before,
                                name -> name.startsWith("http_server_requests_seconds_count")
                                        && name.contains("GET")
                                        && name.contains("/v1/cleanup"))
                        .values()
                        .stream()
                        .anyMatch(polls -> polls >= 2));
        assertThat(command).isNotDone();

        execute("""
                UPDATE semel_jobs SET ended_at = started_at, held_until = started_at, report = '{"claims":17,"rows":17}'
                WHERE name = 'cleanup'""");

        CommandRun ended = command.get(30, TimeUnit.SECONDS);
        assertThat(ended.exit()).as(ended.err()).isZero();
        assertThat(ended.out().strip()).isEqualTo("""
                {"status":"ended","report":{"claims":17,"rows":17}}""");
    }

    @Test
    void theRunOfAnInstanceThatDisappearedIsStartedAgain() throws Exception {
        server.post("/webhooks/%s/custom".formatted(tenant), "{\"id\":\"e\"}");
        execute("UPDATE idempotency_keys SET completed_at = 1, due_at = 1 WHERE tenant = '%s'".formatted(tenant));
        otherInstanceRuns(2);

        CommandRun ended = run(CommandTarget.SERVER, "--json");

        assertThat(ended.text("status")).as(ended.err()).isEqualTo("ended");
        assertThat(ended.text("report")).contains("\"claims\":1,", "\"complete\":true");
    }

    @Test
    void aDatabaseThatAnotherProcessCleansUpIsNotChanged() throws Exception {
        otherInstanceRuns(3_600);

        CommandRun refused = run(CommandTarget.DATABASE);

        assertThat(refused.exit()).isEqualTo(1);
        assertThat(refused.err()).contains("Another process is cleaning up");
        execute("DELETE FROM semel_jobs");
    }

    private static void otherInstanceRuns(int seconds) throws SQLException {
        execute("""
                INSERT OR REPLACE INTO semel_jobs (name, holder, held_until, started_at)
                VALUES ('cleanup', 'other', (unixepoch() + %d) * 1000000, unixepoch() * 1000000)""".formatted(seconds));
    }

    private String history(String kind, int days) {
        return """
                INSERT INTO semel_key_history (key_hash, tenant, scope, kind, fence, attempt_count, created_at)
                VALUES (zeroblob(32), '%s', 's', '%s', 1, 1, unixepoch() * 1000000 - %d)""".formatted(tenant, kind, days * DAY);
    }

    private static CommandRun run(CommandTarget target, String... options) {
        return target.run(server, folder, List.of("cleanup"), options);
    }

    private static Connection connect() throws SQLException {
        return DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("data/semel.db") + "?busy_timeout=10000");
    }

    private static void execute(String... statements) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    private static long rows(String fromWhere) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT count(*) FROM " + fromWhere)) {
            return row.getLong(1);
        }
    }
}
