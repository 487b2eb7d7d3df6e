// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.payload.json.JsonArray;
import dev.semel.payload.json.JsonNumber;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import dev.semel.server.InProcessServer;
import dev.semel.server.InProcessServer.Reply;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each alert fires and clears with real traffic. Every test uses its own tenant. */
class AlertsHttpTest {
    @TempDir
    static Path folder;

    private static InProcessServer server;

    private final String tenant = "tenant-" + UUID.randomUUID();
    private int number;

    @BeforeAll
    static void start() {
        server = InProcessServer.in(folder, "alerts: {window_seconds: 3600, minimum_events: 10}", Map.of());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private Reply post(String path, String body) {
        return server.post(path, body, "X-Organization-Id", tenant);
    }

    private Reply claim(String key, int leaseSeconds) {
        return post(
                "/v1/claims", "{\"scope\":\"pay\",\"key\":\"%s\",\"lease_seconds\":%d}".formatted(key, leaseSeconds));
    }

    private String settled(String verb, String more) {
        String key = "key-" + number++;
        Reply granted = claim(key, 60);
        assertThat(granted.status()).as(granted.body()).isEqualTo(201);
        Reply reply = post(
                "/v1/claims/" + granted.text("claim_id") + "/" + verb,
                "{\"token\":\"%s\"%s}".formatted(granted.text("token"), more));
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
        return key;
    }

    private String succeeded() {
        return settled("succeed", ",\"result\":1");
    }

    private void replayed(String key) {
        assertThat(claim(key, 60).status()).isEqualTo(200);
    }

    private List<String> firing() {
        Reply answer = server.get("/v1/alerts", "X-Organization-Id", tenant);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return ((JsonArray) answer.member("alerts"))
                .elements().stream()
                        .map(alert -> ((JsonString)
                                        ((JsonObject) alert).member("alert").orElseThrow())
                                .value())
                        .toList();
    }

    @Test
    void fewHitsFireAndClear() {
        for (int i = 0; i < 9; i++) {
            succeeded();
        }
        assertThat(firing()).as("too little traffic").isEmpty();
        String key = succeeded();
        assertThat(firing()).containsExactly("hit_rate");
        for (int i = 0; i < 5; i++) {
            replayed(key);
        }
        assertThat(firing()).as("5 of 15 were hits").isEmpty();
        assertThat(server.get("/v1/alerts", "X-Organization-Id", "other-" + tenant)
                        .body())
                .doesNotContain("hit_rate");
    }

    @Test
    void failuresFireAndClear() {
        String key = succeeded();
        for (int i = 0; i < 8; i++) {
            succeeded();
            replayed(key);
        }
        settled("fail", ",\"retryable\":false");
        assertThat(firing()).as("1 of 10 failed").isEmpty();
        settled("fail", ",\"retryable\":true");
        assertThat(firing()).containsExactly("failure_rate");
        for (int i = 0; i < 9; i++) {
            succeeded();
            replayed(key);
        }
        assertThat(firing()).as("2 of 20 failed").isEmpty();
    }

    @Test
    void takeOversFireAndClear() {
        String key = succeeded();
        for (int i = 0; i < 10; i++) {
            succeeded();
            replayed(key);
        }
        assertThat(claim("abandoned", 1).status()).isEqualTo(201);
        assertThat(firing()).isEmpty();
        Awaitility.await("the lease ends")
                .atMost(Duration.ofSeconds(30))
                .until(() -> claim("abandoned", 60).status() == 201);
        assertThat(firing()).as("1 of 13 was taken over").containsExactly("take_over_rate");
        for (int i = 0; i < 8; i++) {
            succeeded();
            replayed(key);
        }
        assertThat(firing()).as("1 of 21 was taken over").isEmpty();
    }

    @Test
    void countsEqualWhatHappened() {
        String key = succeeded();
        for (int i = 0; i < 3; i++) {
            replayed(key);
        }
        settled("fail", ",\"retryable\":false");
        settled("park", ",\"reason\":\"lost\"");
        claim("running", 60);
        claim("running", 60);

        Reply stats = server.get("/v1/stats", "X-Organization-Id", tenant);
        JsonObject scope =
                (JsonObject) ((JsonArray) stats.member("scopes")).elements().get(0);
        JsonObject events = (JsonObject) scope.member("events").orElseThrow();

        assertThat(events.members().keySet())
                .containsExactlyInAnyOrder("granted", "replayed", "in_progress", "succeeded", "failed", "parked");
        assertThat(count(events, "granted")).isEqualTo(4);
        assertThat(count(events, "replayed")).isEqualTo(3);
        assertThat(count(events, "in_progress")).isEqualTo(1);
        assertThat(count(events, "succeeded")).isEqualTo(1);
        assertThat(count(events, "failed")).isEqualTo(1);
        assertThat(count(events, "parked")).isEqualTo(1);
        assertThat(count(scope, "settled")).isEqualTo(3);
    }

    private static long count(JsonObject object, String name) {
        return ((JsonNumber) object.member(name).orElseThrow()).value().longValueExact();
    }
}
