// SPDX-License-Identifier: Apache-2.0
package dev.semel.server;

import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import dev.semel.server.config.Setting;
import dev.semel.server.config.SettingsReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The real server on a free port, with SQLite in a folder of the test, and a client for it. */
public final class InProcessServer implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final SemelServer server;
    private final HttpClient client = HttpClient.newHttpClient();

    private InProcessServer(SemelServer server) {
        this.server = server;
    }

    public static InProcessServer in(Path folder) {
        return in(folder, "", Map.of());
    }

    /**
     * Starts a server with these settings.
     *
     * @param yaml the content of the settings file
     * @param environment the environment, never that of this process
     */
    public static InProcessServer in(Path folder, String yaml, Map<String, String> environment) {
        try {
            Path file = Files.writeString(folder.resolve("semel.yml"), yaml);
            Map<Setting, String> options = new HashMap<>();
            options.put(Setting.PORT, "0");
            options.put(Setting.DATA_DIR, folder.resolve("data").toString());
            return new InProcessServer(SemelServer.start(SettingsReader.read(options, Optional.of(file), environment)));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    public int port() {
        return server.port();
    }

    public URI uri(String path) {
        return URI.create("http://127.0.0.1:" + port() + path);
    }

    /**
     * Sends JSON.
     *
     * @param headers alternating names and values
     */
    public Reply post(String path, String body, String... headers) {
        return send(posting(path, body, headers));
    }

    public HttpRequest posting(String path, String body, String... headers) {
        return request(path, headers)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
    }

    public Reply get(String path, String... headers) {
        return send(request(path, headers).GET().build());
    }

    public HttpRequest.Builder request(String path, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri(path)).timeout(LIMIT);
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return request;
    }

    public Reply send(HttpRequest request) {
        try {
            return new Reply(client.send(request, HttpResponse.BodyHandlers.ofByteArray()));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    public HttpClient client() {
        return client;
    }

    @Override
    public void close() {
        server.close();
    }

    /** A response with access to its members. */
    public record Reply(HttpResponse<byte[]> response) {
        public int status() {
            return response.statusCode();
        }

        public String header(String name) {
            return response.headers().firstValue(name).orElse("");
        }

        public JsonObject json() {
            return (JsonObject) Json.parse(response.body());
        }

        public Json member(String name) {
            return json().member(name).orElseThrow();
        }

        public String text(String name) {
            return ((JsonString) member(name)).value();
        }

        public byte[] bytes() {
            return response.body();
        }

        public String body() {
            return new String(response.body(), StandardCharsets.UTF_8);
        }

        /** Returns the last segment of the problem's type. */
        public String problem() {
            if (!header("Content-Type").equals("application/problem+json")) {
                throw new AssertionError("Expected a problem, but received " + status() + " " + body());
            }
            return text("type").replace("/docs/problems/", "");
        }
    }
}
