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
 * What changes from one delivery to the next without changing what is asked for. Left out before two documents are
 * compared.
 *
 * @param names members of exactly these names, at any depth
 * @param pointers values at exactly these places
 */
public record VolatileMembers(Set<String> names, Set<JsonPointer> pointers) {
    /** Every member counts. */
    public static final VolatileMembers NONE = new VolatileMembers(Set.of(), Set.of());

    /**
     * The usual names of the time at which something was sent: {@code timestamp}, {@code ts}, {@code created_at},
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
                    "The empty pointer would leave out the whole document, and all requests would be the same:"
                            + " name a member, such as /meta/sent");
        }
    }

    /** These and members of these names, for example request ids. */
    public VolatileMembers andNames(String... more) {
        Set<String> all = new HashSet<>(names);
        all.addAll(List.of(more));
        return new VolatileMembers(all, pointers);
    }

    /** These and the values at these JSON pointers. */
    public VolatileMembers andPointers(String... more) {
        Set<JsonPointer> all = new HashSet<>(pointers);
        for (String pointer : more) {
            all.add(JsonPointer.of(pointer));
        }
        return new VolatileMembers(names, all);
    }

    /** The document without them. */
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

    /** Without configured pointers nobody looks at the place, and a deep document would cost its depth for each value. */
    private JsonPointer child(JsonPointer here, String token) {
        return pointers.isEmpty() ? here : here.child(token);
    }
}
