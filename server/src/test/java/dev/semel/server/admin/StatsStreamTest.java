// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonArray;
import dev.semel.payload.json.JsonNumber;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import dev.semel.server.InProcessServer;
import dev.semel.server.InProcessServer.Reply;
import dev.semel.server.http.TestListener;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code GET /v1/stream} over real connections. */
@Timeout(60)
class StatsStreamTest {
    @TempDir
    Path folder;

    private final List<Stream> open = new ArrayList<>();
    private InProcessServer server;

    /** An open stream. */
    private static final class Stream implements AutoCloseable {
        private final Socket socket;
        private final BufferedReader lines;
        private final String status;

        Stream(int port, String tenant) {
            try {
                socket = new Socket(InetAddress.getLoopbackAddress(), port);
                socket.getOutputStream()
                        .write(
                                "GET /v1/stream HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\nX-Organization-Id: %s\r\n\r\n"
                                        .formatted(tenant)
                                        .getBytes(StandardCharsets.US_ASCII));
                lines = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
                status = lines.readLine();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        JsonObject event() {
            try {
                String line = lines.readLine();
                while (line != null && !line.startsWith("data: ")) {
                    line = lines.readLine();
                }
                if (line == null) {
                    throw new AssertionError("The stream has ended");
                }
                return (JsonObject) Json.parse(line.substring("data: ".length()).getBytes(StandardCharsets.UTF_8));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** Reads until the connection ends. */
        void awaitEnd() {
            try {
                while (lines.readLine() != null) {
                    // Events before the end.
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void close() {
            try {
                socket.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @BeforeEach
    void start() {
        server = InProcessServer.in(folder, "", Map.of());
    }

    @AfterEach
    void stop() {
        open.forEach(Stream::close);
        server.close();
    }

    private Stream stream(String tenant) {
        Stream stream = new Stream(server.port(), tenant);
        open.add(stream);
        return stream;
    }

    @Test
    void showsTheCountsOfTheTenantAsTheyGrow() {
        Stream mine = stream("acme");
        Stream foreign = stream("globex");
        assertThat(mine.status).contains("200");
        assertThat(granted(mine.event())).isZero();
        for (int i = 0; i < 3; i++) {
            server.post("/v1/claims", "{\"scope\":\"pay\",\"key\":\"k%d\"}".formatted(i), "X-Organization-Id", "acme");
        }

        await().until(() -> granted(mine.event()) == 3);
        assertThat(granted(foreign.event())).isZero();
        assertThat(granted(foreign.event())).isZero();
    }

    private static long granted(JsonObject stats) {
        return ((JsonArray) stats.member("scopes").orElseThrow())
                .elements().stream()
                        .map(scope -> (JsonNumber)
                                ((JsonObject) scope).member("misses").orElseThrow())
                        .mapToLong(misses -> Long.parseLong(misses.text()))
                        .sum();
    }

    @Test
    void aClientThatDoesNotAskForAStreamGetsOneEvent() {
        Reply reply = server.get("/v1/stream");

        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.header("Content-Type")).isEqualTo("text/event-stream");
        assertThat(reply.body()).startsWith("data: {").endsWith("}\n\n");
        assertThat(reply.body().lines().filter(line -> line.startsWith("data:")))
                .hasSize(1);
    }

    @Test
    void theNumberOfStreamsOfATenantIsBoundedAndAClosedOneIsFree() {
        for (int i = 0; i < StatsStreams.MAX_PER_TENANT; i++) {
            assertThat(stream("acme").status).contains("200");
        }
        assertThat(stream("acme").status).contains("503");
        assertThat(stream("globex").status).contains("200");

        open.get(0).close();
        await().until(() -> stream("acme").status.contains("200"));
    }

    /** An event is larger than all buffers of a connection, and a client that does not read has a second. */
    @Test
    void aClientThatDoesNotReadIsDisconnectedAndOneEventWaits(@TempDir Path other) throws Exception {
        AtomicInteger events = new AtomicInteger();
        CompletableFuture<String> ended = new CompletableFuture<>();
        try (TestListener listener = TestListener.start(
                        other,
                        "body_seconds: 1",
                        (method, route, status, nanos) -> ended.complete(route),
                        vertx -> List.of(new StatsStreams(
                                vertx,
                                tenant -> {
                                    events.incrementAndGet();
                                    return new JsonString("x".repeat(32 << 20));
                                },
                                Runnable::run,
                                () -> false)));
                Stream stalled = new Stream(listener.port(), "acme")) {
            assertThat(ended.get(30, TimeUnit.SECONDS)).isEqualTo("/v1/stream");
            assertThat(stalled.status).contains("200");
            assertThat(events).hasValue(1);
        }
    }

    /** With the shortest limit too, a client that reads stays connected. */
    @Test
    void aClientThatReadsStaysConnected(@TempDir Path other) {
        try (InProcessServer strict = InProcessServer.in(other, "limits: {body_seconds: 1}", Map.of());
                Stream stream = new Stream(strict.port(), "acme")) {
            for (int i = 0; i < 5; i++) {
                stream.event();
            }
        }
    }

    @Test
    void streamsEndWhenTheServerStops(@TempDir Path other) throws InterruptedException {
        InProcessServer ending = InProcessServer.in(other, "", Map.of());
        Stream stream = new Stream(ending.port(), "acme");
        open.add(stream);
        stream.event();
        Thread closing = new Thread(ending::close);
        closing.start();

        stream.awaitEnd();
        closing.join();
    }
}
