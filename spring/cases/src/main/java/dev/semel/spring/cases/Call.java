// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.cases;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A POST request to the application. */
record Call(int port, String path, String body, List<String> headers) {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    static Call to(RunningShop shop, String path, String body) {
        return new Call(shop.port(), path, body, List.of("Content-Type", "application/json"));
    }

    Call with(String name, String value) {
        List<String> all = new ArrayList<>(headers);
        all.add(name);
        all.add(value);
        return new Call(port, path, body, all);
    }

    Call key(String key) {
        return with("Idempotency-Key", key);
    }

    HttpResponse<byte[]> send() {
        try {
            return CLIENT.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                            .headers(headers.toArray(String[]::new))
                            .POST(HttpRequest.BodyPublishers.ofString(body))
                            .build(),
                    HttpResponse.BodyHandlers.ofByteArray());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    static String text(HttpResponse<byte[]> response) {
        return new String(response.body(), StandardCharsets.UTF_8);
    }

    static String header(HttpResponse<byte[]> response, String name) {
        return response.headers().firstValue(name).orElse("none");
    }
}
