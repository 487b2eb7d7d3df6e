// SPDX-License-Identifier: Apache-2.0
package dev.semel.content.json;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** A JSON object. Its members keep the order in which they were read, though no comparison depends on it. */
public record JsonObject(Map<String, Json> members) implements Json {
    public JsonObject {
        members.forEach((name, value) -> {
            Unicode.check("A member's name", name);
            Objects.requireNonNull(value, "A member's value must not be null: JsonNull.NULL is the JSON null");
        });
        members = Collections.unmodifiableMap(new LinkedHashMap<>(members));
    }

    /** The member of this name, if there is one. */
    public Optional<Json> member(String name) {
        return Optional.ofNullable(members.get(name));
    }

    @Override
    public String toString() {
        return "object of " + members.size();
    }
}
