// SPDX-License-Identifier: Apache-2.0
package dev.semel.http.cases;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.semel.http.HeaderLine;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The application as a plain HTTP server on a free port of 127.0.0.1, for tests of proxies. */
public final class CaseServer implements AutoCloseable {
    private static final int MAX_THREADS = 100;

    private final CaseApplication application = new CaseApplication();
    private final ExecutorService threads = Executors.newFixedThreadPool(MAX_THREADS);
    private final HttpServer server;

    /** Starts the server. */
    public CaseServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::serve);
        server.start();
    }

    /** The address of the server. */
    public URI uri() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            Script script = application.begin(call(exchange));
            boolean sent = script.flushed().isPresent();
            if (sent) {
                start(exchange, script, 0);
                exchange.getResponseBody().write(script.flushed().get());
                exchange.getResponseBody().flush();
            }
            script.gate().ifPresent(application::pass);
            if (script.end() == Script.End.THROW) {
                exchange.sendResponseHeaders(500, -1);
                return;
            }
            if (!sent) {
                start(exchange, script, script.body().length == 0 ? -1 : script.body().length);
            }
            if (script.body().length > 0 && !exchange.getRequestMethod().equals("HEAD")) {
                OutputStream out = exchange.getResponseBody();
                out.write(script.body());
            }
        }
    }

    private static void start(HttpExchange exchange, Script script, long length) throws IOException {
        script.headers().forEach(line -> exchange.getResponseHeaders().add(line.name(), line.value()));
        boolean bodyless = script.status() == 204
                || script.status() == 304
                || exchange.getRequestMethod().equals("HEAD");
        exchange.sendResponseHeaders(script.status(), bodyless ? -1 : length);
    }

    private static CaseApplication.Call call(HttpExchange exchange) throws IOException {
        List<HeaderLine> headers = new ArrayList<>();
        exchange.getRequestHeaders()
                .forEach((name, values) -> values.forEach(value -> headers.add(new HeaderLine(name, value))));
        URI uri = exchange.getRequestURI();
        return new CaseApplication.Call(
                exchange.getRequestMethod(),
                uri.getRawPath(),
                Optional.ofNullable(uri.getRawQuery()).orElse(""),
                headers,
                exchange.getRequestBody().readAllBytes());
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
