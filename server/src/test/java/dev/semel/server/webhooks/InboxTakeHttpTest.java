// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.webhooks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.payload.json.JsonArray;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import dev.semel.server.InProcessServer;
import dev.semel.server.InProcessServer.Reply;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several consumers of one inbox, on the real server with SQLite. Every test uses its own tenant. */
class InboxTakeHttpTest {
    private static final String TAKE = "/v1/inbox/take";

    @TempDir
    static Path folder;

    private static InProcessServer server;

    @BeforeAll
    static void start() {
        server = InProcessServer.in(folder);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static void deliver(String tenant, String id) {
        assertThat(server.post("/webhooks/%s/custom".formatted(tenant), "{\"id\":\"%s\"}".formatted(id))
                        .status())
                .isEqualTo(200);
    }

    private static Reply post(String tenant, String path, String body) {
        return server.post(path, body, "X-Organization-Id", tenant, "X-Actor-Id", "worker");
    }

    static List<String> ids(Reply take) {
        return ((JsonArray) take.member("events"))
                .elements().stream()
                        .map(event ->
                                ((JsonString) ((JsonObject) event).member("id").orElseThrow()).value())
                        .toList();
    }

    private static String token(Reply take) {
        return "{\"token\":\"%s\"}".formatted(take.text("token"));
    }

    @Test
    void twoConsumersShareTheEvents() {
        deliver("shared", "a");
        deliver("shared", "b");

        Reply first = post("shared", TAKE, "{\"max\":1,\"lease_seconds\":60}");
        Reply second = post("shared", TAKE, "{\"provider\":\"custom\"}");

        assertThat(first.status()).isEqualTo(200);
        assertThat(ids(first)).hasSize(1);
        assertThat(ids(second)).hasSize(1).doesNotContainAnyElementsOf(ids(first));
        assertThat(ids(post("shared", TAKE, "{}"))).isEmpty();
        String ack = "/v1/inbox/%s/ack".formatted(ids(first).get(0));
        assertThat(post("shared", ack, token(second)).problem()).isEqualTo("event-lost");
        assertThat(post("shared", ack, token(first)).text("status")).isEqualTo("acknowledged");
        assertThat(post("shared", ack, token(first)).text("status")).isEqualTo("already_acknowledged");
    }

    @Test
    void anEventIsGivenBackOrTakenAgainAfterItsLease() throws Exception {
        deliver("back", "a");
        Reply first = post("back", TAKE, "{}");
        String giveBack = "/v1/inbox/%s/give-back".formatted(ids(first).get(0));
        assertThat(post("back", giveBack, token(first)).text("status")).isEqualTo("given_back");
        assertThat(post("back", giveBack, token(first)).text("status")).isEqualTo("given_back");

        Reply second = post("back", TAKE, "{}");
        assertThat(ids(second)).isEqualTo(ids(first));
        assertThat(post("back", giveBack, token(first)).problem()).isEqualTo("event-lost");
        try (Connection connection = DriverManager.getConnection(
                        "jdbc:sqlite:" + folder.resolve("data/semel.db") + "?busy_timeout=10000");
                Statement statement = connection.createStatement()) {
            statement.execute("UPDATE webhook_inbox SET taken_until = 1 WHERE tenant = 'back'");
        }
        Reply third = post("back", TAKE, "{}");
        assertThat(ids(third)).isEqualTo(ids(first));
        assertThat(post("back", giveBack.replace("give-back", "ack"), token(second))
                        .problem())
                .isEqualTo("event-lost");
    }

    @Test
    void aTakeWaitsForAnEvent() throws Exception {
        CompletableFuture<HttpResponse<byte[]>> waiting = server.client()
                .sendAsync(
                        server.posting(TAKE, "{\"wait_ms\":30000}", "X-Organization-Id", "waits"),
                        HttpResponse.BodyHandlers.ofByteArray());
        deliver("waits", "a");

        Reply taken = new Reply(waiting.get(30, TimeUnit.SECONDS));

        assertThat(ids(taken)).hasSize(1);
        assertThat(ids(post("waits", TAKE, "{\"wait_ms\":10}"))).isEmpty();
    }

    @Test
    void aStoppingServerAnswersThoseWhoWait(@TempDir Path other) throws Exception {
        InProcessServer stopping = InProcessServer.in(other);
        CompletableFuture<HttpResponse<byte[]>> waiting = stopping.client()
                .sendAsync(stopping.posting(TAKE, "{\"wait_ms\":30000}"), HttpResponse.BodyHandlers.ofByteArray());
        // The second request of this client is answered after the first was read.
        assertThat(stopping.get("/health").status()).isEqualTo(200);
        stopping.close();

        // A request that arrived when the server had stopped reading is refused, not left without an answer.
        assertThat(waiting.handle((answer, failure) ->
                                failure != null || answer.statusCode() == 200 || answer.statusCode() == 503)
                        .get(30, TimeUnit.SECONDS))
                .isTrue();
    }

    @Test
    void wrongRequestsAreRefused() {
        assertThat(post("wrong", TAKE, "{\"max\":0}").text("field")).isEqualTo("/max");
        assertThat(post("wrong", TAKE, "{\"max\":101}").text("field")).isEqualTo("/max");
        assertThat(post("wrong", TAKE, "{\"lease_seconds\":0}").text("field")).isEqualTo("/lease_seconds");
        assertThat(post("wrong", TAKE, "{\"wait_ms\":30001}").text("field")).isEqualTo("/wait_ms");
        assertThat(post("wrong", TAKE, "{\"x\":1}").text("field")).isEqualTo("/x");
        String absent = "/v1/inbox/%s/give-back".formatted(UUID.randomUUID());
        assertThat(post("wrong", absent, "{}").text("field")).isEqualTo("/token");
        assertThat(post("wrong", absent, "{\"token\":\"x\"}").text("field")).isEqualTo("/token");
        assertThat(post("wrong", absent, "{\"token\":\"%s\"}".formatted(UUID.randomUUID()))
                        .problem())
                .isEqualTo("not-found");
    }
}
