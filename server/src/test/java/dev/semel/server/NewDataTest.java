// SPDX-License-Identifier: Apache-2.0
package dev.semel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.server.InProcessServer.Reply;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The limit on the bytes that a tenant may store. */
class NewDataTest {
    /**
     * The limit has room for four of these, of which new requests may use three. At one byte per second it does not
     * refill during a test.
     */
    private static final int SIZE = 20_000;

    private static final String YAML = """
            limits: {new_bytes_per_second: 1, new_bytes_at_once: %d}
            calls: {sites: {open: {signing: off}}}
            """.formatted(4 * SIZE + 4_000);

    private static final String TEXT = "x".repeat(SIZE);

    @TempDir
    Path folder;

    @Test
    void resultsAreBoundedAndWhatIsSettledIsConfirmed() {
        List<Reply> claims = new ArrayList<>();
        try (InProcessServer server = InProcessServer.in(folder, YAML, Map.of())) {
            for (int i = 0; i < 5; i++) {
                claims.add(claim(server, "key-" + i, "acme"));
            }
            for (int i = 0; i < 4; i++) {
                assertThat(succeed(server, claims.get(i), "acme").status()).isEqualTo(200);
                assertThat(succeed(server, claims.get(i), "acme").status())
                        .as("the same again costs nothing")
                        .isEqualTo(200);
            }
            refused(succeed(server, claims.get(4), "acme"));
            refused(succeed(server, claims.get(4), "acme"));
            assertThat(fail(server, claims.get(4), "acme").status())
                    .as("without a result")
                    .isEqualTo(200);
            assertThat(claim(server, "key-0", "acme").text("result"))
                    .as("a replay")
                    .isEqualTo(TEXT);
            assertThat(claim(server, "another", "acme").status()).isEqualTo(201);
            assertThat(succeed(server, claim(server, "key", "other"), "other").status())
                    .as("another tenant")
                    .isEqualTo(200);
        }
    }

    /** A settlement by another process is confirmed beyond the limit. A lost claim stays lost. */
    @Test
    void beyondTheLimitSettledClaimsAreReadFromTheStore() {
        List<Reply> claims = new ArrayList<>();
        try (InProcessServer server = InProcessServer.in(folder, YAML, Map.of())) {
            for (int i = 0; i < 6; i++) {
                claims.add(claim(server, "key-" + i, "acme"));
            }
            assertThat(succeed(server, claims.get(0), "acme").status()).isEqualTo(200);
            assertThat(fail(server, claims.get(1), "acme").status()).isEqualTo(200);
        }
        try (InProcessServer server = InProcessServer.in(folder, YAML, Map.of())) {
            for (int i = 2; i < 6; i++) {
                assertThat(succeed(server, claims.get(i), "acme").status()).isEqualTo(200);
            }
            assertThat(succeed(server, claims.get(0), "acme").status()).isEqualTo(200);
            assertThat(succeed(server, claims.get(1), "acme").problem()).isEqualTo("ownership-lost");
            refused(succeed(server, claim(server, "fresh", "acme"), "acme"));
        }
    }

    /** A settlement that the store refuses gives its room back. */
    @Test
    void aLostSettlementCostsNothing() {
        try (InProcessServer server = InProcessServer.in(folder, YAML, Map.of())) {
            Reply failed = claim(server, "failed", "acme");
            fail(server, failed, "acme");
            for (int i = 0; i < 20; i++) {
                assertThat(succeed(server, failed, "acme").problem()).isEqualTo("ownership-lost");
            }
            assertThat(succeed(server, claim(server, "fresh", "acme"), "acme").status())
                    .isEqualTo(200);
        }
    }

    @Test
    void callEventsAreBoundedAndKnownOnesAreAnswered() {
        try (InProcessServer server = InProcessServer.in(folder, YAML, Map.of())) {
            String signature = "ab".repeat(32);
            Reply first = call(server, "x-ops-signature", signature);
            assertThat(first.status()).isEqualTo(201);
            for (int i = 0; i < 10; i++) {
                assertThat(call(server, "x-ops-signature", signature).status())
                        .as("a duplicate costs nothing")
                        .isEqualTo(200);
            }
            assertThat(call(server).status()).isEqualTo(201);
            assertThat(call(server).status()).isEqualTo(201);

            refused(call(server));
            refused(call(server, "x-ops-signature", "cd".repeat(32)));
            Reply known = call(server, "x-ops-signature", signature);
            assertThat(known.status()).isEqualTo(200);
            assertThat(known.text("call_id")).isEqualTo(first.text("call_id"));
            assertThat(server.get("/api/calls?site_id=open").body().split("\"call_id\"", -1))
                    .as("nothing was stored")
                    .hasSize(4);
            assertThat(succeed(server, claim(server, "key", "open"), "open").status())
                    .as("the part that is reserved for results")
                    .isEqualTo(200);
        }
    }

    @Test
    void aTimeToLiveIsBounded() {
        try (InProcessServer server = InProcessServer.in(folder, "limits: {ttl_hours: 48}", Map.of())) {
            for (String path :
                    List.of("/v1/claims", "/v1/steps", "/v1/payments/confirmations", "/v1/payments/requests")) {
                assertThat(server.post(path, withTtl(path, 172_800)).status())
                        .as(path)
                        .isEqualTo(201);
                Reply refused = server.post(path, withTtl(path, 172_801));
                assertThat(refused.status()).as(path).isEqualTo(400);
                assertThat(refused.text("field")).isEqualTo("/ttl_seconds");
                assertThat(refused.text("detail")).contains("172800", "limits.ttl_hours");
            }
            Reply batch = server.post(
                    "/v1/claims/batch", "{\"claims\":[{\"scope\":\"s\",\"key\":\"k\",\"ttl_seconds\":172801}]}");
            assertThat(batch.text("field")).isEqualTo("/claims/0/ttl_seconds");
        }
    }

    private static String withTtl(String path, int seconds) {
        String rest = switch (path) {
            case "/v1/claims" -> "\"scope\":\"s\",\"key\":\"ttl\"";
            case "/v1/steps" -> "\"workflow_run_id\":\"r\",\"step_key\":\"s\",\"input\":1";
            case "/v1/payments/confirmations" -> "\"provider\":\"momo\",\"provider_tx_id\":\"t\"";
            default -> "\"provider\":\"momo\",\"order_id\":\"o\",\"amount\":\"10\",\"phone\":\"+16502530000\"";
        };
        return "{%s,\"ttl_seconds\":%d}".formatted(rest, seconds);
    }

    private static void refused(Reply reply) {
        assertThat(reply.status()).as(reply.body()).isEqualTo(429);
        assertThat(reply.problem()).isEqualTo("too-much-new-data");
        assertThat(Integer.parseInt(reply.header("Retry-After"))).isPositive();
    }

    private static Reply claim(InProcessServer server, String key, String tenant) {
        return server.post(
                "/v1/claims", "{\"scope\":\"s\",\"key\":\"%s\"}".formatted(key), "X-Organization-Id", tenant);
    }

    private static Reply succeed(InProcessServer server, Reply claim, String tenant) {
        return server.post(
                "/v1/claims/%s/succeed".formatted(claim.text("claim_id")),
                "{\"token\":\"%s\",\"result\":\"%s\"}".formatted(claim.text("token"), TEXT),
                "X-Organization-Id",
                tenant);
    }

    private static Reply fail(InProcessServer server, Reply claim, String tenant) {
        return server.post(
                "/v1/claims/%s/fail".formatted(claim.text("claim_id")),
                "{\"token\":\"%s\",\"retryable\":true}".formatted(claim.text("token")),
                "X-Organization-Id",
                tenant);
    }

    private static Reply call(InProcessServer server, String... headers) {
        return server.post("/api/call-event", "{\"site_id\":\"open\",\"text\":\"%s\"}".formatted(TEXT), headers);
    }

    @Test
    void ledgerEventsAreBoundedOneByOneAndInBatches() {
        try (InProcessServer server = InProcessServer.in(folder, YAML, Map.of())) {
            for (int i = 0; i < 3; i++) {
                assertThat(server.post("/api/ledger/ingest", entry("key-" + i)).status())
                        .isEqualTo(201);
                assertThat(server.post("/api/ledger/ingest", entry("key-" + i)).status())
                        .as("the same again costs nothing")
                        .isEqualTo(200);
            }
            refused(server.post("/api/ledger/ingest", entry("key-3")));
            assertThat(server.post("/api/ledger/ingest", entry("key-0")).status())
                    .as("a known key")
                    .isEqualTo(200);
            String lines = server.post("/api/ledger/ingest/batch", entry("key-1") + "\n" + entry("key-4"))
                    .body();
            assertThat(lines.lines().toList().get(0)).contains("\"status\":200");
            assertThat(lines.lines().toList().get(1)).contains("\"status\":429", "too-much-new-data");
        }
    }

    @Test
    void webhooksAreBoundedAndThoseThatAreRefusedCostNothing() {
        try (InProcessServer server =
                InProcessServer.in(folder, YAML + "webhooks: {stripe: {secrets: [a-secret]}}\n", Map.of())) {
            for (int i = 0; i < 20; i++) {
                assertThat(server.post("/webhooks/acme/stripe", webhook(i)).status())
                        .as("not signed")
                        .isEqualTo(401);
            }
            for (int i = 0; i < 3; i++) {
                assertThat(server.post("/webhooks/acme/custom", webhook(i)).status())
                        .isEqualTo(200);
                assertThat(server.post("/webhooks/acme/custom", webhook(0)).status())
                        .as("a duplicate costs nothing, but needs room while it is looked up")
                        .isEqualTo(i < 2 ? 200 : 429);
            }
            refused(server.post("/webhooks/acme/custom", webhook(3)));
            assertThat(server.post("/webhooks/other/custom", webhook(3)).status())
                    .isEqualTo(200);
        }
    }

    private static String entry(String key) {
        return "{\"idempotency_key\":\"%s\",\"event\":{\"org_id\":\"acme\",\"event_type\":\"t\",\"payload\":\"%s\"}}"
                .formatted(key, TEXT);
    }

    private static String webhook(int number) {
        return "{\"id\":\"evt-%d\",\"text\":\"%s\"}".formatted(number, TEXT);
    }
}
