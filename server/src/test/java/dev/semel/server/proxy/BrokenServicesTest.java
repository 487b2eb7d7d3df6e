// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.server.InProcessServer;
import dev.semel.server.InProcessServer.Reply;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Services that break, stall, stream without end, or send unsolicited data. */
class BrokenServicesTest extends ApiProxyTestBase {
    @ParameterizedTest
    @ValueSource(strings = {"", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345", "HTTP/1.1 200 OK\r\nConte"})
    void aTruncatedAnswerIsNotStoredAndTheNextRequestHasTheSameChildKey(String part) {
        start((request, out) -> {
            if (runs.get() > 1) {
                return TargetService.answer(out, "200 OK", "whole");
            }
            out.write(part.getBytes(StandardCharsets.ISO_8859_1));
            out.flush();
            return false;
        });

        Reply first = proxy.post("/orders", "{}", "Idempotency-Key", "k");
        Reply again = proxy.post("/orders", "{}", "Idempotency-Key", "k");

        assertThat(first.status()).isEqualTo(502);
        assertThat(first.body()).contains("upstream-failed");
        assertThat(again.body()).isEqualTo("whole");
        assertThat(service.arrived().get(1).header("Idempotency-Key"))
                .isEqualTo(service.arrived().get(0).header("Idempotency-Key"));
        assertThat(service.arrived().get(1).header("Semel-Attempt")).isEqualTo("2");
    }

    @Test
    void aLostAnswerIsParkedIfTheRouteSaysSo() {
        start(", on_stale: park", (request, out) -> false);

        assertThat(proxy.post("/orders", "{}", "Idempotency-Key", "k").status()).isEqualTo(502);
        Reply again = proxy.post("/orders", "{}", "Idempotency-Key", "k");

        assertThat(again.status()).isEqualTo(409);
        assertThat(again.body()).contains("outcome-unknown");
        assertThat(runs).hasValue(1);
    }

    @Test
    void aTargetThatDoesNotAnswerInTimeIsATimeout() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        start(", timeout_seconds: 1", (request, out) -> {
            awaitQuietly(end);
            return false;
        });

        Reply late = proxy.post("/orders", "{}", "Idempotency-Key", "k");
        end.countDown();

        assertThat(late.status()).isEqualTo(504);
    }

    @Test
    void aTargetThatRefusesConnectionsReleasesTheKey() {
        start((request, out) -> TargetService.answer(out, "200 OK", "done"));
        service.close();

        Reply refused = proxy.post("/orders", "{}", "Idempotency-Key", "k");
        Reply passing = proxy.get("/orders");

        assertThat(refused.status()).isEqualTo(502);
        assertThat(refused.body()).contains("upstream-unreachable");
        assertThat(passing.status()).isEqualTo(502);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 204 No Content\r\n\r\n",
                "HTTP/1.1 304 Not Modified\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n"
            })
    void unsolicitedDataIsNeverAResponse(String answer) {
        String forged = "HTTP/1.1 201 Created\r\nLocation: https://evil.example/\r\nX-Junk: ";
        start(", key: optional", (request, out) -> {
            if (request.line().contains("first")) {
                out.write((answer + forged).getBytes(StandardCharsets.ISO_8859_1));
                out.flush();
                return true;
            }
            return TargetService.answer(out, "200 OK", "real");
        });

        proxy.post("/orders/first", "{}");
        Reply victim = proxy.post("/orders/second", "{}", "Idempotency-Key", "k");

        // The connection may already be broken. Then nothing was forged either.
        assertThat(victim.header("Location")).isEmpty();
        await().until(() -> proxy.post("/orders/second", "{}", "Idempotency-Key", "k")
                .body()
                .equals("real"));
    }

    @Test
    void anAnswerBeforeTheRequestHasEndedEndsTheConnection() throws IOException {
        service = new TargetService((request, out) -> TargetService.answer(out, "200 OK", "never"));
        try (EarlyService early = new EarlyService()) {
            proxy = InProcessServer.in(
                    folder,
                    "api: {routes: [{path: /orders, key: optional, target: \"%s\"}]}".formatted(early.url()),
                    Map.of());
            try (Socket client = new Socket(InetAddress.getLoopbackAddress(), proxy.port())) {
                client.setSoTimeout(30_000);
                client.getOutputStream()
                        .write("POST /orders HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 10\r\n\r\nabcde"
                                .getBytes(StandardCharsets.ISO_8859_1));

                String answer = new String(client.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);

                assertThat(answer)
                        .startsWith("HTTP/1.1 413 Content Too Large")
                        .contains("Connection: close")
                        .endsWith("no");
            }
        }
    }

    /** A service that responds without waiting for the request body. */
    private static final class EarlyService implements AutoCloseable {
        private final ServerSocket socket;

        EarlyService() throws IOException {
            socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
            Thread thread = new Thread(this::serve, "early service");
            thread.setDaemon(true);
            thread.start();
        }

        private void serve() {
            try (Socket client = socket.accept()) {
                byte[] some = new byte[4_096];
                if (client.getInputStream().read(some) > 0) {
                    TargetService.answer(client.getOutputStream(), "413 Content Too Large", "no");
                }
                while (client.getInputStream().read(some) >= 0) {
                    // Ignore further data.
                }
            } catch (IOException e) {
                // The proxy closed the connection.
            }
        }

        String url() {
            return "http://127.0.0.1:" + socket.getLocalPort();
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "POST"})
    void anEndlessStreamIsNotReadForADisconnectedClient(String method) throws IOException {
        AtomicInteger streaming = new AtomicInteger();
        start(", timeout_seconds: 1", (request, out) -> {
            streaming.incrementAndGet();
            try {
                String head =
                        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";
                out.write(head.getBytes(StandardCharsets.ISO_8859_1));
                while (true) {
                    out.write("2000\r\n".getBytes(StandardCharsets.ISO_8859_1));
                    out.write(new byte[0x2000]);
                    out.write("\r\n".getBytes(StandardCharsets.ISO_8859_1));
                    out.flush();
                }
            } finally {
                streaming.decrementAndGet();
            }
        });
        try (Socket client = new Socket(InetAddress.getLoopbackAddress(), proxy.port())) {
            client.getOutputStream()
                    .write((method + " /orders HTTP/1.1\r\nHost: 127.0.0.1\r\nIdempotency-Key: k\r\n"
                                    + "Content-Length: 0\r\n\r\n")
                            .getBytes(StandardCharsets.ISO_8859_1));
            await().until(() -> streaming.get() == 1);
            client.getInputStream().readNBytes(10_000);
        }

        await().atMost(Duration.ofSeconds(30)).until(() -> streaming.get() == 0);

        if (method.equals("POST")) {
            Reply again = proxy.send(proxy.request("/orders", "Idempotency-Key", "k", "Prefer", "wait=20")
                    .POST(HttpRequest.BodyPublishers.noBody())
                    .build());
            assertThat(again.header("Idempotency-Replay-Form")).isEqualTo("none");
            assertThat(runs).hasValue(1);
        }
    }

    @Test
    void aSlowClientDoesNotCountAgainstTheService() throws IOException {
        int size = 40 << 20;
        start(", timeout_seconds: 1", (request, out) -> TargetService.answer(out, "200 OK", new byte[size]));
        try (Socket client = new Socket(InetAddress.getLoopbackAddress(), proxy.port())) {
            client.getOutputStream()
                    .write("POST /orders HTTP/1.1\r\nHost: 127.0.0.1\r\nIdempotency-Key: k\r\nContent-Length: 0\r\n\r\n"
                            .getBytes(StandardCharsets.ISO_8859_1));
            client.getInputStream().readNBytes(1_000);
            long start = System.nanoTime();
            await().until(() ->
                    System.nanoTime() - start > Duration.ofSeconds(3).toNanos());

            assertThat(client.getInputStream().readNBytes(size - 1_000)).hasSize(size - 1_000);
        }
        Reply again = proxy.send(proxy.request("/orders", "Idempotency-Key", "k", "Prefer", "wait=20")
                .POST(HttpRequest.BodyPublishers.noBody())
                .build());
        assertThat(again.status()).isEqualTo(200);
        assertThat(again.header("Idempotency-Replay-Form")).isEqualTo("none");
        assertThat(runs).hasValue(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"100 Continue", "102 Processing", "103 Early Hints", "104 Odd", "199 Odder"})
    void interimResponsesAreDiscarded(String interim) {
        start(", key: optional", (request, out) -> {
            for (int i = 0; i < 3; i++) {
                out.write(("HTTP/1.1 " + interim + "\r\nLink: <a>\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1));
                out.flush();
            }
            return TargetService.answer(out, "200 OK", "run " + runs);
        });

        for (int i = 1; i < 4; i++) {
            assertThat(proxy.post("/orders", "{}", "Idempotency-Key", "k-" + i).body())
                    .isEqualTo("run " + (2 * i - 1));
            assertThat(proxy.get("/orders").body()).isEqualTo("run " + 2 * i);
        }
    }

    @Test
    void anAnswerWithoutALengthIsWholeOnlyIfItsConnectionEnds() {
        start((request, out) -> {
            out.write("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\npart".getBytes(StandardCharsets.ISO_8859_1));
            out.flush();
            return false;
        });

        // The service resets its connection.
        assertThat(proxy.post("/orders", "{}", "Idempotency-Key", "k").status()).isEqualTo(502);
        assertThat(runs).hasValue(1);
    }

    @Test
    void anAnswerMayHave256HeaderLinesAndNotOneMore() {
        start((request, out) -> TargetService.answer(
                out, "200 OK" + "\r\na: b".repeat(request.line().contains("more") ? 256 : 255), "ok"));

        assertThat(proxy.post("/orders", "{}", "Idempotency-Key", "a").body()).isEqualTo("ok");
        assertThat(proxy.post("/orders/more", "{}", "Idempotency-Key", "b").status())
                .isEqualTo(502);
    }

    @ParameterizedTest
    @ValueSource(strings = {"600 Odd", "999 Odder", "1000 Oddest"})
    void aResponseWithAnInvalidStatusIsRejected(String status) {
        start(", key: optional", (request, out) -> TargetService.answer(out, status, "no"));

        assertThat(proxy.post("/orders", "{}", "Idempotency-Key", "k").status()).isEqualTo(502);
        assertThat(proxy.post("/orders", "{}").status()).isEqualTo(502);
    }

    @Test
    void aServiceWhoseConnectionsAreAllInUseIsBusyAndNotUnreachable() {
        CountDownLatch end = new CountDownLatch(1);
        service = new TargetService((request, out) -> {
            runs.incrementAndGet();
            if (request.line().contains("slow")) {
                awaitQuietly(end);
            }
            return TargetService.answer(out, "200 OK", "done");
        });
        proxy = InProcessServer.in(
                folder,
                "{api: {routes: [{path: \"/orders/**\", target: \"%s\", connect_seconds: 1}]},".formatted(service.url())
                        + " limits: {connections_per_address: 1000}}",
                Map.of());
        List<CompletableFuture<HttpResponse<Void>>> slow = new ArrayList<>();
        for (int i = 0; i < 256; i++) {
            slow.add(proxy.client()
                    .sendAsync(proxy.request("/orders/slow").GET().build(), HttpResponse.BodyHandlers.discarding()));
        }
        await().atMost(Duration.ofSeconds(10))
                .untilAsserted(() -> assertThat(runs).hasValue(256));

        Reply guarded = proxy.post("/orders", "{}", "Idempotency-Key", "k");
        Reply passing = proxy.get("/orders");
        end.countDown();
        slow.forEach(CompletableFuture::join);

        assertThat(List.of(guarded, passing)).allSatisfy(busy -> {
            assertThat(busy.status()).isEqualTo(503);
            assertThat(busy.body()).contains("/busy", "nothing was sent");
            assertThat(busy.header("Retry-After")).isEqualTo("1");
        });
        assertThat(proxy.post("/orders", "{}", "Idempotency-Key", "k").body()).isEqualTo("done");
        assertThat(runs).hasValue(257);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
