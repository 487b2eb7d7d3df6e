// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.server.InProcessServer;
import dev.semel.server.InProcessServer.Reply;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the proxy forwards and what its clients receive. */
class ApiProxyTest extends ApiProxyTestBase {
    private static final String JSON = "Content-Type: application/json";

    @Test
    void aRequestIsForwardedOnceAndItsAnswerReplayed() {
        start((request, out) -> TargetService.answer(
                out,
                "201 Created\r\n" + JSON + "\r\nLocation: /orders/1\r\nSet-Cookie: a=b\r\nLink: <a>\r\nLink: <b>",
                "{\"run\": " + runs + "}"));

        Reply first = proxy.post("/orders?x=1", "{\"a\":1}", "Idempotency-Key", "k-1");
        Reply again = proxy.post("/orders?x=1", "{ \"a\" : 1.0 }", "Idempotency-Key", "\"k-1\"");

        assertThat(first.status()).isEqualTo(201);
        assertThat(first.header("X-Idempotency-Status")).isEqualTo("MISS");
        assertThat(first.header("Set-Cookie")).isEqualTo("a=b");
        assertThat(again.status()).isEqualTo(201);
        assertThat(again.bytes()).isEqualTo(first.bytes());
        assertThat(again.header("Location")).isEqualTo("/orders/1");
        assertThat(again.response().headers().allValues("Link")).containsExactly("<a>", "<b>");
        assertThat(again.header("Set-Cookie")).isEmpty();
        assertThat(again.header("X-Idempotency-Status")).isEqualTo("HIT");
        assertThat(again.header("Idempotent-Replayed")).isEqualTo("true");
        assertThat(runs).hasValue(1);
        TargetService.Arrived arrived = service.arrived().get(0);
        assertThat(arrived.line()).isEqualTo("POST /orders?x=1 HTTP/1.1");
        assertThat(arrived.header("Semel-Original-Idempotency-Key")).isEqualTo("k-1");
        assertThat(arrived.header("Idempotency-Key")).isNotEmpty().isNotEqualTo("k-1");
        assertThat(arrived.header("Semel-Attempt")).isEqualTo("1");
        assertThat(arrived.header("X-Forwarded-For")).isEqualTo("127.0.0.1");
        assertThat(new String(arrived.body(), StandardCharsets.UTF_8)).isEqualTo("{\"a\":1}");
    }

    @Test
    void requestsWithoutAKeyAndOtherMethodsPass() {
        start(", key: optional", (request, out) -> TargetService.answer(out, "200 OK", request.line() + runs));

        assertThat(proxy.post("/orders/7", "{}").body()).isEqualTo("POST /orders/7 HTTP/1.11");
        assertThat(proxy.post("/orders/7", "{}").body()).isEqualTo("POST /orders/7 HTTP/1.12");
        assertThat(proxy.get("/orders/7", "Idempotency-Key", "k").body()).isEqualTo("GET /orders/7 HTTP/1.13");
        assertThat(proxy.get("/orders/7").header("X-Idempotency-Status")).isEmpty();
        assertThat(proxy.get("/other").status()).isEqualTo(404);
    }

    @Test
    void withoutAKeyWhereOneIsRequiredNothingIsSent() {
        start((request, out) -> TargetService.answer(out, "200 OK", "never"));

        Reply refused = proxy.post("/orders", "{}");

        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.body()).contains("/docs/problems/idempotency-key-missing");
        assertThat(runs).hasValue(0);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 65_535, 65_536, 1 << 20, (1 << 20) + 1, 5 << 20})
    void answersOfAllSizesArriveWhole(int size) {
        byte[] body = new byte[size];
        Arrays.fill(body, (byte) 0xe4);
        start((request, out) -> TargetService.answer(out, "200 OK", body));

        Reply first = proxy.post("/orders", "{}", "Idempotency-Key", "k");
        Reply again = proxy.post("/orders", "{}", "Idempotency-Key", "k");

        assertThat(Arrays.equals(first.bytes(), body)).isTrue();
        assertThat(first.header("X-Idempotency-Status")).isEqualTo("MISS");
        assertThat(runs).hasValue(1);
        if (size <= 1 << 20) {
            assertThat(Arrays.equals(again.bytes(), body)).isTrue();
        } else {
            assertThat(again.bytes()).isEmpty();
            assertThat(again.header("Idempotency-Replay-Form")).isEqualTo("none");
        }
    }

    @Test
    void theEffectOfARequestWhoseClientLeftIsRecorded() throws IOException {
        CountDownLatch left = new CountDownLatch(1);
        start((request, out) -> {
            try {
                left.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return TargetService.answer(out, "200 OK", "run " + runs);
        });
        try (Socket client = new Socket(InetAddress.getLoopbackAddress(), proxy.port())) {
            client.getOutputStream()
                    .write(("POST /orders HTTP/1.1\r\nHost: 127.0.0.1\r\nIdempotency-Key: k\r\nContent-Type:"
                                    + " application/json\r\nContent-Length: 2\r\n\r\n{}")
                            .getBytes(StandardCharsets.ISO_8859_1));
            await().until(() -> runs.get() == 1);
            client.setSoLinger(true, 0);
        }
        left.countDown();

        Reply again = proxy.post("/orders", "{}", "Idempotency-Key", "k", "Prefer", "wait=20");

        assertThat(again.body()).isEqualTo("run 1");
        assertThat(again.header("Idempotent-Replayed")).isEqualTo("true");
    }

    @Test
    void aRequestInProgressIsReportedAndAnotherOneIsAConflict() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        start((request, out) -> {
            try {
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return TargetService.answer(out, "200 OK", "done");
        });
        HttpRequest first = proxy.posting("/orders", "{\"amount\":1}", "Idempotency-Key", "k");
        var running = proxy.client().sendAsync(first, HttpResponse.BodyHandlers.ofString());
        await().until(() -> runs.get() == 1);

        Reply second = proxy.post("/orders", "{\"amount\":1}", "Idempotency-Key", "k");
        Reply other = proxy.post("/orders", "{\"amount\":2}", "Idempotency-Key", "k");
        end.countDown();

        assertThat(second.status()).isEqualTo(202);
        assertThat(second.body()).contains("in_progress");
        assertThat(Integer.parseInt(second.header("Retry-After"))).isBetween(1, 5);
        assertThat(other.status()).isEqualTo(409);
        assertThat(other.header("Idempotency-Differs")).isEqualTo("/amount");
        assertThat(running.get().body()).isEqualTo("done");
        assertThat(runs).hasValue(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 65_536, 3 << 20})
    void unprotectedBodiesAreStreamed(int size) {
        start(", key: optional", (request, out) -> TargetService.answer(out, "200 OK", request.body()));
        byte[] body = new byte[size];
        Arrays.fill(body, (byte) 7);

        Reply plain = proxy.send(proxy.request("/orders")
                .PUT(HttpRequest.BodyPublishers.ofByteArray(body))
                .build());
        Reply chunked = proxy.send(proxy.request("/orders")
                .PUT(HttpRequest.BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body)))
                .build());

        assertThat(Arrays.equals(plain.bytes(), body)).isTrue();
        assertThat(Arrays.equals(chunked.bytes(), body)).isTrue();
    }

    @Test
    void anAnswerThatStreamsReachesTheClientWhileItArrives() throws Exception {
        CountDownLatch seen = new CountDownLatch(1);
        start((request, out) -> {
            String head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";
            out.write((head + "5\r\nfirst\r\n").getBytes(StandardCharsets.ISO_8859_1));
            out.flush();
            try {
                seen.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            out.write("4\r\nlast\r\n0\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
            out.flush();
            return true;
        });

        InputStream body = proxy.client()
                .send(proxy.posting("/orders", "{}", "Idempotency-Key", "k"), HttpResponse.BodyHandlers.ofInputStream())
                .body();

        assertThat(body.readNBytes(5)).asString().isEqualTo("first");
        seen.countDown();
        assertThat(body.readAllBytes()).asString().isEqualTo("last");
        Reply again = proxy.post("/orders", "{}", "Idempotency-Key", "k", "Prefer", "wait=5");
        assertThat(again.header("Idempotency-Replay-Form")).isEqualTo("none");
        assertThat(runs).hasValue(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/orders/../admin",
                "/orders/%2e%2e/admin",
                "/orders/%2E./admin",
                "/orders/..;x/admin",
                "/orders/a%2fb",
                "/orders/a%5cb",
                "/orders/%00"
            })
    void pathsThatMayLeaveTheRouteAreRefused(String path) throws IOException {
        start(", key: optional", (request, out) -> TargetService.answer(out, "200 OK", "never"));

        try (Socket client = new Socket(InetAddress.getLoopbackAddress(), proxy.port())) {
            client.getOutputStream()
                    .write(("GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.ISO_8859_1));
            assertThat(new String(client.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1))
                    .startsWith("HTTP/1.1 400");
        }
        assertThat(runs).hasValue(0);
    }

    @Test
    void targetsAreUsedInTurnAndOneThatIsDownIsLeftOut() {
        service = new TargetService((request, out) -> TargetService.answer(out, "200 OK", "one"));
        try (TargetService two = new TargetService((request, out) -> TargetService.answer(out, "200 OK", "two"))) {
            proxy = InProcessServer.in(
                    folder,
                    "api: {routes: [{path: /orders, key: optional, targets: [\"%s\", \"%s\"]}]}"
                            .formatted(service.url(), two.url()),
                    Map.of());

            assertThat(Arrays.asList(
                            proxy.get("/orders").body(), proxy.get("/orders").body()))
                    .containsExactlyInAnyOrder("one", "two");
        }
        for (int i = 0; i < 6; i++) {
            assertThat(proxy.get("/orders").body()).isEqualTo("one");
        }
    }

    @Test
    void aMethodInSmallLettersDoesNotGetAroundTheKey() {
        start((request, out) -> TargetService.answer(out, "200 OK", "never"));

        Reply refused = proxy.send(proxy.request("/orders")
                .method("post", HttpRequest.BodyPublishers.ofString("{}"))
                .build());

        assertThat(refused.status()).isEqualTo(400);
        assertThat(runs).hasValue(0);
    }

    @Test
    void aCompressedBodyCountsByItsBytes() {
        start((request, out) -> TargetService.answer(out, "200 OK", "run " + runs));
        String[] headers = {"Idempotency-Key", "k", "Content-Encoding", "gzip"};

        assertThat(proxy.post("/orders", "no JSON", headers).body()).isEqualTo("run 1");
        assertThat(proxy.post("/orders", "no JSON", headers).header("Idempotent-Replayed"))
                .isEqualTo("true");
        assertThat(proxy.post("/orders", "other", headers).status()).isEqualTo(409);
    }

    @Test
    void headersThatLookLikeOursAreNotForwarded() {
        start((request, out) -> TargetService.answer(out, "200 OK", "ok"));

        proxy.post(
                "/orders",
                "{}",
                "Idempotency-Key",
                "k",
                "Idempotency_Key",
                "mine",
                "Semel-Fence",
                "1",
                "Semel_Fence",
                "1",
                "X-Forwarded-For",
                "10.0.0.1",
                "X_Forwarded_For",
                "10.0.0.1",
                "X-Real-IP",
                "10.0.0.1",
                "X_Own",
                "stays");

        TargetService.Arrived arrived = service.arrived().get(0);
        assertThat(arrived.headers())
                .doesNotContainKeys("idempotency_key", "semel_fence", "x_forwarded_for", "x-real-ip")
                .containsKey("x_own");
        assertThat(arrived.headers().get("x-forwarded-for")).containsExactly("127.0.0.1");
        assertThat(arrived.headers().get("semel-fence")).hasSize(1).doesNotContain("1");
    }

    @Test
    void aRefusedNewKeyIsRefusedAgain() {
        service = new TargetService((request, out) -> {
            runs.incrementAndGet();
            return TargetService.answer(out, "200 OK", "ok");
        });
        proxy = InProcessServer.in(folder, """
                limits: {new_keys_per_second: 1, new_keys_at_once: 1}
                api: {routes: [{path: /orders, target: "%s"}]}
                """.formatted(service.url()), Map.of());

        int refused = 0;
        for (int i = 0; i < 10; i++) {
            for (int attempt = 0; attempt < 2; attempt++) {
                refused +=
                        proxy.post("/orders", "{}", "Idempotency-Key", "k-" + i).status() == 429 ? 1 : 0;
            }
        }

        assertThat(refused).isGreaterThan(10);
        assertThat(runs.get()).isLessThan(10);
    }
}
