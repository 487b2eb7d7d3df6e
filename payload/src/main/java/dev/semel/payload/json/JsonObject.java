// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload.json;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A JSON object. Its members keep the order in which they were read. Comparisons ignore this order. */
public final class JsonObject implements Json {
    private final Map<String, Json> members;

    public JsonObject(Map<String, Json> members) {
        members.forEach(JsonObject::check);
        this.members = Collections.unmodifiableMap(new LinkedHashMap<>(members));
    }

    private JsonObject(Builder builder) {
        this.members = Collections.unmodifiableMap(builder.members);
    }

    public Map<String, Json> members() {
        return members;
    }

    /** The member of this name, or empty. */
    public Optional<Json> member(String name) {
        return Optional.ofNullable(members.get(name));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof JsonObject object && members.equals(object.members);
    }

    @Override
    public int hashCode() {
        return members.hashCode();
    }

    @Override
    public String toString() {
        return "object of " + members.size();
    }

    private static void check(String name, Json value) {
        Unicode.check("A member's name", name);
        Objects.requireNonNull(value, "A member's value must not be null: use JsonNull.NULL for the JSON null");
    }

    /** Builds an object without the copy that {@link JsonObject} makes of a given map. */
    public static final class Builder {
        private Map<String, Json> members = new LinkedHashMap<>();

        /** Starts with no members. */
        public Builder() {}

        /** Sets a member. A member of the same name is replaced and keeps its position. */
        public Builder put(String name, Json value) {
            check(name, value);
            members.put(name, value);
            return this;
        }

        /** Sets a member unless a member of this name exists. */
        public Builder putIfAbsent(String name, Json value) {
            check(name, value);
            members.putIfAbsent(name, value);
            return this;
        }

        /** Sets a member whose name was checked by the parser. Returns false if a member of this name exists. */
        boolean read(String name, Json value) {
            return members.put(name, value) == null;
        }

        /** Returns the object. Later calls of {@code put} do not change it. */
        public JsonObject build() {
            JsonObject object = new JsonObject(this);
            members = new LinkedHashMap<>();
            return object;
        }
    }
}
