// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Routes that stream body and response. */
class StreamingTest {
    @TempDir
    Path folder;

    private TestListener listener;

    private RawClient client(int bodySeconds) throws Exception {
        listener = TestListener.start(
                folder,
                "body_bytes: 1024, body_seconds: %d".formatted(bodySeconds),
                HttpObserver.NONE,
                vertx -> List.of(
                        routes -> routes.postStream("/echo", RouteAccess.USE, StreamingTest::echo),
                        routes -> routes.postStream(
                                "/refuse",
                                RouteAccess.USE,
                                (context, progress) ->
                                        CompletableFuture.failedStage(ProblemDetail.of(ProblemType.FORBIDDEN, "no")
                                                .asException()))));
        return new RawClient(listener.port());
    }

    @AfterEach
    void stop() throws Exception {
        listener.close();
    }

    @Test
    void aBodyMayBeLargerThanTheBound() throws Exception {
        try (RawClient client = client(600)) {
            client.send("POST /echo HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5000\r\n\r\n")
                    .send("a".repeat(4_997) + "end");

            assertThat(client.until("end")).startsWith("HTTP/1.1 200 ");
        }
    }

    @Test
    void aClientThatSendsNothingIsDisconnected() throws Exception {
        try (RawClient client = client(1)) {
            client.send("POST /echo HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5000\r\n\r\nabc");

            assertThat(client.untilClosed()).endsWith("abc\r\n");
        }
    }

    @Test
    void aProblemIsAnsweredWhileNothingHasLeft() throws Exception {
        try (RawClient client = client(1)) {
            client.send("POST /refuse HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5\r\n\r\nabc");

            assertThat(client.untilClosed()).startsWith("HTTP/1.1 403 ").contains("Connection: close");
        }
    }

    private static CompletionStage<Void> echo(RequestContext context, Runnable progress) {
        HttpServerRequest request = context.request();
        CompletableFuture<Void> done = new CompletableFuture<>();
        request.response().setChunked(true);
        request.exceptionHandler(done::completeExceptionally);
        request.handler((Buffer part) -> {
            progress.run();
            request.response().write(part);
        });
        request.endHandler(end -> request.response().end().onComplete(sent -> done.complete(null)));
        return done;
    }
}
