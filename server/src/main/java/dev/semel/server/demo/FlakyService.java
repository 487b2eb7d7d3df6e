// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.demo;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** The service behind the proxy and the receiver of forwarded webhooks. Some of its answers are failures, at fixed intervals. */
public final class FlakyService implements AutoCloseable {
    private static final int THREADS = 4;

    /** One in so many orders fails, and one in so many webhooks. */
    private static final int FAILING_ORDER = 7;

    private static final int FAILING_HOOK = 4;

    private final HttpServer server;
    private final ExecutorService threads;
    private final AtomicInteger orders = new AtomicInteger();
    private final AtomicInteger hooks = new AtomicInteger();

    private FlakyService(HttpServer server, ExecutorService threads) {
        this.server = server;
        this.threads = threads;
    }

    /** Starts it on a free port. */
    public static FlakyService start() {
        try {
            HttpServer server =
                    HttpServer.create(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), 0), 0);
            ExecutorService threads = Executors.newFixedThreadPool(THREADS, DemoThreads.named("semel-demo-service"));
            FlakyService service = new FlakyService(server, threads);
            server.createContext("/shop/orders", service::order);
            server.createContext("/hooks", service::hook);
            server.setExecutor(threads);
            server.start();
            return service;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private void order(HttpExchange exchange) throws IOException {
        int number = orders.incrementAndGet();
        if (number % FAILING_ORDER == 0) {
            answer(exchange, 503, "{\"error\":\"the shop is overloaded\"}");
        } else {
            answer(exchange, 201, "{\"order\":%d,\"status\":\"created\"}".formatted(number));
        }
    }

    private void hook(HttpExchange exchange) throws IOException {
        boolean fails = hooks.incrementAndGet() % FAILING_HOOK == 0;
        answer(exchange, fails ? 500 : 200, fails ? "{\"error\":\"deadlock\"}" : "{}");
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        try (exchange;
                InputStream request = exchange.getRequestBody()) {
            // Read to its end and not kept: every page of a browser on this machine can send something here.
            request.transferTo(OutputStream.nullOutputStream());
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        DemoThreads.stop(threads);
    }
}
