// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.server.config.Settings;
import dev.semel.server.config.SettingsReader;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Routes that stream body and response. */
class StreamingTest {
    @TempDir
    Path folder;

    private Vertx vertx;
    private int port;

    private void start(int bodySeconds) throws Exception {
        Path file = Files.writeString(
                folder.resolve("semel.yml"),
                "server: {port: 0}\nlimits: {body_bytes: 1024, body_seconds: %d}".formatted(bodySeconds));
        Settings settings = SettingsReader.read(Map.of(), Optional.of(file), Map.of());
        List<Resource> resources = List.of(
                routes -> routes.postStream("/echo", RouteAccess.USE, StreamingTest::echo),
                routes -> routes.postStream(
                        "/refuse",
                        RouteAccess.USE,
                        (context, progress) -> CompletableFuture.failedStage(
                                ProblemDetail.of(ProblemType.FORBIDDEN, "no").asException())));
        ClientAddresses addresses = new ClientAddresses(settings.limits(), List.of());
        vertx = Vertx.builder()
                .withTransport(new ConnectionLimitTransport(addresses))
                .build();
        port = new HttpListener(
                        vertx,
                        settings,
                        new LiveTokens(settings.tokens()),
                        resources,
                        addresses,
                        HttpObserver.NONE,
                        HttpTracer.NONE)
                .start(1)
                .toCompletionStage()
                .toCompletableFuture()
                .get(60, TimeUnit.SECONDS);
    }

    @AfterEach
    void stop() throws Exception {
        vertx.close().toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
    }

    @Test
    void aBodyMayBeLargerThanTheBound() throws Exception {
        start(600);
        try (RawClient client = new RawClient(port)) {
            client.send("POST /echo HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5000\r\n\r\n")
                    .send("a".repeat(4_997) + "end");

            assertThat(client.until("end")).startsWith("HTTP/1.1 200 ");
        }
    }

    @Test
    void aClientThatSendsNothingIsDisconnected() throws Exception {
        start(1);
        try (RawClient client = new RawClient(port)) {
            client.send("POST /echo HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5000\r\n\r\nabc");

            assertThat(client.untilClosed()).endsWith("abc\r\n");
        }
    }

    @Test
    void aProblemIsAnsweredWhileNothingHasLeft() throws Exception {
        start(1);
        try (RawClient client = new RawClient(port)) {
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
