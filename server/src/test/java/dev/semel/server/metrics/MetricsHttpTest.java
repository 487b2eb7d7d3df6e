// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import dev.semel.server.InProcessServer;
import dev.semel.server.InProcessServer.Reply;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The counters of {@code GET /metrics} equal what the traffic did. */
class MetricsHttpTest {
    private static final String KEY = "order-4711-secret-key";

    @TempDir
    static Path folder;

    private static InProcessServer server;
    private static HttpServer target;

    @BeforeAll
    static void start() throws IOException {
        target = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        target.createContext("/", exchange -> {
            byte[] body = "{\"ok\":true}".getBytes(StandardCharsets.UTF_8);
            exchange.getRequestBody().readAllBytes();
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(201, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        target.start();
        server = InProcessServer.in(
                folder,
                "api: {routes: [{path: \"/orders/**\", target: \"http://127.0.0.1:%d\"}]}"
                        .formatted(target.getAddress().getPort()),
                Map.of());
    }

    @AfterAll
    static void stop() {
        server.close();
        target.stop(0);
    }

    @Test
    void claimsAreCountedExactly() {
        Scrape before = Scrape.of(server);
        succeed(claim("hit"));
        claim("hit");
        claim("hit");
        Reply open = claim("open");
        claim("open");
        settle(open, "fail", "'retryable':true");
        settle(claim("open"), "fail", "'retryable':false");
        claim("open");
        claim("other", ",'fingerprint':'a'");
        claim("other", ",'fingerprint':'b'");
        settle(claim("parked"), "park", "'reason':'the bank timed out'");
        claim("parked");
        int waited = takeOver();
        Map<String, Double> counted = Scrape.of(server).since(before, MetricsHttpTest::isClaim);

        Map<String, Double> expected = new TreeMap<>(Map.of(
                "idempotency_miss_total{outcome=\"first\",scope=\"charge\"}", 5.0,
                "idempotency_miss_total{outcome=\"retry\",scope=\"charge\"}", 1.0,
                "idempotency_miss_total{outcome=\"takeover\",scope=\"charge\"}", 1.0,
                "idempotency_hit_total{outcome=\"succeeded\",scope=\"charge\"}", 2.0,
                "idempotency_hit_total{outcome=\"failed\",scope=\"charge\"}", 1.0,
                "idempotency_in_progress_total{scope=\"charge\"}", 1.0 + waited,
                "idempotency_conflict_total{outcome=\"mismatch\",scope=\"charge\"}", 1.0,
                "idempotency_unknown_total{scope=\"charge\"}", 1.0,
                "idempotency_settled_total{outcome=\"succeeded\",scope=\"charge\"}", 1.0,
                "idempotency_settled_total{outcome=\"retryable\",scope=\"charge\"}", 1.0));
        expected.put("idempotency_settled_total{outcome=\"failed\",scope=\"charge\"}", 1.0);
        expected.put("idempotency_settled_total{outcome=\"unknown\",scope=\"charge\"}", 1.0);
        assertThat(counted).containsExactlyInAnyOrderEntriesOf(expected);
    }

    /** Claims with a short lease and repeats the claim until it is taken over. Returns how many repeats were too early. */
    private static int takeOver() {
        claim("stale", ",'lease_seconds':1");
        AtomicInteger early = new AtomicInteger();
        await().atMost(Duration.ofSeconds(20))
                .pollInterval(Duration.ofMillis(200))
                .until(() -> {
                    boolean granted = claim("stale").status() == 201;
                    early.addAndGet(granted ? 0 : 1);
                    return granted;
                });
        return early.get();
    }

    @Test
    void stepsPaymentsAndWebhooksAreCountedExactly() {
        Scrape before = Scrape.of(server);
        String step = "{'workflow_run_id':'run-%s','step_key':'send','input':{'a':1}}".formatted(KEY);
        Reply running = post("/v1/steps", step);
        post("/v1/steps", step);
        succeed(running);
        post("/v1/steps", step);
        String payment = "{'provider':'momo','provider_tx_id':'%s'}".formatted(KEY);
        succeed(post("/v1/payments/confirmations", payment));
        post("/v1/payments/confirmations", payment);
        post("/v1/payments/confirmations", payment);
        String event = "{'id':'%s'}".formatted(KEY);
        for (int delivery = 1; delivery <= 3; delivery++) {
            assertThat(post("/webhooks/custom", event).status()).isEqualTo(200);
        }
        Map<String, Double> counted = Scrape.of(server).since(before, MetricsHttpTest::isDuplicate);

        assertThat(counted)
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "step_duplicate_total{outcome=\"in_progress\"}", 1.0,
                        "step_duplicate_total{outcome=\"succeeded\"}", 1.0,
                        "payment_duplicate_total{outcome=\"succeeded\"}", 2.0,
                        "webhook_event_total{outcome=\"processed\",provider=\"custom\"}", 1.0,
                        "webhook_event_total{outcome=\"already_processed\",provider=\"custom\"}", 2.0,
                        "webhook_duplicate_total{outcome=\"already_processed\",provider=\"custom\"}", 2.0,
                        "webhook_unverified_total{provider=\"custom\"}", 3.0));
    }

    @Test
    void ledgerEntriesAreCountedExactly() {
        Scrape before = Scrape.of(server);
        assertThat(ingest("a", 1).status()).isEqualTo(201);
        assertThat(ingest("a", 1).status()).isEqualTo(200);
        assertThat(ingest("a", 2).header("Idempotency-Differs")).isEqualTo("/payload/amount");
        Reply batch = server.send(server.request("/api/ledger/ingest/batch")
                .header("Content-Type", "application/x-ndjson")
                .POST(HttpRequest.BodyPublishers.ofString(
                        json(entry("b", 1) + '\n' + entry("b", 1) + '\n' + entry("a", 3) + '\n')))
                .build());
        assertThat(batch.status()).as(batch.body()).isEqualTo(200);

        assertThat(Scrape.of(server).since(before, name -> name.startsWith("ledger_")))
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "ledger_event_total{outcome=\"written\"}", 2.0,
                        "ledger_event_total{outcome=\"existing\"}", 4.0,
                        "ledger_differs_total", 2.0));
    }

    private static Reply ingest(String key, int amount) {
        return post("/api/ledger/ingest", entry(key, amount));
    }

    private static String entry(String key, int amount) {
        return ("{'idempotency_key':'%s-%s','event':{'org_id':'default','event_type':'paid',"
                        + "'payload':{'amount':%d}}}")
                .formatted(KEY, key, amount);
    }

    @Test
    void rejectedLedgerEntriesAreCountedExactly(@TempDir Path other) {
        try (InProcessServer rejecting = InProcessServer.in(other, "ledger: {on_mismatch: reject}", Map.of())) {
            rejecting.post("/api/ledger/ingest", json(entry("a", 1)));
            assertThat(rejecting.post("/api/ledger/ingest", json(entry("a", 2))).status())
                    .isEqualTo(409);

            assertThat(Scrape.of(rejecting).since(new Scrape(Map.of()), name -> name.startsWith("ledger_")))
                    .containsExactlyInAnyOrderEntriesOf(Map.of(
                            "ledger_event_total{outcome=\"written\"}", 1.0,
                            "ledger_event_total{outcome=\"rejected\"}", 1.0,
                            "ledger_differs_total", 1.0));
        }
    }

    @Test
    void callEventsAreCountedExactly() {
        Scrape before = Scrape.of(server);
        Map<String, Double> answers = new TreeMap<>();
        for (int sent = 0; sent < 4; sent++) {
            Reply reply = server.post("/api/call-event", json("{'site_id':'shop'}"), "x-ops-signature", KEY);
            String outcome = reply.text("status").equals("noop") ? reply.text("reason") : reply.text("status");
            answers.merge("call_event_total{outcome=\"%s\"}".formatted(outcome), 1.0, Double::sum);
        }
        post("/api/call-event", "{'site_id':'shop'}");
        answers.merge("call_event_total{outcome=\"inserted\"}", 1.0, Double::sum);

        assertThat(answers).containsEntry("call_event_total{outcome=\"inserted\"}", 2.0);
        assertThat(Scrape.of(server).since(before, name -> name.startsWith("call_")))
                .containsExactlyInAnyOrderEntriesOf(answers);
    }

    @Test
    void proxiedRequestsAreCountedExactly() {
        Scrape before = Scrape.of(server);
        for (int call = 1; call <= 3; call++) {
            Reply reply = server.post("/orders/17", "{}", "Idempotency-Key", "\"proxied-" + KEY + "\"");
            assertThat(reply.status()).as(reply.body()).isEqualTo(201);
        }
        assertThat(server.get("/orders/17").status()).isEqualTo(201);
        Scrape after = Scrape.of(server);

        assertThat(after.since(before, name -> name.startsWith("proxy_upstream_seconds_count")))
                .containsExactlyInAnyOrderEntriesOf(
                        Map.of("proxy_upstream_seconds_count{route=\"/orders/**\",status=\"201\"}", 2.0));
        assertThat(after.since(before, name -> name.contains("_count{") && name.contains("route=\"/orders")))
                .containsEntry(
                        "http_server_requests_seconds_count{method=\"POST\",route=\"/orders/**\",status=\"201\"}", 3.0)
                .containsEntry(
                        "http_server_requests_seconds_count{method=\"GET\",route=\"/orders/**\",status=\"201\"}", 1.0);
        assertThat(after.since(
                        before, name -> name.startsWith("idempotency_hit") || name.startsWith("idempotency_miss")))
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "idempotency_miss_total{outcome=\"first\",scope=\"api:POST:/orders/**\"}", 1.0,
                        "idempotency_hit_total{outcome=\"succeeded\",scope=\"api:POST:/orders/**\"}", 2.0));
    }

    @Test
    void requestsAreCountedByTemplateAndNeverByPath() {
        Scrape before = Scrape.of(server);
        server.get("/v1/keys/" + "0".repeat(64));
        server.get("/no/such/" + KEY);
        server.send(server.request("/v1/stats")
                .method("BREW" + KEY.hashCode(), HttpRequest.BodyPublishers.noBody())
                .build());
        Scrape after = Scrape.of(server);

        assertThat(after.since(
                        before,
                        name -> name.startsWith("http_server_requests_seconds_count") && !name.contains("/metrics")))
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "http_server_requests_seconds_count{method=\"GET\",route=\"/v1/keys/{id}\",status=\"404\"}",
                                1.0,
                        "http_server_requests_seconds_count{method=\"GET\",route=\"none\",status=\"404\"}", 1.0,
                        "http_server_requests_seconds_count{method=\"OTHER\",route=\"none\",status=\"405\"}", 1.0));
    }

    /** Of each key, the store answers the claim, the settlement and the first duplicate. The cache answers the others. */
    @Test
    void theStoreAndItsCacheAreCountedExactly() {
        Scrape before = Scrape.of(server);
        succeed(claim("cached"));
        succeed(claim("cached too"));
        for (String key : new String[] {"cached", "cached too", "cached", "cached"}) {
            assertThat(claim(key).status()).isEqualTo(200);
        }
        Scrape after = Scrape.of(server);

        assertThat(after.since(before, name -> name.startsWith("idempotency_cache_total")))
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "idempotency_cache_total{result=\"hit\",tier=\"process\"}", 2.0,
                        "idempotency_cache_total{result=\"miss\",tier=\"process\"}", 4.0));
        assertThat(after.since(
                        before,
                        name -> name.startsWith("idempotency_store_batch_sum")
                                || name.startsWith("idempotency_store_call_seconds_count")
                                || name.startsWith("idempotency_lane_wait_seconds_count")))
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "idempotency_store_batch_sum{kind=\"apply\"}", 6.0,
                        "idempotency_store_call_seconds_count{kind=\"apply\",outcome=\"answered\"}", 6.0,
                        "idempotency_lane_wait_seconds_count{kind=\"apply\"}", 6.0));
    }

    @Test
    void gaugesAndTheJvmAreThere() {
        succeed(claim("gauges"));
        Scrape scrape = Scrape.of(server);

        assertThat(scrape.value("idempotency_ttl_seconds_sum{scope=\"charge\"}")
                        / scrape.value("idempotency_ttl_seconds_count{scope=\"charge\"}"))
                .isEqualTo(86_400);
        assertThat(scrape.series())
                .containsKeys(
                        "idempotency_claims_active",
                        "idempotency_claims_stale",
                        "idempotency_claims_parked",
                        "idempotency_cleanup_backlog",
                        "idempotency_cleanup_last_seconds",
                        "process_uptime_seconds",
                        "jvm_threads_live_threads");
        assertThat(scrape.series().keySet())
                .noneMatch(name -> name.contains(KEY))
                .noneMatch(name -> name.contains("tenant"));
    }

    @Test
    void openClaimsAreSampledFromTheStore(@TempDir Path other) {
        try (InProcessServer fresh = InProcessServer.in(other, "metrics: {tenant: true}", Map.of())) {
            for (String key : new String[] {"a", "b", "c"}) {
                fresh.post("/v1/claims", json("{'scope':'charge','key':'%s'}".formatted(key)));
            }
            Reply parked = fresh.post("/v1/claims", json("{'scope':'charge','key':'d'}"), "X-Organization-Id", "acme");
            fresh.post(
                    "/v1/claims/" + parked.text("claim_id") + "/park",
                    json("{'token':'%s','reason':'r'}".formatted(parked.text("token"))),
                    "X-Organization-Id",
                    "acme");
            Scrape scrape = Scrape.of(fresh);

            assertThat(scrape.value("idempotency_claims_active")).isEqualTo(3);
            assertThat(scrape.value("idempotency_claims_parked")).isEqualTo(1);
            assertThat(scrape.value("idempotency_claims_stale")).isZero();
            assertThat(scrape.value("idempotency_cleanup_backlog")).isZero();
            assertThat(scrape.value("idempotency_miss_total{outcome=\"first\",scope=\"charge\",tenant=\"acme\"}"))
                    .isEqualTo(1);
        }
    }

    @Test
    void aClaimOfAnotherProcessIsSettledInItsScope(@TempDir Path other) {
        Reply claimed;
        try (InProcessServer first = InProcessServer.in(other)) {
            claimed = first.post("/v1/claims", json("{'scope':'charge','key':'%s'}".formatted(KEY)));
        }
        try (InProcessServer second = InProcessServer.in(other)) {
            for (int sent = 0; sent < 2; sent++) {
                Reply settled = second.post(
                        "/v1/claims/%s/succeed".formatted(claimed.text("claim_id")),
                        json("{'token':'%s','result':1}".formatted(claimed.text("token"))));
                assertThat(settled.status()).as(settled.body()).isEqualTo(200);
            }
            assertThat(Scrape.of(second).series())
                    .containsEntry("idempotency_settled_total{outcome=\"succeeded\",scope=\"charge\"}", 1.0)
                    .doesNotContainKey("idempotency_settled_total{outcome=\"succeeded\",scope=\"unknown\"}");
        }
    }

    private static boolean isClaim(String name) {
        return name.startsWith("idempotency_") && name.contains("_total{") && name.contains("scope=\"charge\"");
    }

    private static boolean isDuplicate(String name) {
        return name.startsWith("step_") || name.startsWith("payment_") || name.startsWith("webhook_");
    }

    private static Reply claim(String key) {
        return claim(key, "");
    }

    private static Reply claim(String key, String more) {
        return post("/v1/claims", "{'scope':'charge','key':'%s-%s'%s}".formatted(KEY, key, more));
    }

    private static void succeed(Reply claim) {
        assertThat(claim.status()).as(claim.body()).isEqualTo(201);
        settle(claim, "succeed", "'result':{'receipt':1}");
    }

    private static void settle(Reply claim, String how, String rest) {
        Reply reply = post(
                "/v1/claims/%s/%s".formatted(claim.text("claim_id"), how),
                "{'token':'%s',%s}".formatted(claim.text("token"), rest));
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    }

    private static Reply post(String path, String body) {
        return server.post(path, json(body));
    }

    private static String json(String text) {
        return text.replace('\'', '"');
    }
}
