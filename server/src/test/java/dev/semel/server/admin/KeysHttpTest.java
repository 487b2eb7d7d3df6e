// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonArray;
import dev.semel.payload.json.JsonBoolean;
import dev.semel.payload.json.JsonNumber;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import dev.semel.server.InProcessServer;
import dev.semel.server.InProcessServer.Reply;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Keys and decisions over HTTP, on the real server with SQLite. Every test uses its own tenant. */
class KeysHttpTest {
    @TempDir
    static Path folder;

    private static InProcessServer server;

    private final String tenant = "tenant-" + UUID.randomUUID();

    @BeforeAll
    static void start() {
        server = InProcessServer.in(folder);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private Reply post(String path, String body) {
        return server.post(path, body, "X-Organization-Id", tenant, "X-Actor-Id", "ann");
    }

    private Reply get(String path) {
        return server.get(path, "X-Organization-Id", tenant);
    }

    private JsonObject claimed(String scope, String key) {
        Reply granted = post("/v1/claims", "{\"scope\":\"%s\",\"key\":\"%s\"}".formatted(scope, key));
        assertThat(granted.status()).as(granted.body()).isEqualTo(201);
        return granted.json();
    }

    /** The id of a claim that was parked. */
    private String parked(String scope, String key) {
        JsonObject claim = claimed(scope, key);
        String id = text(claim, "claim_id");
        Reply parked = post(
                "/v1/claims/" + id + "/park",
                "{\"token\":\"%s\",\"reason\":\"no answer\"}".formatted(text(claim, "token")));
        assertThat(parked.status()).as(parked.body()).isEqualTo(200);
        return id;
    }

    private Reply decide(String id, String verb, String fence, String more) {
        return post(
                "/v1/keys/" + id + "/" + verb,
                "{\"fence\":%s,\"reason\":\"seen at the bank\"%s}".formatted(fence, more));
    }

    private String fence(String id) {
        return ((JsonNumber) get("/v1/keys/" + id).member("fence")).text();
    }

    private static String text(JsonObject object, String name) {
        return ((JsonString) object.member(name).orElseThrow()).value();
    }

    private static List<JsonObject> list(Json array) {
        return ((JsonArray) array)
                .elements().stream().map(JsonObject.class::cast).toList();
    }

    private List<JsonObject> keys(String query) {
        Reply page = get("/v1/keys" + query);
        assertThat(page.status()).as(page.body()).isEqualTo(200);
        return list(page.member("keys"));
    }

    @Test
    void aParkedClaimIsFoundDecidedAndReplayed() {
        String id = parked("pay", "order-1");
        claimed("pay", "order-2");
        assertThat(keys("?status=unknown")).extracting(key -> text(key, "id")).containsExactly(id);

        Reply decided = decide(id, "succeed", fence(id), ",\"result\":{\"receipt\":7,\"password\":\"geheim\"}");

        assertThat(decided.status()).as(decided.body()).isEqualTo(200);
        assertThat(decided.text("status")).isEqualTo("succeeded");
        Reply replay = post("/v1/claims", "{\"scope\":\"pay\",\"key\":\"order-1\"}");
        assertThat(replay.status()).as(replay.body()).isEqualTo(200);
        assertThat(replay.body()).contains("\"receipt\":7").contains("geheim");
        Reply shown = get("/v1/keys/" + id);
        assertThat(shown.body())
                .contains("\"receipt\":7")
                .contains("[REDACTED]")
                .doesNotContain("geheim");
        List<JsonObject> history = list(shown.member("history"));
        assertThat(text(history.get(0), "kind")).isEqualTo("decided_succeeded");
        assertThat(text(history.get(0), "actor")).isEqualTo("ann");
        List<JsonObject> audit = list(get("/v1/audit").member("decisions"));
        assertThat(audit).hasSize(1);
        assertThat(text(audit.get(0), "key_id")).isEqualTo(id);
        assertThat(text(audit.get(0), "reason")).isEqualTo("seen at the bank");
        assertThat(keys("?status=unknown")).isEmpty();
    }

    @Test
    void aReleasedClaimIsGrantedAgain() {
        String id = parked("pay", "order-1");
        assertThat(decide(id, "release", fence(id), "").text("status")).isEqualTo("retryable");
        claimed("pay", "order-1");
    }

    @Test
    void aFailedClaimIsAnsweredAsFailed() {
        String id = parked("pay", "order-1");
        String fence = fence(id);
        assertThat(decide(id, "fail", fence, "").status()).isEqualTo(200);
        assertThat(decide(id, "fail", fence, "").status()).as("again").isEqualTo(200);

        Reply again = post("/v1/claims", "{\"scope\":\"pay\",\"key\":\"order-1\"}");

        assertThat(again.text("status")).isEqualTo("failed");
        assertThat(list(get("/v1/audit").member("decisions"))).hasSize(1);
    }

    @Test
    void aClaimThatMovedOnIsNotDecided() {
        String id = parked("pay", "order-1");
        String seen = fence(id);
        assertThat(decide(id, "release", seen, "").status()).isEqualTo(200);
        JsonObject again = claimed("pay", "order-1");
        post(
                "/v1/claims/" + id + "/park",
                "{\"token\":\"%s\",\"reason\":\"no answer\"}".formatted(text(again, "token")));

        Reply late = decide(id, "fail", seen, "");

        assertThat(late.status()).isEqualTo(409);
        assertThat(late.text("type")).isEqualTo("/docs/problems/key-moved-on");
        assertThat(get("/v1/keys/" + id).text("status")).isEqualTo("unknown");
    }

    @Test
    void aRunningClaimIsNotDecided() {
        String id = text(claimed("pay", "order-1"), "claim_id");
        Reply refused = decide(id, "release", fence(id), "");
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.text("type")).isEqualTo("/docs/problems/key-in-progress");
    }

    @Test
    void badDecisionsChangeNothing() {
        String id = parked("pay", "order-1");
        String fence = fence(id);
        for (String body : List.of(
                "{}",
                "[]",
                "{\"fence\":%s}".formatted(fence),
                "{\"reason\":\"r\"}",
                "{\"fence\":%s,\"reason\":\"\"}".formatted(fence),
                "{\"fence\":\"%s\",\"reason\":\"r\"}".formatted(fence),
                "{\"fence\":-1,\"reason\":\"r\"}",
                "{\"fence\":1e99,\"reason\":\"r\"}",
                "{\"fence\":%s,\"reason\":\"r\",\"other\":1}".formatted(fence),
                "{\"fence\":%s,\"reason\":\"%s\"}".formatted(fence, "r".repeat(256)))) {
            assertThat(post("/v1/keys/" + id + "/release", body).status())
                    .as(body)
                    .isEqualTo(400);
        }
        assertThat(post("/v1/keys/" + "0".repeat(64) + "/release", "{\"fence\":1,\"reason\":\"r\"}")
                        .status())
                .isEqualTo(404);
        assertThat(get("/v1/keys/nonsense").status()).isEqualTo(404);
        assertThat(get("/v1/keys/" + id).text("status")).isEqualTo("unknown");
        assertThat(list(get("/v1/audit").member("decisions"))).isEmpty();
    }

    @Test
    void aKeyIsLookedUpByItsText() {
        String id = text(claimed("pay", "order-1"), "claim_id");
        claimed("ship", "order-2");

        for (String body : List.of("{\"key\":\"order-1\"}", "{\"key\":\"order-1\",\"scope\":\"pay\"}")) {
            Reply found = post("/v1/keys/lookup", body);
            assertThat(list(found.member("keys")))
                    .extracting(key -> text(key, "id"))
                    .containsExactly(id);
            assertThat(found.member("complete")).isEqualTo(new JsonBoolean(true));
        }
        assertThat(list(post("/v1/keys/lookup", "{\"key\":\"order-1\",\"scope\":\"ship\"}")
                        .member("keys")))
                .isEmpty();
        assertThat(keys("?prefix=" + id.substring(0, 16)))
                .extracting(key -> text(key, "id"))
                .containsExactly(id);
    }

    @Test
    void listsAreFilteredAndPaged() {
        for (int i = 0; i < 5; i++) {
            claimed(i % 2 == 0 ? "even" : "odd", "key-" + i);
        }
        Reply first = get("/v1/keys?limit=2");
        List<JsonObject> second = keys("?limit=10&after=" + first.text("next"));

        assertThat(list(first.member("keys"))).hasSize(2);
        assertThat(first.member("more")).isEqualTo(new JsonBoolean(true));
        assertThat(second).hasSize(3).doesNotContainAnyElementsOf(list(first.member("keys")));
        assertThat(keys("?scope=odd")).hasSize(2);
        assertThat(keys("?scope=odd&status=failed,unknown")).isEmpty();
        assertThat(keys("?min_age_seconds=3600")).isEmpty();
        assertThat(keys("?before=2020-01-01T00:00:00Z")).isEmpty();
        assertThat(keys("?from=2020-01-01T00:00:00Z")).hasSize(5);
        for (String wrong : List.of(
                "?status=lost",
                "?limit=0",
                "?limit=1001",
                "?after=x",
                "?before=yesterday",
                "?prefix=xyz",
                "?states=1")) {
            assertThat(get("/v1/keys" + wrong).status()).as(wrong).isEqualTo(400);
        }
    }

    @Test
    void replaysConflictsAndParksAreInTheHistory() {
        String id = parked("pay", "parked");
        String request = "{\"scope\":\"pay\",\"key\":\"done\",\"fingerprint\":\"%s\"}";
        JsonObject done = post("/v1/claims", request.formatted("one")).json();
        post(
                "/v1/claims/" + text(done, "claim_id") + "/succeed",
                "{\"token\":\"%s\",\"result\":1}".formatted(text(done, "token")));
        for (int i = 0; i < 3; i++) {
            post("/v1/claims", request.formatted("one"));
        }
        post("/v1/claims", request.formatted("another"));

        Awaitility.await("the history is written with a delay")
                .atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> {
                    Reply shown = get("/v1/keys/" + text(done, "claim_id"));
                    assertThat(((JsonNumber) shown.member("replays")).text()).isEqualTo("3");
                    assertThat(list(shown.member("history")))
                            .extracting(entry -> text(entry, "kind"))
                            .containsExactly("conflict");
                    assertThat(list(get("/v1/keys/" + id).member("history")))
                            .extracting(entry -> text(entry, "kind"))
                            .containsExactly("parked");
                });
    }
}
