// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import dev.semel.content.json.Json;
import dev.semel.content.json.JsonArray;
import dev.semel.content.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A delivery of many events as if it had been sent with one of them, so that whoever reads it needs no second form. */
final class Excerpt {
    private Excerpt() {}

    /**
     * @param path to the event, through member names and indexes; of the arrays on the way only that element is kept
     * @param siblings members beside the event's array that hold other events, and are left out
     */
    static byte[] of(Json delivery, List<String> path, Set<String> siblings) {
        return only(delivery, path, siblings).utf8();
    }

    private static Json only(Json json, List<String> path, Set<String> siblings) {
        if (path.isEmpty()) {
            return json;
        }
        String next = path.get(0);
        List<String> rest = path.subList(1, path.size());
        if (json instanceof JsonArray array) {
            return new JsonArray(List.of(only(array.elements().get(Integer.parseInt(next)), rest, siblings)));
        }
        Map<String, Json> members = new LinkedHashMap<>(((JsonObject) json).members());
        members.replaceAll((name, value) -> name.equals(next) ? only(value, rest, siblings) : value);
        members.keySet().removeIf(name -> !name.equals(next) && siblings.contains(name));
        return new JsonObject(members);
    }
}
