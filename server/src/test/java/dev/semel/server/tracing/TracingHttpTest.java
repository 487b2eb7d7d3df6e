// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.tracing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpServer;
import dev.semel.server.InProcessServer;
import dev.semel.server.InProcessServer.Reply;
import dev.semel.server.tracing.SpanCollector.Received;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The server continues a client's trace, exports its spans over OTLP, and passes the trace on. */
class TracingHttpTest {
    private static final String ROUTES = """
            api: {routes: [{path: "/orders/**", target: "%1$s"}]}
            webhooks: {custom: {type: custom, sink: {forward: "%1$s/hooks"}}}
            """;

    @TempDir
    static Path folder;

    private static final BlockingQueue<Headers> received = new LinkedBlockingQueue<>();
    private static SpanCollector collector;
    private static HttpServer target;
    private static InProcessServer server;

    @BeforeAll
    static void start() throws IOException {
        target = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        target.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            received.add(exchange.getRequestHeaders());
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        target.start();
        collector = new SpanCollector();
        server = in("traced", "tracing: {endpoint: \"%s\", service_name: shop}\n".formatted(collector.url()));
    }

    private static InProcessServer in(String name, String tracing) throws IOException {
        String yaml = tracing
                + ROUTES.formatted("http://127.0.0.1:" + target.getAddress().getPort());
        return InProcessServer.in(Files.createDirectory(folder.resolve(name)), yaml, Map.of());
    }

    @AfterAll
    static void stop() {
        server.close();
        collector.close();
        target.stop(0);
    }

    @Test
    void aClaimAndItsSettlementContinueTheClientsTrace() {
        String trace = newTrace();
        Reply claimed = server.post(
                "/v1/claims", "{\"scope\":\"charge\",\"key\":\"order-4711\"}", "traceparent", parent(trace));
        String token = claimed.text("token");
        Reply settled = server.post(
                "/v1/claims/" + claimed.text("claim_id") + "/succeed",
                "{\"token\":\"" + token + "\",\"result\":null}",
                "traceparent",
                parent(trace));
        assertThat(settled.status()).as(settled.body()).isEqualTo(200);

        assertThat(ended(trace, 4))
                .containsExactlyInAnyOrder(
                        "client > POST /v1/claims",
                        "POST /v1/claims > semel.claim granted",
                        "client > POST /v1/claims/{claim_id}/succeed",
                        "POST /v1/claims/{claim_id}/succeed > semel.settle succeeded");
        assertThat(collector.trace(trace))
                .filteredOn(span -> span.name().startsWith("semel."))
                .allSatisfy(span -> {
                    assertThat(span.attribute("semel.scope")).isEqualTo("charge");
                    assertThat(span.attribute("semel.store")).isEqualTo("sqlite");
                });
        assertThat(collector.trace(trace).toString()).doesNotContain("4711", token);
        assertThat(collector.services()).containsOnly("shop");
    }

    @Test
    void theServiceBehindTheProxyIsPartOfTheTrace() throws Exception {
        String trace = newTrace();
        String[] headers = {
            "traceparent", parent(trace), "tracestate", "vendor=1", "Idempotency-Key", "\"proxied-4711\""
        };
        assertThat(server.post("/orders/17", "{}", headers).status()).isEqualTo(200);
        Headers first = received.take();
        assertThat(server.post("/orders/17", "{}", headers).status()).isEqualTo(200);

        assertThat(ended(trace, 9))
                .containsExactlyInAnyOrder(
                        "client > POST /orders/**",
                        "POST /orders/** > semel.execute succeeded",
                        "semel.execute > semel.claim granted",
                        "semel.execute > semel.run succeeded",
                        "semel.run > semel.proxy",
                        "semel.execute > semel.settle succeeded",
                        "client > POST /orders/**",
                        "POST /orders/** > semel.execute replayed",
                        "semel.execute > semel.claim replayed");
        assertThat(first.get("traceparent")).containsExactly(parentOf(trace, "semel.proxy"));
        assertThat(first.get("tracestate")).containsExactly("vendor=1");
        assertThat(collector.trace(trace).toString()).doesNotContain("4711");
    }

    @Test
    void anUnprotectedRequestIsTracedToo() throws Exception {
        String trace = newTrace();
        assertThat(server.get("/orders/18", "traceparent", parent(trace)).status())
                .isEqualTo(200);

        assertThat(ended(trace, 2))
                .containsExactlyInAnyOrder("client > GET /orders/**", "GET /orders/** > semel.proxy");
        assertThat(received.take().get("traceparent")).containsExactly(parentOf(trace, "semel.proxy"));
    }

    @Test
    void theReceiverOfAForwardedWebhookIsPartOfTheTrace() throws Exception {
        String trace = newTrace();
        assertThat(server.post("/webhooks/custom", "{\"id\":\"e-4711\"}", "traceparent", parent(trace))
                        .status())
                .isEqualTo(200);

        assertThat(ended(trace, 4))
                .containsExactlyInAnyOrder(
                        "client > POST /webhooks/{provider}",
                        "POST /webhooks/{provider} > semel.claim granted",
                        "POST /webhooks/{provider} > semel.forward succeeded",
                        "POST /webhooks/{provider} > semel.settle succeeded");
        assertThat(received.take().get("traceparent")).containsExactly(parentOf(trace, "semel.forward"));
    }

    @Test
    void malformedTraceparentsAreIgnoredAndProbesNotTraced() {
        String trace = newTrace();
        List<String> malformed = List.of(
                "00-00000000000000000000000000000000-b7ad6b7169203331-01",
                "00-%s-0000000000000000-01".formatted(trace),
                "ff-%s-b7ad6b7169203331-01".formatted(trace),
                "00-%s-b7ad6b7169203331-0".formatted(trace),
                "00-%s-b7ad6b7169203331-01-and-more".formatted(trace),
                "00-" + trace + "-" + "b".repeat(4_000),
                "nonsense");
        server.get("/health/ready", "traceparent", parent(trace));
        server.get("/metrics", "traceparent", parent(trace));
        for (String parent : malformed) {
            assertThat(server.get("/openapi.yaml", "traceparent", parent).status())
                    .isEqualTo(200);
        }
        assertThat(server.get("/openapi.yaml", "traceparent", parent(trace), "traceparent", parent(trace))
                        .status())
                .isEqualTo(200);
        assertThat(server.get("/docs", "traceparent", parent(trace)).status()).isEqualTo(200);

        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(collector.spans())
                        .filteredOn(span -> span.name().equals("GET /openapi.yaml"))
                        .hasSize(malformed.size() + 1)
                        .allSatisfy(span -> assertThat(span.parent()).isEmpty()));
        assertThat(ended(trace, 1)).containsExactly("client > GET /docs");
    }

    @Test
    void aHugeStateIsDroppedAndBaggageIsNotRead() throws Exception {
        String trace = newTrace();
        String[] headers = {
            "traceparent", parent(trace), "tracestate", "a=" + "x".repeat(2_000), "baggage", "k=" + "y".repeat(2_000)
        };
        assertThat(server.get("/orders/19", headers).status()).isEqualTo(200);

        assertThat(ended(trace, 2)).hasSize(2);
        Headers forwarded = received.take();
        assertThat(forwarded.get("traceparent")).containsExactly(parentOf(trace, "semel.proxy"));
        assertThat(forwarded.get("tracestate")).isNull();
        assertThat(forwarded.get("baggage")).containsExactly("k=" + "y".repeat(2_000));
        assertThat(collector.trace(trace).toString()).doesNotContain("yyyy");
    }

    @Test
    void withoutTheSettingNothingIsTracedAndTheClientsHeadersAreForwarded() throws Exception {
        String trace = newTrace();
        try (InProcessServer untraced = in("untraced", "")) {
            String[] headers = {"traceparent", parent(trace), "tracestate", "vendor=1", "Idempotency-Key", "\"off\""};
            assertThat(untraced.post("/orders/20", "{}", headers).status()).isEqualTo(200);
            Headers proxied = received.take();
            assertThat(untraced.post("/webhooks/custom", "{\"id\":\"e-1\"}", headers)
                            .status())
                    .isEqualTo(200);
            Headers forwarded = received.take();

            assertThat(List.of(proxied, forwarded)).allSatisfy(sent -> {
                assertThat(sent.get("traceparent")).containsExactly(parent(trace));
                assertThat(sent.get("tracestate")).containsExactly("vendor=1");
            });
        }
        assertThat(collector.trace(trace)).isEmpty();
    }

    @Test
    void aCollectorThatIsUnavailableCostsNothing() throws Exception {
        int closed;
        try (SpanCollector gone = new SpanCollector()) {
            closed = Integer.parseInt(gone.url().replaceAll(".*:", ""));
        }
        try (InProcessServer alone = in("alone", "tracing: {endpoint: \"http://127.0.0.1:%d\"}\n".formatted(closed))) {
            for (int call = 0; call < 50; call++) {
                assertThat(alone.post("/v1/claims", "{\"scope\":\"charge\",\"key\":\"k%d\"}".formatted(call))
                                .status())
                        .isEqualTo(201);
            }
        }
    }

    private static String newTrace() {
        byte[] id = new byte[16];
        ThreadLocalRandom.current().nextBytes(id);
        return HexFormat.of().formatHex(id);
    }

    private static String parent(String trace) {
        return "00-" + trace + "-b7ad6b7169203331-01";
    }

    /** The header that this span of the trace passes on. */
    private static String parentOf(String trace, String name) {
        return collector.trace(trace).stream()
                .filter(span -> span.name().equals(name))
                .map(span -> "00-%s-%s-01".formatted(trace, span.id()))
                .findFirst()
                .orElseThrow();
    }

    /** Waits for at least so many spans of a trace, and returns them as "parent > name outcome". */
    private static List<String> ended(String trace, int atLeast) {
        await().atMost(Duration.ofSeconds(20))
                .until(() -> collector.trace(trace).size() >= atLeast);
        List<Received> all = collector.trace(trace);
        return all.stream()
                .map(span -> {
                    String parent = all.stream()
                            .filter(other -> other.id().equals(span.parent()))
                            .map(Received::name)
                            .findFirst()
                            .orElse(span.parent().equals("b7ad6b7169203331") ? "client" : "none");
                    return (parent + " > " + span.name() + " " + span.attribute("semel.outcome")).strip();
                })
                .toList();
    }
}
