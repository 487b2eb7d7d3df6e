// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Checks the parameters and the body of a request against the document. */
record RequestRules(Schemas schemas, JsonObject item, JsonObject operation, PathTemplate template) {

    List<String> violations(Ask ask) {
        List<String> found = new ArrayList<>();
        Map<String, String> query = query(ask.path());
        List<JsonObject> parameters = parameters();
        for (JsonObject parameter : parameters) {
            String name = parameter.getString("name");
            String value = switch (parameter.getString("in")) {
                case "path" -> template.values().get(name);
                case "query" -> query.get(name);
                case "header" -> ask.header(name).isEmpty() ? null : ask.header(name);
                default -> null;
            };
            if (value == null && parameter.getBoolean("required", false)) {
                found.add("accepted without parameter " + name);
            } else if (value != null && !schemas.acceptsText(parameter.getJsonObject("schema"), value)) {
                found.add("accepted with a bad parameter " + name);
            }
        }
        for (String name : query.keySet()) {
            if (parameters.stream().noneMatch(known -> known.getString("name").equals(name))) {
                found.add("accepted with parameter %s, which is not described".formatted(name));
            }
        }
        found.addAll(bodyViolations(ask));
        return found;
    }

    private List<String> bodyViolations(Ask ask) {
        JsonObject body = operation.getJsonObject("requestBody");
        if (body == null) {
            return ask.body().length == 0 ? List.of() : List.of("accepted with a body where none is described");
        }
        JsonObject resolved = schemas.resolve(body);
        if (ask.body().length == 0) {
            return resolved.getBoolean("required", false) ? List.of("accepted without a body") : List.of();
        }
        String mediaType = ask.header("Content-Type").replaceFirst(";.*", "").strip();
        JsonObject media = resolved.getJsonObject("content").getJsonObject(mediaType);
        if (media == null) {
            return List.of("accepted with media type '%s', which is not described".formatted(mediaType));
        }
        return schemas.bodyViolations(media, mediaType, ask.text());
    }

    private List<JsonObject> parameters() {
        List<JsonObject> all = new ArrayList<>();
        for (JsonObject holder : List.of(item, operation)) {
            for (Object parameter : holder.getJsonArray("parameters", new JsonArray())) {
                all.add(schemas.resolve((JsonObject) parameter));
            }
        }
        return all;
    }

    private static Map<String, String> query(String path) {
        Map<String, String> all = new LinkedHashMap<>();
        int mark = path.indexOf('?');
        if (mark >= 0) {
            for (String pair : path.substring(mark + 1).split("&", -1)) {
                String[] parts = pair.split("=", 2);
                all.put(decoded(parts[0]), parts.length > 1 ? decoded(parts[1]) : "");
            }
        }
        return all;
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }
}
