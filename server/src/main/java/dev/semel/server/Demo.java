// SPDX-License-Identifier: Apache-2.0
package dev.semel.server;

import dev.semel.server.demo.DemoFolder;
import dev.semel.server.demo.DemoSettings;
import dev.semel.server.demo.DemoTraffic;
import dev.semel.server.demo.FlakyService;
import java.nio.file.Path;
import java.util.Set;

/**
 * A server on a temporary folder, with traffic: retries, simultaneous duplicates, conflicts, webhooks, a failing service behind
 * the proxy, crashed workers and parked claims. Everything is on the loopback address, and nothing is left after {@link #close}.
 */
final class Demo implements AutoCloseable {
    /** The console shows a ribbon and a tour. */
    private static final Set<String> FEATURES = Set.of("demo");

    private final DemoFolder folder;
    private final FlakyService service;
    private final SemelServer server;
    private final DemoTraffic traffic;

    private Demo(DemoFolder folder, FlakyService service, SemelServer server, DemoTraffic traffic) {
        this.folder = folder;
        this.service = service;
        this.server = server;
        this.traffic = traffic;
    }

    /**
     * Starts the server and its traffic.
     *
     * @param port 0 picks a free one
     * @throws dev.semel.server.config.ConfigException if the port is in use
     */
    static Demo start(int port) {
        DemoFolder folder = DemoFolder.create();
        FlakyService service = FlakyService.start();
        try {
            SemelServer server = SemelServer.start(DemoSettings.of(folder, port, service), FEATURES);
            return new Demo(folder, service, server, DemoTraffic.start("http://127.0.0.1:" + server.port()));
        } catch (RuntimeException e) {
            service.close();
            folder.close();
            throw e;
        }
    }

    int port() {
        return server.port();
    }

    /** The address of the server. */
    String url() {
        return "http://127.0.0.1:" + port();
    }

    /** Holds all its data. */
    Path folder() {
        return folder.path();
    }

    @Override
    public void close() {
        traffic.close();
        server.close();
        service.close();
        folder.close();
    }
}
