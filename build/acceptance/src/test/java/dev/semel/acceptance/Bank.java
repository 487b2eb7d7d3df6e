// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** A service behind the proxy that honours Idempotency-Key: for one key it pays once. */
final class Bank implements AutoCloseable {
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool(work -> {
        Thread thread = new Thread(work, "bank");
        thread.setDaemon(true);
        return thread;
    });
    private final Map<String, Integer> paid = new ConcurrentHashMap<>();
    private final AtomicInteger payments = new AtomicInteger();
    private final List<String> keys = new CopyOnWriteArrayList<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private volatile CountDownLatch gate = new CountDownLatch(0);

    Bank() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1_024);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext("/", this::pay);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** From now on payments are made, but their responses wait until the gate is opened. */
    CountDownLatch holdAnswers() {
        gate = new CountDownLatch(1);
        return gate;
    }

    int payments() {
        return payments.get();
    }

    /** The key of each request, in the order of their arrival. */
    List<String> keys() {
        return keys;
    }

    /** Method, address, headers and body of each request, in the order of their arrival. */
    List<String> requests() {
        return requests;
    }

    private void pay(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.ISO_8859_1);
        requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " "
                + Map.copyOf(exchange.getRequestHeaders()) + " " + body);
        answer(exchange);
    }

    private void answer(HttpExchange exchange) throws IOException {
        String key = String.valueOf(exchange.getRequestHeaders().getFirst("Idempotency-Key"));
        int number = paid.computeIfAbsent(key, first -> payments.incrementAndGet());
        keys.add(key);
        try {
            gate.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        byte[] answer = "{\"payment\": %d}".formatted(number).getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.getResponseHeaders().add("Location", "/payments/" + number);
        exchange.sendResponseHeaders(201, answer.length);
        exchange.getResponseBody().write(answer);
        exchange.close();
    }

    @Override
    public void close() {
        gate.countDown();
        server.stop(0);
        threads.shutdownNow();
    }
}
