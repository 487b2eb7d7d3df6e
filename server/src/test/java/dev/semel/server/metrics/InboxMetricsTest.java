// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.payload.json.JsonArray;
import dev.semel.payload.json.JsonNumber;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import dev.semel.server.InProcessServer;
import dev.semel.server.InProcessServer.Reply;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Webhooks of the inbox are counted as claims, in metrics, statistics and history. */
class InboxMetricsTest {
    @TempDir
    Path folder;

    private InProcessServer server;

    @BeforeEach
    void start() {
        server = InProcessServer.in(folder);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private void deliver(String id) {
        Reply reply = server.post("/webhooks/custom", "{\"id\":\"" + id + "\"}");
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    }

    @Test
    void claimsAndBatchesAreCountedExactly() {
        Scrape before = Scrape.of(server);
        deliver("a");
        deliver("a");
        deliver("b");
        deliver("a");
        Scrape after = Scrape.of(server);

        assertThat(after.since(before, name -> name.contains("_total{") && name.contains("webhook:custom")))
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "idempotency_miss_total{outcome=\"first\",scope=\"webhook:custom\"}", 2.0,
                        "idempotency_settled_total{outcome=\"succeeded\",scope=\"webhook:custom\"}", 2.0,
                        "idempotency_hit_total{outcome=\"succeeded\",scope=\"webhook:custom\"}", 2.0));
        assertThat(after.since(before, name -> name.startsWith("webhook_duplicate")))
                .containsExactlyInAnyOrderEntriesOf(
                        Map.of("webhook_duplicate_total{outcome=\"already_processed\",provider=\"custom\"}", 2.0));
        assertThat(after.since(
                        before,
                        name -> name.contains("kind=\"apply\"")
                                && (name.contains("_count") || name.startsWith("idempotency_store_batch_sum"))))
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "idempotency_store_call_seconds_count{kind=\"apply\",outcome=\"answered\"}", 4.0,
                        "idempotency_store_batch_count{kind=\"apply\"}", 4.0,
                        "idempotency_store_batch_sum{kind=\"apply\"}", 4.0,
                        "idempotency_lane_wait_seconds_count{kind=\"apply\"}", 4.0));
        assertThat(after.since(before, name -> name.startsWith("idempotency_ttl_seconds_count")))
                .containsExactlyInAnyOrderEntriesOf(
                        Map.of("idempotency_ttl_seconds_count{scope=\"webhook:custom\"}", 2.0));
    }

    @Test
    void statisticsHaveTheScopeAndTheKeyItsReplays() {
        deliver("a");
        deliver("a");
        deliver("a");

        JsonObject scope = objects(server.get("/v1/stats"), "scopes")
                .filter(stats -> stats.member("scope").orElseThrow().equals(new JsonString("webhook:custom")))
                .findFirst()
                .orElseThrow();
        assertThat(scope.member("hits")).contains(new JsonNumber("2"));
        String id = ((JsonString) objects(server.get("/v1/keys"), "keys")
                        .findFirst()
                        .orElseThrow()
                        .member("id")
                        .orElseThrow())
                .value();
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(
                        () -> assertThat(server.get("/v1/keys/" + id).json().member("replays"))
                                .contains(new JsonNumber("2")));
    }

    private static Stream<JsonObject> objects(Reply reply, String member) {
        return ((JsonArray) reply.member(member)).elements().stream().map(JsonObject.class::cast);
    }
}
