// SPDX-License-Identifier: Apache-2.0
package dev.semel.testservers;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A target of forwarded webhooks. It records requests and answers as a test configures, or only after it is released. */
public final class WebhookTarget implements AutoCloseable {
    /** A received request, with the headers that a gate adds. */
    public record Received(String body, String attempt, String key, String verified) {}

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool(work -> {
        Thread thread = new Thread(work, "webhook-target");
        thread.setDaemon(true);
        return thread;
    });
    private final Queue<Received> received = new ConcurrentLinkedQueue<>();
    private volatile int status = 200;
    private volatile CountDownLatch answering = new CountDownLatch(0);

    private WebhookTarget(HttpServer server) {
        this.server = server;
    }

    /** Listens on a free port and answers 200. */
    public static WebhookTarget start() {
        try {
            WebhookTarget target =
                    new WebhookTarget(HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0));
            target.server.createContext("/", target::handle);
            target.server.setExecutor(target.threads);
            target.server.start();
            return target;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void handle(HttpExchange exchange) throws IOException {
        try {
            received.add(new Received(
                    new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8),
                    header(exchange, "Semel-Attempt"),
                    header(exchange, "Semel-Key"),
                    header(exchange, "Semel-Verified")));
            answering.await();
            exchange.sendResponseHeaders(status, -1);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            exchange.close();
        }
    }

    private static String header(HttpExchange exchange, String name) {
        String value = exchange.getRequestHeaders().getFirst(name);
        return value == null ? "" : value;
    }

    public URI uri() {
        return URI.create(
                "http://127.0.0.1:%d/hooks".formatted(server.getAddress().getPort()));
    }

    /** Sets the status of later answers. */
    public void answer(int code) {
        status = code;
    }

    /** Withholds all answers until {@link #release}. */
    public void hold() {
        answering = new CountDownLatch(1);
    }

    public void release() {
        answering.countDown();
    }

    /** All requests so far, in the order of their arrival. */
    public List<Received> received() {
        return List.copyOf(received);
    }

    @Override
    public void close() {
        release();
        server.stop(0);
        threads.shutdownNow();
    }
}
