// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.demo;

import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonException;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** A client of the demo's server, with nothing but its public API. */
final class DemoClient {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final Map<String, String> JSON = Map.of("Content-Type", "application/json");

    private final String url;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    DemoClient(String url) {
        this.url = url;
    }

    /** An answer. Members of bodies that are not JSON objects are absent. */
    record Response(int status, String body) {
        Optional<String> text(String member) {
            try {
                return Json.parse(body.getBytes(StandardCharsets.UTF_8)) instanceof JsonObject object
                                && object.members().get(member) instanceof JsonString text
                        ? Optional.of(text.value())
                        : Optional.empty();
            } catch (JsonException e) {
                return Optional.empty();
            }
        }
    }

    Response post(String path, String json) throws InterruptedException {
        return post(path, JSON, json.getBytes(StandardCharsets.UTF_8));
    }

    Response post(String path, Map<String, String> headers, byte[] body) throws InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + path))
                .timeout(TIMEOUT)
                .POST(HttpRequest.BodyPublishers.ofByteArray(body));
        headers.forEach(request::header);
        try {
            HttpResponse<String> answer = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
            return new Response(answer.statusCode(), answer.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Claims, and settles the claim if it was granted. */
    Response once(String claim, String result) throws InterruptedException {
        return once("/v1/claims", claim, result);
    }

    Response once(String path, String claim, String result) throws InterruptedException {
        Response answer = post(path, claim);
        settle(answer, "succeed", "\"result\":" + result);
        return answer;
    }

    /** Settles a claim if it was granted. */
    void settle(Response claimed, String how, String members) throws InterruptedException {
        Optional<String> id = claimed.text("claim_id");
        Optional<String> token = claimed.text("token");
        if (id.isPresent() && token.isPresent()) {
            post("/v1/claims/%s/%s".formatted(id.get(), how), "{\"token\":\"%s\",%s}".formatted(token.get(), members));
        }
    }
}
