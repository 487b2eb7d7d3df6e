// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import dev.semel.server.config.Settings;
import dev.semel.server.config.SettingsReader;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Serves resources of a test on a free port, with the rules for every request. */
public final class TestListener implements AutoCloseable {
    private final Vertx vertx;
    private final int port;

    private TestListener(Vertx vertx, int port) {
        this.vertx = vertx;
        this.port = port;
    }

    /**
     * Starts it on one event loop.
     *
     * @param folder for the settings file
     * @param limits the content of the settings' section {@code limits}
     */
    public static TestListener start(
            Path folder, String limits, HttpObserver observer, Function<Vertx, List<Resource>> resources)
            throws Exception {
        Settings settings = settings(folder, limits);
        ClientAddresses addresses = new ClientAddresses(settings.limits(), List.of());
        Vertx vertx = Vertx.builder()
                .withTransport(new ConnectionLimitTransport(addresses))
                .build();
        int port = new HttpListener(
                        vertx,
                        settings,
                        new LiveTokens(settings.tokens()),
                        resources.apply(vertx),
                        addresses,
                        observer,
                        HttpTracer.NONE)
                .start(1)
                .toCompletionStage()
                .toCompletableFuture()
                .get(60, TimeUnit.SECONDS);
        return new TestListener(vertx, port);
    }

    private static Settings settings(Path folder, String limits) throws IOException {
        Path file = Files.writeString(folder.resolve("semel.yml"), "server: {port: 0}\nlimits: {%s}".formatted(limits));
        return SettingsReader.read(Map.of(), Optional.of(file), Map.of());
    }

    public int port() {
        return port;
    }

    @Override
    public void close() throws Exception {
        vertx.close().toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
    }
}
