// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.json.schema.Draft;
import io.vertx.json.schema.JsonSchema;
import io.vertx.json.schema.JsonSchemaOptions;
import io.vertx.json.schema.OutputFormat;
import io.vertx.json.schema.OutputUnit;
import io.vertx.json.schema.Validator;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** The schemas of a document, and their validation. */
final class Schemas {
    /** Accepts everything. */
    static final JsonObject ANY = new JsonObject();

    private static final String COMPONENTS = "#/components/schemas/";

    private final JsonObject document;
    private final JsonObject definitions;

    /** By identity, because the document does not change, and printing a schema for every value takes long. */
    private final Map<JsonObject, Validator> validators = Collections.synchronizedMap(new IdentityHashMap<>());

    /** By its text, because many places have equal schemas, and a validator takes long to make. */
    private final Map<String, Validator> distinct = new HashMap<>();

    Schemas(JsonObject document) {
        this.document = document;
        JsonObject components = document.getJsonObject("components", new JsonObject());
        this.definitions = (JsonObject) standingAlone(components.getJsonObject("schemas", new JsonObject()));
    }

    /** Resolves a reference. Any other object is returned unchanged. */
    JsonObject resolve(JsonObject object) {
        String reference = object.getString("$ref");
        if (reference == null) {
            return object;
        }
        JsonObject found = document;
        for (String step : reference.replaceFirst("^#/", "").split("/", -1)) {
            found = found.getJsonObject(step.replace("~1", "/").replace("~0", "~"));
            if (found == null) {
                throw new AssertionError("openapi.yaml refers to %s, which does not exist".formatted(reference));
            }
        }
        return resolve(found);
    }

    /** A body with one JSON document, with one per line, or with other content, which is not checked. */
    List<String> bodyViolations(JsonObject media, String mediaType, String text) {
        JsonObject schema = media.getJsonObject("schema");
        if (schema == null || !mediaType.endsWith("json")) {
            return List.of();
        }
        if ("string".equals(schema.getValue("type"))) {
            // Any line may be invalid, and each has its own result.
            return violations(schema, text);
        }
        List<String> documents = mediaType.endsWith("ndjson")
                ? text.lines().filter(line -> !line.isBlank()).toList()
                : List.of(text);
        List<String> found = new ArrayList<>();
        for (String json : documents) {
            try {
                Object value = OpenApi.decode(json);
                found.addAll(violations(schema, value));
                found.addAll(new MembersByStatus(this).violations(schema, value));
            } catch (DecodeException e) {
                found.add("a body that is no JSON");
            }
        }
        return found;
    }

    /** @param schema of the document, or {@link #ANY} */
    List<String> violations(JsonObject schema, Object value) {
        OutputUnit result = validators
                .computeIfAbsent(schema, known -> distinct.computeIfAbsent(known.encode(), text -> validator(known)))
                .validate(value);
        if (result.getValid()) {
            return List.of();
        }
        List<String> found = new ArrayList<>();
        if (result.getErrors() != null) {
            result.getErrors().forEach(error -> found.add(error.getInstanceLocation() + ": " + error.getError()));
        }
        return found.isEmpty() ? List.of("a value that is not as described") : found;
    }

    /** A header or parameter is text. For a schema of a number or a boolean it is converted. */
    boolean acceptsText(JsonObject schema, String text) {
        if (violations(schema, text).isEmpty()) {
            return true;
        }
        try {
            Object value = OpenApi.decode(text);
            return !(value instanceof String) && violations(schema, value).isEmpty();
        } catch (DecodeException notJson) {
            return false;
        }
    }

    private Validator validator(JsonObject schema) {
        JsonObject whole = new JsonObject()
                .put("$schema", "https://json-schema.org/draft/2020-12/schema")
                // A copy, because a validator changes its schema.
                .put("$defs", definitions.copy())
                .put("allOf", new JsonArray().add(standingAlone(schema)));
        return Validator.create(
                JsonSchema.of(whole),
                new JsonSchemaOptions()
                        .setBaseUri("urn:semel:" + distinct.size())
                        .setDraft(Draft.DRAFT202012)
                        .setOutputFormat(OutputFormat.Basic));
    }

    /** A copy whose references point to the place where {@link #validator} puts the document's schemas. */
    private static Object standingAlone(Object value) {
        if (value instanceof JsonObject object) {
            JsonObject copy = new JsonObject();
            object.forEach(member -> copy.put(
                    member.getKey(),
                    member.getKey().equals("$ref")
                            ? member.getValue().toString().replace(COMPONENTS, "#/$defs/")
                            : standingAlone(member.getValue())));
            return copy;
        }
        if (value instanceof JsonArray array) {
            JsonArray copy = new JsonArray();
            array.forEach(element -> copy.add(standingAlone(element)));
            return copy;
        }
        return value;
    }
}
