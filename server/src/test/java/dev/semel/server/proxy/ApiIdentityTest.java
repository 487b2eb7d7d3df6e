// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.internal.Sha256;
import dev.semel.server.InProcessServer;
import dev.semel.server.InProcessServer.Reply;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No client receives a response of another client, for every kind of identity. */
class ApiIdentityTest {
    private static final String KEY = "Idempotency-Key";

    @TempDir
    private Path folder;

    private final AtomicInteger runs = new AtomicInteger();

    @AutoClose
    private final TargetService service =
            new TargetService((request, out) -> TargetService.answer(out, "200 OK", "run " + runs.incrementAndGet()));

    private InProcessServer production(String route) {
        return production(route, "127.0.0.1");
    }

    private InProcessServer production(String route, String host) {
        String yaml = """
                server: {production: true, host: %s}
                tokens:
                  - {sha256: "%s", tenant: acme, actor: a, role: client}
                  - {sha256: "%s", tenant: acme, actor: b, role: client}
                  - {sha256: "%s", tenant: umbrella, actor: a, role: client}
                  - {sha256: "%s", tenant: acme, actor: v, role: viewer}
                api: {routes: [{path: "/orders/**", target: "%s", %s}]}
                """.formatted(host, sha256("t1"), sha256("t2"), sha256("t3"), sha256("t4"), service.url(), route);
        return InProcessServer.in(folder, yaml, Map.of("IDEMPOTENCY_SECRET", "0123456789abcdef0123456789abcdef"));
    }

    private static String sha256(String text) {
        return Sha256.hex(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Each client sends the same request twice and receives only its own response. */
    private void receiveOnlyTheirOwnResponses(InProcessServer proxy, List<String[]> clients) {
        Map<String, Integer> answers = new HashMap<>();
        for (String[] headers : clients) {
            Reply first = proxy.post("/orders", "{}", with(headers));
            Reply again = proxy.post("/orders", "{}", with(headers));
            assertThat(first.header("X-Idempotency-Status")).isEqualTo("MISS");
            assertThat(again.header("X-Idempotency-Status")).isEqualTo("HIT");
            assertThat(again.body()).isEqualTo(first.body());
            assertThat(answers.put(first.body(), 1)).isNull();
        }
        assertThat(runs).hasValue(clients.size());
    }

    private static String[] with(String... headers) {
        List<String> all = new ArrayList<>(List.of(headers));
        all.addAll(List.of(KEY, "k"));
        return all.toArray(String[]::new);
    }

    @Test
    void byToken() {
        try (InProcessServer proxy = production("identity: token")) {
            receiveOnlyTheirOwnResponses(
                    proxy,
                    List.of(
                            new String[] {"Semel-Authorization", "Bearer t1"},
                            new String[] {"Semel-Authorization", "Bearer t2"},
                            new String[] {"Semel-Authorization", "Bearer t3"}));
            assertThat(proxy.post("/orders", "{}", with("Authorization", "Bearer t1"))
                            .status())
                    .isEqualTo(401);
            assertThat(proxy.post("/orders", "{}", with("Semel-Authorization", "Bearer t9"))
                            .status())
                    .isEqualTo(401);
            assertThat(proxy.post("/orders", "{}", with("Semel-Authorization", "Bearer t4"))
                            .status())
                    .isEqualTo(403);
            // Identity headers are ignored in production.
            assertThat(proxy.post(
                                    "/orders",
                                    "{}",
                                    with("Semel-Authorization", "Bearer t1", "X-Organization-Id", "umbrella"))
                            .header("X-Idempotency-Status"))
                    .isEqualTo("HIT");
        }
        assertThat(service.arrived())
                .allMatch(request -> request.header("Semel-Authorization").isEmpty());
    }

    @Test
    void byCredential() {
        try (InProcessServer proxy = production("identity: authorization, tenant: acme")) {
            receiveOnlyTheirOwnResponses(
                    proxy,
                    List.of(
                            new String[] {"Authorization", "Bearer x"},
                            new String[] {"Authorization", "Bearer y"},
                            new String[] {"Authorization", "bearer x"},
                            new String[] {"Authorization", "Basic dXNlcjpwYXNz"}));
            assertThat(proxy.post("/orders", "{}", with()).status()).isEqualTo(401);
            assertThat(proxy.post("/orders", "{}", with("Authorization", "")).status())
                    .isEqualTo(401);
        }
        assertThat(service.arrived())
                .allMatch(request -> !request.header("Authorization").isEmpty());
    }

    @Test
    void byAHeaderOfATrustedFront() {
        try (InProcessServer proxy =
                production("identity: \"header:X-User\", tenant_header: X-Org, trusted_fronts: [127.0.0.1]")) {
            receiveOnlyTheirOwnResponses(
                    proxy,
                    List.of(
                            new String[] {"X-User", "a", "X-Org", "acme"},
                            new String[] {"X-User", "b", "X-Org", "acme"},
                            new String[] {"X-User", "a", "X-Org", "umbrella"},
                            new String[] {"X-User", "a"}));
            assertThat(proxy.post("/orders", "{}", with()).status()).isEqualTo(400);
            assertThat(proxy.post("/orders", "{}", with("X-User", "a", "X-Org", ""))
                            .status())
                    .isEqualTo(400);
        }
    }

    @Test
    void aHeaderFromAnyOtherAddressIsRefused() {
        try (InProcessServer proxy = production("identity: \"header:X-User\", trusted_fronts: [10.0.0.0/8]")) {
            assertThat(proxy.post("/orders", "{}", with("X-User", "a")).status())
                    .isEqualTo(403);
            // Also for a request that needs no identity: the service may trust the header.
            assertThat(proxy.get("/orders", "X-User", "a").status()).isEqualTo(403);
        }
        assertThat(runs).hasValue(0);
    }

    @Test
    void inDevelopmentByHeaders() {
        try (InProcessServer proxy = InProcessServer.in(
                folder, "api: {routes: [{path: /orders, target: \"%s\"}]}".formatted(service.url()), Map.of())) {
            receiveOnlyTheirOwnResponses(
                    proxy,
                    List.of(
                            new String[] {},
                            new String[] {"X-Actor-Id", "b"},
                            new String[] {"X-Organization-Id", "umbrella"},
                            new String[] {"X-Organization-Id", "umbrella", "X-Actor-Id", "b"}));
        }
    }

    @Test
    void routesAndMethodsHaveSeparateKeys() {
        String yaml =
                "api: {routes: [{path: \"/a/{id}\", methods: [POST, PUT], target: \"%s\"}, {path: \"/b/{id}\", target: \"%s\"}]}"
                        .formatted(service.url(), service.url());
        try (InProcessServer proxy = InProcessServer.in(folder, yaml, Map.of())) {
            proxy.post("/a/1", "{}", with());
            proxy.post("/b/1", "{}", with());
            proxy.send(proxy.request("/a/1", with())
                    .PUT(HttpRequest.BodyPublishers.ofString("{}"))
                    .build());
            assertThat(runs).hasValue(3);
            // The same route with another path uses the same key.
            assertThat(proxy.post("/a/2", "{}", with()).header("Idempotency-Differs"))
                    .isEqualTo("path");
        }
    }
}
