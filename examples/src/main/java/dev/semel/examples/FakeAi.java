// SPDX-License-Identifier: Apache-2.0
package dev.semel.examples;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** Stands for the HTTP service of an AI provider, on a free port of 127.0.0.1. Every call costs money. */
final class FakeAi implements AutoCloseable {
    private static final byte[] LOOPBACK = {127, 0, 0, 1};

    private final HttpServer server;

    private FakeAi(HttpServer server) {
        this.server = server;
    }

    static FakeAi start() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getByAddress(LOOPBACK), 0), 0);
        server.createContext("/complete", FakeAi::complete);
        server.start();
        return new FakeAi(server);
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/complete");
    }

    private static void complete(HttpExchange exchange) throws IOException {
        String prompt = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        System.out.println("AI call, 0.10 USD: " + prompt);
        byte[] answer = ("A bolder text for: " + prompt).getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(200, answer.length);
        try (OutputStream body = exchange.getResponseBody()) {
            body.write(answer);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
