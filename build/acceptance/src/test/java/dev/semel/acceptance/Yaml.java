// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Date;
import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** Reads YAML as JSON. */
final class Yaml {
    private Yaml() {}

    static JsonObject parse(String yaml) {
        Object loaded = new org.yaml.snakeyaml.Yaml(new SafeConstructor(new LoaderOptions())).load(yaml);
        if (json(loaded) instanceof JsonObject object) {
            return object;
        }
        throw new AssertionError("Not a YAML mapping");
    }

    private static Object json(Object value) {
        if (value instanceof Map<?, ?> map) {
            JsonObject object = new JsonObject();
            map.forEach((name, member) -> object.put(String.valueOf(name), json(member)));
            return object;
        }
        if (value instanceof List<?> list) {
            JsonArray array = new JsonArray();
            list.forEach(element -> array.add(json(element)));
            return array;
        }
        // Only examples contain dates, and they are not checked.
        return value instanceof Date date ? date.toInstant().toString() : value;
    }
}
