// SPDX-License-Identifier: Apache-2.0
package dev.semel.browser;

import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonArray;
import dev.semel.payload.json.JsonNumber;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Calls the server's API, as clients of it do. */
final class ApiCaller {
    private final HttpClient client = HttpClient.newHttpClient();
    private final URI server;
    private final Map<String, String> headers;

    /** @param headers sent with every request, such as the token */
    ApiCaller(URI server, Map<String, String> headers) {
        this.server = server;
        this.headers = Map.copyOf(headers);
    }

    /**
     * A response.
     *
     * @param body an empty object if it is not JSON
     */
    record Answered(int status, JsonObject body, String raw) {
        String text(String member) {
            return body.member(member)
                    .map(json -> json instanceof JsonString string ? string.value() : json.toString())
                    .orElseThrow(() -> new AssertionError("No member %s in %s".formatted(member, raw)));
        }

        long number(String member) {
            return Long.parseLong(((JsonNumber) body.member(member).orElseThrow()).text());
        }

        List<Json> list(String member) {
            return ((JsonArray) body.member(member).orElseThrow()).elements();
        }
    }

    Answered get(String path) {
        return send(HttpRequest.newBuilder(server.resolve(path)).GET());
    }

    Answered post(String path, String json, String... moreHeaders) {
        HttpRequest.Builder request = HttpRequest.newBuilder(server.resolve(path))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json));
        for (int i = 0; i < moreHeaders.length; i += 2) {
            request.header(moreHeaders[i], moreHeaders[i + 1]);
        }
        return send(request);
    }

    private Answered send(HttpRequest.Builder request) {
        headers.forEach(request::header);
        try {
            HttpResponse<String> response =
                    client.send(request.build(), HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
            String body = response.body();
            return new Answered(
                    response.statusCode(),
                    body.startsWith("{")
                            ? (JsonObject) Json.parse(body.getBytes(StandardCharsets.UTF_8))
                            : new JsonObject(Map.of()),
                    body);
        } catch (IOException e) {
            throw new AssertionError("No answer", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /** A text as JSON. */
    static String quoted(String text) {
        return new String(new JsonString(text).utf8(), StandardCharsets.UTF_8);
    }

    /** Claims a key. */
    Answered claim(String scope, String key, String more) {
        return post("/v1/claims", "{\"scope\":%s,\"key\":%s%s}".formatted(quoted(scope), quoted(key), more));
    }

    /** Claims a key and settles it with a result, which is JSON. Returns the claim's id. */
    String succeeded(String scope, String key, String result) {
        return settled(scope, key, "succeed", "\"result\":" + result);
    }

    /** Claims a key and fails. Returns the claim's id. */
    String failed(String scope, String key, boolean retryable) {
        return settled(scope, key, "fail", "\"retryable\":" + retryable);
    }

    /** Claims a key and parks it. Returns the claim's id. */
    String parked(String scope, String key, String reason) {
        return settled(scope, key, "park", "\"reason\":" + quoted(reason));
    }

    private String settled(String scope, String key, String how, String more) {
        Answered claim = claim(scope, key, "");
        if (claim.status() != 201) {
            throw new AssertionError(claim.raw());
        }
        String id = claim.text("claim_id");
        Answered done = post(
                "/v1/claims/%s/%s".formatted(id, how),
                "{\"token\":%s,%s}".formatted(quoted(claim.text("token")), more));
        if (done.status() != 200) {
            throw new AssertionError(done.raw());
        }
        return id;
    }
}
