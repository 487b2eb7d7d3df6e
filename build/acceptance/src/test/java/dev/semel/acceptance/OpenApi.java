// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import io.vertx.core.json.DecodeException;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The openapi.yaml of a server, and the violations of an exchange.
 *
 * <p>Every response must be described: its status, its media type, its body, its headers. A request that the server accepted
 * must be valid. A refused request may be invalid on purpose.
 */
final class OpenApi {
    // Methods are case-sensitive, although the document has them in lower case.
    private static final Set<String> METHODS = Set.of("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");
    private static final String PROBLEM = "application/problem+json";

    /** Headers with a special meaning here. A response with one of them must be described with it. */
    private static final Set<String> TELLING = Set.of(
            "x-idempotency-key",
            "x-idempotency-status",
            "idempotent-replayed",
            "idempotency-differs",
            "retry-after",
            "www-authenticate",
            "allow",
            "location");

    private final JsonObject paths;
    private final Schemas schemas;

    private OpenApi(JsonObject document) {
        this.paths = document.getJsonObject("paths");
        this.schemas = new Schemas(document);
    }

    static OpenApi parse(String yaml) {
        JsonObject document = Yaml.parse(yaml);
        if (!document.getString("openapi", "").startsWith("3.1")) {
            throw new AssertionError("Not an OpenAPI 3.1 document");
        }
        return new OpenApi(document);
    }

    /** All operations, as "POST /v1/claims". */
    List<String> operations() {
        return described().stream().map(Operation::toString).toList();
    }

    /** All operations with their descriptions. */
    List<Operation> described() {
        List<Operation> all = new ArrayList<>();
        for (String path : paths.fieldNames()) {
            JsonObject item = paths.getJsonObject(path);
            for (String member : item.fieldNames()) {
                if (METHODS.contains(member.toUpperCase(Locale.ROOT))) {
                    all.add(Operation.of(schemas, path, item, member));
                }
            }
        }
        return all;
    }

    List<String> violations(Ask ask, Answer answer) {
        PathTemplate template = PathTemplate.matching(paths.fieldNames(), ask.path());
        JsonObject item = template == null ? null : paths.getJsonObject(template.text());
        JsonObject operation = item == null || !METHODS.contains(ask.method())
                ? null
                : item.getJsonObject(ask.method().toLowerCase(Locale.ROOT));
        if (operation == null) {
            return undescribed(answer);
        }
        List<String> found = new ArrayList<>(answerViolations(operation, answer));
        // An unhealthy server reports its health in the same form.
        if (answer.status() >= 400 && !ask.path().startsWith("/health")) {
            found.addAll(problemViolations(answer));
        }
        if (answer.status() < 300) {
            found.addAll(new RequestRules(schemas, item, operation, template).violations(ask));
        }
        return found;
    }

    /** An unknown path or method is refused, in the form of all errors. */
    static List<String> undescribed(Answer answer) {
        List<String> found = new ArrayList<>();
        if (answer.status() < 400 || answer.status() > 499) {
            found.add("status %d for a path or method that is not described".formatted(answer.status()));
        }
        found.addAll(problemViolations(answer));
        return found;
    }

    /** The rules for every error, regardless of the document. */
    static List<String> problemViolations(Answer answer) {
        if (!answer.mediaType().equals(PROBLEM)) {
            return List.of("an error of media type '%s'".formatted(answer.mediaType()));
        }
        List<String> found = new ArrayList<>();
        JsonObject problem;
        try {
            problem = answer.json();
        } catch (DecodeException e) {
            return List.of("a problem that is no JSON");
        }
        for (String member : List.of("type", "title", "detail")) {
            if (!(problem.getValue(member) instanceof String text) || text.isBlank()) {
                found.add("a problem without " + member);
            }
        }
        if (!Integer.valueOf(answer.status()).equals(problem.getValue("status"))) {
            found.add("a problem whose status is not that of the answer");
        }
        return found;
    }

    private List<String> answerViolations(JsonObject operation, Answer answer) {
        JsonObject described = describedAnswer(operation, answer.status());
        if (described == null) {
            return List.of("status %d is not described".formatted(answer.status()));
        }
        List<String> found = new ArrayList<>();
        found.addAll(headerViolations(described.getJsonObject("headers", new JsonObject()), answer));
        JsonObject content = described.getJsonObject("content", new JsonObject());
        if (content.isEmpty()) {
            if (answer.body().length > 0) {
                found.add("a body where none is described");
            }
            return found;
        }
        JsonObject media = content.getJsonObject(answer.mediaType());
        if (media == null) {
            found.add("media type '%s' is not described".formatted(answer.mediaType()));
        } else {
            found.addAll(schemas.bodyViolations(media, answer.mediaType(), answer.text()));
            found.addAll(statusViolations(described, answer));
        }
        return found;
    }

    /** The member {@code status} distinguishes responses of one schema. {@code x-statuses} lists the allowed values. */
    private static List<String> statusViolations(JsonObject described, Answer answer) {
        JsonArray statuses = described.getJsonArray("x-statuses");
        if (statuses == null) {
            return List.of();
        }
        String status = answer.get("status");
        return statuses.contains(status)
                ? List.of()
                : List.of("status '%s' in an answer of %d".formatted(status, answer.status()));
    }

    private JsonObject describedAnswer(JsonObject operation, int status) {
        JsonObject answers = operation.getJsonObject("responses");
        for (String name : List.of("" + status, status / 100 + "XX", "default")) {
            if (answers.containsKey(name)) {
                return schemas.resolve(answers.getJsonObject(name));
            }
        }
        return null;
    }

    private List<String> headerViolations(JsonObject described, Answer answer) {
        Map<String, JsonObject> byName = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        described.forEach(entry -> byName.put(entry.getKey(), schemas.resolve((JsonObject) entry.getValue())));
        List<String> found = new ArrayList<>();
        byName.forEach((name, header) -> {
            String value = answer.headers().firstValue(name).orElse(null);
            if (value == null) {
                if (header.getBoolean("required", false)) {
                    found.add("header %s is missing".formatted(name));
                }
            } else if (!schemas.acceptsText(header.getJsonObject("schema", Schemas.ANY), value)) {
                found.add("header %s is not as described".formatted(name));
            }
        });
        for (String name : answer.headers().map().keySet()) {
            if (TELLING.contains(name.toLowerCase(Locale.ROOT)) && !byName.containsKey(name)) {
                found.add("header %s is not described".formatted(name));
            }
        }
        return found;
    }

    static Object decode(String json) {
        return Json.decodeValue(json);
    }
}
