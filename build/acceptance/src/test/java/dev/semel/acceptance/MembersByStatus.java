// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The rule {@code x-members-by-status} of a schema: the members of an object for each value of {@code status}. A question mark
 * after a name means that the member is optional. Generated clients need one flat schema in which every member is optional;
 * this rule makes the responses as strict as several schemas would.
 */
final class MembersByStatus {
    private static final String RULE = "x-members-by-status";
    private static final String STATUS = "status";

    private final Schemas schemas;

    MembersByStatus(Schemas schemas) {
        this.schemas = schemas;
    }

    /** The violations of the rule, in nested values too. */
    List<String> violations(JsonObject reference, Object value) {
        JsonObject schema = schemas.resolve(reference);
        List<String> found = new ArrayList<>();
        if (value instanceof JsonArray array && schema.containsKey("items")) {
            array.forEach(element -> found.addAll(violations(schema.getJsonObject("items"), element)));
        }
        if (value instanceof JsonObject object) {
            JsonObject properties = schema.getJsonObject("properties", new JsonObject());
            for (String name : object.fieldNames()) {
                if (properties.containsKey(name)) {
                    found.addAll(violations(properties.getJsonObject(name), object.getValue(name)));
                }
            }
            if (schema.containsKey(RULE)) {
                found.addAll(broken(schema.getJsonObject(RULE), object));
            }
        }
        return found;
    }

    private static List<String> broken(JsonObject rule, JsonObject object) {
        String status = object.getString(STATUS);
        if (status == null || !rule.containsKey(status)) {
            return List.of("status '%s' has no rule for its members".formatted(status));
        }
        Set<String> missing = new TreeSet<>();
        Set<String> surplus = new TreeSet<>(object.fieldNames());
        surplus.remove(STATUS);
        for (Object entry : rule.getJsonArray(status)) {
            String name = entry.toString().replace("?", "");
            if (!surplus.remove(name) && name.equals(entry)) {
                missing.add(name);
            }
        }
        List<String> found = new ArrayList<>();
        missing.forEach(name -> found.add("'%s' without %s".formatted(status, name)));
        surplus.forEach(name -> found.add("'%s' with %s".formatted(status, name)));
        return found;
    }
}
