// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.cli;

import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonException;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.net.ssl.SSLException;

/** A running server. */
final class RemoteAdmin implements AdminTarget {
    private static final Duration CONNECT = Duration.ofSeconds(5);

    /** Most answers take milliseconds. A dry run of the cleanup counts up to a million rows of each kind. */
    private static final Duration LONGEST = Duration.ofMinutes(5);

    private final URI server;
    private final Optional<String> token;
    private final Optional<String> tenant;
    private final String actor;
    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(CONNECT).build();

    RemoteAdmin(URI server, Optional<String> token, Optional<String> tenant, String actor) {
        this.server = server;
        this.token = token;
        this.tenant = tenant;
        this.actor = actor;
    }

    @Override
    public JsonObject get(String path, Map<String, String> query) {
        String parameters = query.entrySet().stream()
                .map(one -> one.getKey() + "=" + URLEncoder.encode(one.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
        return send(
                request(path + (parameters.isEmpty() ? "" : "?" + parameters)).GET());
    }

    @Override
    public JsonObject post(String path, Json body) {
        return send(request(path)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofByteArray(body.utf8())));
    }

    private HttpRequest.Builder request(String path) {
        try {
            HttpRequest.Builder request =
                    HttpRequest.newBuilder(URI.create(server + path)).timeout(LONGEST);
            token.ifPresent(text -> request.header("Authorization", "Bearer " + text));
            tenant.ifPresent(name -> request.header("X-Organization-Id", name));
            if (!actor.isEmpty()) {
                request.header("X-Actor-Id", actor);
            }
            return request;
        } catch (IllegalArgumentException e) {
            // Do not use the exception's message. It quotes the header, which may be the token.
            throw new CommandException("--token, --tenant or --actor contains a character that a header cannot have");
        }
    }

    private JsonObject send(HttpRequest.Builder request) {
        HttpResponse<byte[]> response;
        try {
            response = client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
        } catch (SSLException e) {
            throw new CommandException(
                    ("The certificate of %s is not trusted, or it does not speak TLS (%s). If its certificate is not signed"
                                    + " by a public authority, set SEMEL_JAVA_OPTS=-Djavax.net.ssl.trustStore=FILE")
                            .formatted(server, e.getClass().getSimpleName()));
        } catch (IOException e) {
            throw new CommandException(
                    ("The server %s does not answer (%s). Start it with `semel serve`, set --url, or name the"
                                    + " database with --database-url or --data-dir")
                            .formatted(server, e.getClass().getSimpleName()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandException("Interrupted while waiting for " + server);
        }
        Optional<JsonObject> answer = parsed(response.body());
        if (response.statusCode() / 100 == 2 && answer.isPresent()) {
            return answer.get();
        }
        String detail = answer.flatMap(problem -> problem.member("detail"))
                .map(text -> text instanceof JsonString words ? words.value() : "no details")
                .orElse("the answer is not one of Semel's: check --url");
        throw new CommandException("%s answered %d: %s%s"
                .formatted(server, response.statusCode(), detail, hint(response.statusCode(), answer)));
    }

    /** What to change on the command line; empty if the details say enough. */
    private static String hint(int status, Optional<JsonObject> problem) {
        if (status == 401) {
            return ". Set SEMEL_TOKEN";
        }
        boolean tenant = problem.flatMap(members -> members.member("field"))
                .equals(Optional.of(new JsonString("X-Organization-Id")));
        return tenant ? ". Set --tenant" : "";
    }

    private static Optional<JsonObject> parsed(byte[] body) {
        try {
            return Json.parse(body) instanceof JsonObject object ? Optional.of(object) : Optional.empty();
        } catch (JsonException e) {
            return Optional.empty();
        }
    }

    /** Nothing to close: the client ends with the process. */
    @Override
    public void close() {}
}
