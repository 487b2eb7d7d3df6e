// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonArray;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import dev.semel.server.InProcessServer;
import dev.semel.server.InProcessServer.Reply;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** Every metric and label value that the files in {@code ops/} name appears in a real scrape. */
class OpsFilesTest {
    private static final Path OPS = Path.of("..", "ops");

    /** A metric, with its label conditions if there are any. */
    private static final Pattern SELECTOR = Pattern.compile(
            "\\b((?:idempotency|webhook|step|payment|http|proxy|jvm|process)_[a-z_]+)(?:\\{([^}]*)\\})?");

    private static final Pattern CONDITION = Pattern.compile("([a-z_]+)(=~?)\"([^\"]*)\"");

    @TempDir
    static Path folder;

    private static Scrape scrape;

    @BeforeAll
    static void traffic() throws IOException {
        HttpServer target = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        target.createContext("/", exchange -> {
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        target.createContext("/broken", exchange -> {
            exchange.sendResponseHeaders(500, -1);
            exchange.close();
        });
        target.start();
        String settings = """
                api: {routes: [{path: "/orders/**", target: "http://127.0.0.1:@port"}]}
                webhooks:
                  stripe: {secrets: [whsec_0123456789abcdef0123456789abcdef]}
                  broken: {type: custom, sink: {forward: "http://127.0.0.1:@port/broken"}}
                """.replace("@port", "" + target.getAddress().getPort());
        try (InProcessServer server = InProcessServer.in(folder, settings, Map.of())) {
            server.get("/orders/1");
            settled(server, "/v1/claims", "{\"scope\":\"s\",\"key\":\"done\"}", "succeed", "\"result\":1");
            settled(server, "/v1/claims", "{\"scope\":\"s\",\"key\":\"failed\"}", "fail", "\"retryable\":false");
            settled(server, "/v1/claims", "{\"scope\":\"s\",\"key\":\"again\"}", "fail", "\"retryable\":true");
            settled(server, "/v1/claims", "{\"scope\":\"s\",\"key\":\"parked\"}", "park", "\"reason\":\"r\"");
            server.post("/v1/claims", "{\"scope\":\"s\",\"key\":\"parked\"}");
            server.post("/v1/claims", "{\"scope\":\"s\",\"key\":\"stale\",\"lease_seconds\":1,\"fingerprint\":\"a\"}");
            server.post("/v1/claims", "{\"scope\":\"s\",\"key\":\"stale\",\"fingerprint\":\"a\"}");
            server.post("/v1/claims", "{\"scope\":\"s\",\"key\":\"stale\",\"fingerprint\":\"b\"}");
            String step = "{\"workflow_run_id\":\"r\",\"step_key\":\"s\",\"input\":1}";
            settled(server, "/v1/steps", step, "succeed", "\"result\":1");
            String payment = "{\"provider\":\"momo\",\"provider_tx_id\":\"t\"}";
            settled(server, "/v1/payments/confirmations", payment, "succeed", "\"result\":1");
            for (int i = 0; i < 2; i++) {
                server.post("/webhooks/custom", "{\"id\":\"twice\"}");
            }
            assertThat(server.post("/webhooks/broken", "{\"id\":\"one\"}").status())
                    .isEqualTo(503);
            assertThat(server.post("/webhooks/stripe", "{\"id\":\"forged\"}").status())
                    .isEqualTo(401);
            await().atMost(Duration.ofSeconds(20))
                    .pollInterval(Duration.ofMillis(200))
                    .until(() -> server.post("/v1/claims", "{\"scope\":\"s\",\"key\":\"stale\",\"fingerprint\":\"a\"}")
                                    .status()
                            == 201);
            scrape = Scrape.of(server);
        } finally {
            target.stop(0);
        }
    }

    @AfterAll
    static void forget() {
        scrape = new Scrape(Map.of());
    }

    /** Claims, settles, and claims again. */
    private static void settled(InProcessServer server, String path, String body, String verb, String more) {
        Reply claim = server.post(path, body);
        Reply reply = server.post(
                "/v1/claims/" + claim.text("claim_id") + "/" + verb,
                "{\"token\":\"%s\",%s}".formatted(claim.text("token"), more));
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
        server.post(path, body);
    }

    @Test
    void rulesNameRealMetrics() throws IOException {
        Map<?, ?> rules = new Yaml(new SafeConstructor(new LoaderOptions()))
                .load(Files.readString(OPS.resolve("prometheus-rules.yml")));
        List<String> expressions = new ArrayList<>();
        for (Object group : (List<?>) rules.get("groups")) {
            for (Object rule : (List<?>) ((Map<?, ?>) group).get("rules")) {
                assertThat(((Map<?, ?>) rule).keySet()).asString().contains("alert", "expr", "labels", "annotations");
                expressions.add((String) ((Map<?, ?>) rule).get("expr"));
            }
        }

        assertThat(expressions).hasSizeGreaterThanOrEqualTo(6).allSatisfy(OpsFilesTest::check);
    }

    /** A cleanup that runs once a day lets claims wait for hours. */
    @Test
    void aDailyCleanupRaisesNoAlarm() throws IOException {
        assertThat(rule("SemelCleanupNotRunning"))
                .contains("time() - max(idempotency_cleanup_last_seconds) > 26 * 3600");
        assertThat(rule("SemelCleanupTooSlow")).contains("idempotency_cleanup_backlog[26h]");
    }

    /** As {@code GET /v1/alerts}: a scope with 90 misses and 20 hits has enough events. */
    @Test
    void theMinimumOfTheHitRateCountsHitsAndMisses() throws IOException {
        assertThat(rule("SemelFewHits").replaceAll("(?s).*> 0.70", ""))
                .contains("increase(idempotency_miss_total[15m])", "increase(idempotency_hit_total[15m])", ">= 100");
    }

    private static String rule(String name) throws IOException {
        String all = Files.readString(OPS.resolve("prometheus-rules.yml"));
        String from = all.substring(all.indexOf("alert: " + name + "\n"));
        return from.substring(0, from.indexOf("labels:"));
    }

    @Test
    void theDashboardNamesRealMetrics() throws IOException {
        JsonObject dashboard = (JsonObject) Json.parse(Files.readAllBytes(OPS.resolve("grafana-dashboard.json")));
        List<String> expressions = new ArrayList<>();
        for (Json panel : list(dashboard, "panels")) {
            for (Json target : list((JsonObject) panel, "targets")) {
                expressions.add(
                        ((JsonString) ((JsonObject) target).member("expr").orElseThrow()).value());
            }
        }

        assertThat(expressions).hasSizeGreaterThan(15).allSatisfy(OpsFilesTest::check);
    }

    private static List<Json> list(JsonObject object, String name) {
        return ((JsonArray) object.member(name).orElseThrow()).elements();
    }

    private static void check(String expression) {
        Matcher selectors = SELECTOR.matcher(expression);
        int found = 0;
        while (selectors.find()) {
            String metric = selectors.group(1);
            List<String> series = scrape.series().keySet().stream()
                    .filter(name -> name.equals(metric) || name.startsWith(metric + "{"))
                    .toList();
            assertThat(series).as("series of %s in %s", metric, expression).isNotEmpty();
            checkLabels(metric, series, selectors.group(2) == null ? "" : selectors.group(2));
            found++;
        }
        assertThat(found).as(expression).isPositive();
        assertThat(expression.chars().filter(c -> c == '(').count())
                .as(expression)
                .isEqualTo(expression.chars().filter(c -> c == ')').count());
    }

    private static void checkLabels(String metric, List<String> series, String conditions) {
        Matcher condition = CONDITION.matcher(conditions);
        while (condition.find()) {
            // Prometheus adds the instance.
            if (!condition.group(1).equals("instance")) {
                for (String value : condition.group(3).split("\\|", -1)) {
                    assertThat(series)
                            .as("%s with %s", metric, condition.group())
                            .anyMatch(name -> name.contains("%s=\"%s\"".formatted(condition.group(1), value)));
                }
            }
        }
    }
}
