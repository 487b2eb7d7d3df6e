// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A Vert.x handler that answers every request with the same bytes, to measure the cost of HTTP itself. It uses the server's
 * settings of Vert.x, the launcher's settings of the JVM, and the Vert.x of the server's jar.
 */
public final class ConstantServer {
    private ConstantServer() {}

    public static void main(String[] arguments) throws Exception {
        Path portFile = Path.of(arguments[0]);
        Buffer constant = Buffer.buffer("x".repeat(Integer.parseInt(arguments[1])));
        int loops = Math.min(8, Runtime.getRuntime().availableProcessors());
        Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(loops));
        List<HttpServer> servers = new CopyOnWriteArrayList<>();
        vertx.deployVerticle(() -> new Loop(constant, servers), new DeploymentOptions().setInstances(loops))
                .toCompletionStage()
                .toCompletableFuture()
                .get();
        Path written = Files.writeString(
                Path.of(portFile + ".part"), Integer.toString(servers.get(0).actualPort()));
        Files.move(written, portFile, StandardCopyOption.ATOMIC_MOVE);
    }

    private static final class Loop extends VerticleBase {
        private final Buffer constant;
        private final List<HttpServer> servers;

        Loop(Buffer constant, List<HttpServer> servers) {
            this.constant = constant;
            this.servers = servers;
        }

        @Override
        public Future<?> start() {
            HttpServer server = vertx.createHttpServer(new HttpServerOptions()
                            .setMaxInitialLineLength(8_192)
                            .setMaxHeaderSize(16_384)
                            .setAcceptBacklog(1_024)
                            .setHttp2ClearTextEnabled(false)
                            .setDecompressionSupported(false)
                            .setHandle100ContinueAutomatically(false))
                    .requestHandler(request -> request.response().end(constant));
            servers.add(server);
            // A negative port means a free port that all instances share.
            return server.listen(-1, "127.0.0.1");
        }
    }
}
