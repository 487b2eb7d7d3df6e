// SPDX-License-Identifier: Apache-2.0
package dev.semel.server;

import dev.semel.server.demo.DemoFolder;
import dev.semel.server.demo.DemoSettings;
import dev.semel.server.demo.DemoTraffic;
import dev.semel.server.demo.FlakyService;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server on a temporary folder, with traffic: retries, simultaneous duplicates, conflicts, webhooks, a failing service behind
 * the proxy, crashed workers and parked claims. Everything is on the loopback address, and nothing is left after {@link #close}.
 */
final class Demo implements AutoCloseable {
    /** The console shows a ribbon and a tour. */
    private static final Set<String> FEATURES = Set.of("demo");

    private static final Logger LOG = LoggerFactory.getLogger(Demo.class);

    /** Stops everything that was started, the latest first. */
    private final Deque<Runnable> stops = new ArrayDeque<>();

    private boolean closed;
    private @Nullable DemoFolder folder;
    private @Nullable SemelServer server;

    /**
     * Starts the server and its traffic. If that fails, nothing is left behind. A {@link #close} from another thread waits for the
     * end of the start.
     *
     * @param port 0 picks a free one
     * @throws dev.semel.server.config.ConfigException if the port is in use, or the folder for temporary files cannot be written
     */
    synchronized void start(int port) {
        if (closed) {
            throw new IllegalStateException("The demo was stopped");
        }
        boolean started = false;
        try {
            DemoFolder data = started(DemoFolder.create(), DemoFolder::close);
            FlakyService service = started(FlakyService.start(), FlakyService::close);
            SemelServer running =
                    started(SemelServer.start(DemoSettings.of(data, port, service), FEATURES), SemelServer::close);
            started(DemoTraffic.start("http://127.0.0.1:" + running.port()), DemoTraffic::close);
            folder = data;
            server = running;
            started = true;
        } finally {
            if (!started) {
                close();
            }
        }
    }

    private <T> T started(T part, Consumer<T> stop) {
        stops.push(() -> stop.accept(part));
        return part;
    }

    synchronized int port() {
        return Objects.requireNonNull(server).port();
    }

    /** The address of the server. */
    String url() {
        return "http://127.0.0.1:" + port();
    }

    /** Holds all its data. */
    synchronized Path folder() {
        return Objects.requireNonNull(folder).path();
    }

    @Override
    public synchronized void close() {
        closed = true;
        while (!stops.isEmpty()) {
            try {
                stops.pop().run();
            } catch (RuntimeException e) {
                // The others are still stopped, and the folder is deleted last.
                LOG.warn("A part of the demo did not stop cleanly", e);
            }
        }
    }
}
