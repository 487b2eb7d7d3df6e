// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload.compare;

import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonArray;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonPointer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Members that differ between deliveries of the same request, such as timestamps. They are removed before two documents are
 * compared.
 *
 * @param names exact names of members, at any depth
 * @param pointers pointers to single values
 */
public record VolatileMembers(Set<String> names, Set<JsonPointer> pointers) {
    /** No volatile members. */
    public static final VolatileMembers NONE = new VolatileMembers(Set.of(), Set.of());

    /**
     * Common names for the time of sending: {@code timestamp}, {@code ts}, {@code created_at},
     * {@code updated_at}, {@code sent_at}, {@code received_at}, and their camelCase forms.
     */
    public static final VolatileMembers TIMESTAMPS = NONE.andNames(
            "timestamp",
            "ts",
            "created_at",
            "createdAt",
            "updated_at",
            "updatedAt",
            "sent_at",
            "sentAt",
            "received_at",
            "receivedAt");

    public VolatileMembers {
        names = Set.copyOf(names);
        pointers = Set.copyOf(pointers);
        if (pointers.contains(JsonPointer.ROOT)) {
            throw new IllegalArgumentException(
                    "The empty pointer would remove the whole document, and all requests would be equal:"
                            + " point to a member, such as /meta/sent");
        }
    }

    /** These and additional member names, such as those of request ids. */
    public VolatileMembers andNames(String... more) {
        Set<String> all = new HashSet<>(names);
        all.addAll(List.of(more));
        return new VolatileMembers(all, pointers);
    }

    /** These and additional JSON pointers. */
    public VolatileMembers andPointers(String... more) {
        Set<JsonPointer> all = new HashSet<>(pointers);
        for (String pointer : more) {
            all.add(JsonPointer.of(pointer));
        }
        return new VolatileMembers(names, all);
    }

    /** The document without the volatile members. */
    public Json leftOutOf(Json json) {
        return names.isEmpty() && pointers.isEmpty() ? json : without(json, JsonPointer.ROOT);
    }

    private Json without(Json json, JsonPointer here) {
        if (json instanceof JsonObject object) {
            Map<String, Json> kept = new LinkedHashMap<>();
            object.members().forEach((name, value) -> {
                JsonPointer there = child(here, name);
                if (!names.contains(name) && !pointers.contains(there)) {
                    kept.put(name, without(value, there));
                }
            });
            return new JsonObject(kept);
        }
        if (json instanceof JsonArray array) {
            List<Json> kept = new ArrayList<>();
            for (int i = 0; i < array.elements().size(); i++) {
                JsonPointer there = child(here, Integer.toString(i));
                if (!pointers.contains(there)) {
                    kept.add(without(array.elements().get(i), there));
                }
            }
            return new JsonArray(kept);
        }
        return json;
    }

    /** Without configured pointers the place is not needed. Skipping it saves time proportional to the depth for each value. */
    private JsonPointer child(JsonPointer here, String token) {
        return pointers.isEmpty() ? here : here.child(token);
    }
}
