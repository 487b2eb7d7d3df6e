// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A response that is not sent completely undoes what was done for it. */
class UndeliveredAnswerTest {
    private static final String GET = "GET /answer HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";

    /** More than the buffers of a connection. */
    private static final int LARGE = 32 << 20;

    @TempDir
    Path folder;

    private final CompletableFuture<Void> undone = new CompletableFuture<>();

    private TestListener listener(String limits, HttpRoute.PlainHandler handler) throws Exception {
        return TestListener.start(
                folder,
                limits,
                HttpObserver.NONE,
                vertx -> List.of(routes -> routes.get("/answer", RouteAccess.USE, handler)));
    }

    /** @param shared whether it needs no memory of its own */
    private HttpAnswer answer(int bytes, boolean shared) {
        byte[] body = "x".repeat(bytes).getBytes(StandardCharsets.US_ASCII);
        return new HttpAnswer(200, "text/plain", body, Map.of(), shared).ifUndelivered(() -> undone.complete(null));
    }

    private HttpRoute.PlainHandler answering(int bytes, boolean shared) {
        return context -> CompletableFuture.completedStage(answer(bytes, shared));
    }

    @Test
    void theClientHasLeftBeforeTheResponse() throws Exception {
        CompletableFuture<Void> arrived = new CompletableFuture<>();
        HttpRoute.PlainHandler handler = context -> {
            CompletableFuture<HttpAnswer> later = new CompletableFuture<>();
            context.request().response().closeHandler(left -> later.complete(answer(1, false)));
            arrived.complete(null);
            return later;
        };
        try (TestListener listener = listener("", handler);
                RawClient client = new RawClient(listener.port())) {
            client.send(GET);
            arrived.get(60, TimeUnit.SECONDS);
            client.close();

            undone.get(60, TimeUnit.SECONDS);
        }
    }

    @Test
    void theClientLeavesWhileItReads() throws Exception {
        try (TestListener listener = listener("body_seconds: 600", answering(LARGE, true));
                RawClient client = new RawClient(listener.port())) {
            client.send(GET).until("xxx");
            client.close();

            undone.get(60, TimeUnit.SECONDS);
        }
    }

    @Test
    void nobodyReadsTheResponse() throws Exception {
        try (TestListener listener = listener("body_seconds: 1", answering(LARGE, true));
                RawClient client = new RawClient(listener.port())) {
            client.send(GET);

            undone.get(60, TimeUnit.SECONDS);
        }
    }

    @Test
    void thereIsNoMemoryForTheResponse() throws Exception {
        try (TestListener listener = listener("address_bytes: 16384", answering(1 << 20, false));
                RawClient client = new RawClient(listener.port())) {
            client.send(GET);

            assertThat(client.until("\r\n\r\n")).startsWith("HTTP/1.1 503 ");
            undone.get(60, TimeUnit.SECONDS);
        }
    }

    @Test
    void aResponseThatIsReadIsNotUndone() throws Exception {
        try (TestListener listener = listener("", answering(100_000, false));
                RawClient client = new RawClient(listener.port())) {
            // The second response comes after all work for the first.
            client.send(GET).until("x".repeat(100_000));
            client.send(GET).until("x".repeat(100_000));

            assertThat(undone).isNotDone();
        }
    }
}
