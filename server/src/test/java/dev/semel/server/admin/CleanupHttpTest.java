// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonNumber;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import dev.semel.server.InProcessServer;
import dev.semel.server.InProcessServer.Reply;
import dev.semel.server.metrics.Scrape;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The cleanup over HTTP, on the real server with SQLite. */
class CleanupHttpTest {
    @TempDir
    static Path folder;

    private static InProcessServer server;

    @BeforeAll
    static void start() {
        server = InProcessServer.in(folder, """
                cleanup:
                  at: "03:00"
                  time_zone: Europe/Berlin
                  inbox_days: 1
                  calls_days: 1
                  ledger_keys_days: 1
                """, Map.of());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static long number(Json json, String name) {
        return ((JsonNumber) ((JsonObject) json).member(name).orElseThrow())
                .value()
                .longValueExact();
    }

    private static String text(Json json, String name) {
        return new String(((JsonObject) json).member(name).orElseThrow().utf8(), StandardCharsets.UTF_8);
    }

    private static void execute(String... statements) throws Exception {
        try (Connection connection = DriverManager.getConnection(
                        "jdbc:sqlite:" + folder.resolve("data/semel.db") + "?busy_timeout=10000");
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    @Test
    void whatHasExpiredIsCountedDeletedAndReported() throws Exception {
        server.post("/webhooks/custom", "{\"id\":\"e1\"}");
        server.post("/webhooks/custom", "{\"id\":\"e2\"}");
        server.post("/api/ledger/ingest", """
                {"idempotency_key":"k","event":{"org_id":"default","event_type":"paid"}}""");
        assertThat(server.post("/api/call-event", "{\"site_id\":\"s\"}").status())
                .isEqualTo(201);
        execute(
                "UPDATE webhook_inbox SET acked_at = received_at - 172800000000 WHERE position = 1",
                "UPDATE calls SET created_at = created_at - 172800000000",
                "UPDATE ledger_ingestion_idempotency SET created_at = created_at - 172800000000",
                "UPDATE idempotency_keys SET completed_at = 1, due_at = 1");

        assertThat(number(server.get("/v1/cleanup").json(), "backlog")).isEqualTo(2);
        Reply dry = server.post("/v1/cleanup", "{\"dry_run\":true}");
        Json due = dry.member("due");
        assertThat(number(due, "claims")).isEqualTo(2);
        assertThat(text(due, "others")).isEqualTo(others());

        Scrape before = Scrape.of(server);
        Reply ended = server.post("/v1/cleanup", "{}");
        assertThat(Scrape.of(server).since(before, name -> name.startsWith("idempotency_swept_total")))
                .containsExactly(Map.entry("idempotency_swept_total{outcome=\"deleted\"}", 2.0));
        assertThat(ended.text("status")).isEqualTo("ended");
        assertThat(number(ended.member("report"), "claims")).isEqualTo(2);
        assertThat(number(ended.member("report"), "rows")).isEqualTo(5);
        assertThat(text(ended.member("report"), "others")).isEqualTo(others());

        Reply state = server.get("/v1/cleanup");
        assertThat(number(state.json(), "backlog")).isZero();
        assertThat(((JsonObject) state.member("last_run")).member("report")).contains(ended.member("report"));
        assertThat(((JsonObject) state.member("schedule")).member("at")).contains(new JsonString("03:00"));
        assertThat(number(server.post("/v1/cleanup", "{}").member("report"), "rows"))
                .isZero();
    }

    private static String others() {
        return "{\"calls\":1,\"inbox_events\":1,\"ledger_keys\":1}";
    }

    @Test
    void wrongRequestsAreRefused() {
        assertThat(server.post("/v1/cleanup", "{\"dry_run\":1}").text("field")).isEqualTo("/dry_run");
        assertThat(server.post("/v1/cleanup", "{\"rows\":1}").text("field")).isEqualTo("/rows");
        assertThat(server.post("/v1/cleanup", "[]").status()).isEqualTo(400);
        assertThat(server.get("/v1/cleanup?x=1").status()).isEqualTo(400);
    }
}
