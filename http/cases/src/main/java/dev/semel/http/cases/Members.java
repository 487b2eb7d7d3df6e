// SPDX-License-Identifier: Apache-2.0
package dev.semel.http.cases;

import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonArray;
import dev.semel.payload.json.JsonBoolean;
import dev.semel.payload.json.JsonNull;
import dev.semel.payload.json.JsonNumber;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The members of a JSON object, each read at most once. A member that is never read is an error in the data. */
final class Members {
    private final String where;
    private final Map<String, Json> left;

    private Members(String where, Map<String, Json> left) {
        this.where = where;
        this.left = left;
    }

    static Members of(String where, Json json) {
        if (!(json instanceof JsonObject object)) {
            throw new IllegalArgumentException("%s must be an object, but is %s".formatted(where, json));
        }
        return new Members(where, new LinkedHashMap<>(object.members()));
    }

    /** All members by name. */
    Map<String, Json> all() {
        return Map.copyOf(left);
    }

    boolean has(String name) {
        return left.containsKey(name);
    }

    Optional<Json> json(String name) {
        return Optional.ofNullable(left.remove(name));
    }

    /** Whether the member exists and is null. */
    boolean isNull(String name) {
        if (left.get(name) == JsonNull.NULL) {
            left.remove(name);
            return true;
        }
        return false;
    }

    Optional<String> text(String name) {
        return json(name).map(json -> text(name, json));
    }

    /** A number. It may come from a placeholder. */
    Optional<Integer> number(String name) {
        return json(name)
                .map(json -> Integer.parseInt(json instanceof JsonNumber number ? number.text() : text(name, json)));
    }

    boolean flag(String name) {
        Json json = left.remove(name);
        if (json != null && !(json instanceof JsonBoolean)) {
            throw new IllegalArgumentException("%s of %s must be true or false".formatted(name, where));
        }
        return json instanceof JsonBoolean flag && flag.value();
    }

    List<Json> list(String name) {
        Json json = left.remove(name);
        if (json == null) {
            return List.of();
        }
        if (!(json instanceof JsonArray array)) {
            throw new IllegalArgumentException("%s of %s must be a list".formatted(name, where));
        }
        return array.elements();
    }

    List<String> texts(String name) {
        return list(name).stream().map(json -> text(name, json)).toList();
    }

    /** An object whose members are texts or lists of texts. */
    Map<String, List<String>> textsByName(String name) {
        Map<String, List<String>> all = new LinkedHashMap<>();
        json(name)
                .ifPresent(json -> Members.of(name + " of " + where, json).left.forEach((key, value) -> {
                    List<String> texts = new ArrayList<>();
                    if (value instanceof JsonArray array) {
                        array.elements().forEach(one -> texts.add(text(key, one)));
                    } else {
                        texts.add(text(key, value));
                    }
                    all.put(key, List.copyOf(texts));
                }));
        return all;
    }

    Optional<Members> object(String name) {
        return json(name).map(json -> of(name + " of " + where, json));
    }

    /** These members, and those of the other that are missing here. */
    Members orElse(Members defaults) {
        Map<String, Json> all = new LinkedHashMap<>(defaults.left);
        all.putAll(left);
        return new Members(where, all);
    }

    Members copy() {
        return new Members(where, new LinkedHashMap<>(left));
    }

    /** @throws IllegalArgumentException if a member was not read */
    void end() {
        Set<String> names = new TreeSet<>(left.keySet());
        if (!names.isEmpty()) {
            throw new IllegalArgumentException("%s has unknown members: %s".formatted(where, names));
        }
    }

    private String text(String name, Json json) {
        if (json instanceof JsonString string) {
            return string.value();
        }
        throw new IllegalArgumentException("%s of %s must be text, but is %s".formatted(name, where, json));
    }
}
