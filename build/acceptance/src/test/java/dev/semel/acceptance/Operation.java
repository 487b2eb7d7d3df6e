// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * One method of one path, as the document describes it.
 *
 * @param parameters those of the path and of the operation, with resolved references
 * @param body the schema of a JSON body; empty if it has none
 */
record Operation(String method, String path, JsonObject json, List<JsonObject> parameters, JsonObject body) {

    static Operation of(Schemas schemas, String path, JsonObject item, String method) {
        JsonObject operation = item.getJsonObject(method);
        List<JsonObject> parameters = new ArrayList<>();
        for (JsonObject holder : List.of(item, operation)) {
            for (Object parameter : holder.getJsonArray("parameters", new JsonArray())) {
                parameters.add(schemas.resolve((JsonObject) parameter));
            }
        }
        JsonObject content = schemas.resolve(operation.getJsonObject("requestBody", new JsonObject()))
                .getJsonObject("content", new JsonObject())
                .getJsonObject("application/json", new JsonObject());
        JsonObject body = schemas.resolve(content.getJsonObject("schema", new JsonObject()));
        return new Operation(method.toUpperCase(Locale.ROOT), path, operation, parameters, body);
    }

    String id() {
        return json.getString("operationId");
    }

    /** The roles that may use it. */
    Access access() {
        return Access.of(json.getString("x-access"), this);
    }

    /** The kind of thing it is about, and how a tenant's own is found. */
    JsonObject belongs() {
        return json.getJsonObject("x-belongs", new JsonObject());
    }

    /** The kind of thing it is about. */
    String kind() {
        return belongs().getString("kind", "");
    }

    /** How a tenant's own is found: key, id, list, address or signature. */
    String by() {
        return belongs().getString("by", "");
    }

    /** The names of its parameters of this kind: path, query or header. */
    List<String> names(String in) {
        return parameters.stream()
                .filter(parameter -> parameter.getString("in").equals(in))
                .map(parameter -> parameter.getString("name"))
                .toList();
    }

    /** The path with a value for each of its names. */
    String filled(UnaryOperator<String> values) {
        String filled = path;
        for (String name : names("path")) {
            filled = filled.replace("{" + name + "}", values.apply(name));
        }
        return filled;
    }

    /** The path with these values. */
    String filled(Map<String, String> values) {
        return filled(values::get);
    }

    @Override
    public String toString() {
        return method + " " + path;
    }
}
