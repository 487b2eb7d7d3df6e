// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload.redact;

import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonArray;
import dev.semel.payload.json.JsonBoolean;
import dev.semel.payload.json.JsonNumber;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What an allowed field may hold. A value of another type is left out; none is ever converted or cut. */
public sealed interface FieldType {
    /** What of the value may be kept; empty if nothing. */
    Optional<Json> kept(Json value);

    /** {@code true} or {@code false}. */
    record Bool() implements FieldType {
        @Override
        public Optional<Json> kept(Json value) {
            return Optional.of(value).filter(JsonBoolean.class::isInstance);
        }
    }

    /** A number. */
    record Numeric() implements FieldType {
        @Override
        public Optional<Json> kept(Json value) {
            return Optional.of(value).filter(JsonNumber.class::isInstance);
        }
    }

    /** A list of numbers, such as ids. */
    record Numbers(int maxItems) implements FieldType {
        public Numbers {
            Bound.check("maxItems", maxItems);
        }

        @Override
        public Optional<Json> kept(Json value) {
            return Optional.of(value)
                    .filter(json -> json instanceof JsonArray array
                            && array.elements().size() <= maxItems
                            && array.elements().stream().allMatch(JsonNumber.class::isInstance));
        }
    }

    /** A string of at most so many characters. */
    record Text(int maxLength) implements FieldType {
        public Text {
            Bound.check("maxLength", maxLength);
        }

        @Override
        public Optional<Json> kept(Json value) {
            return Optional.of(value)
                    .filter(json ->
                            json instanceof JsonString string && string.value().length() <= maxLength);
        }
    }

    /** One word of an enumeration that is not spelled out here: ASCII letters, digits, {@code _}, {@code -}, {@code .}. */
    record Word(int maxLength) implements FieldType {
        public Word {
            Bound.check("maxLength", maxLength);
        }

        @Override
        public Optional<Json> kept(Json value) {
            return new Text(maxLength)
                    .kept(value)
                    .filter(json -> json instanceof JsonString string
                            && !string.value().isEmpty()
                            && string.value().chars().allMatch(Word::isPart));
        }

        private static boolean isPart(int c) {
            return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || "_-.".indexOf(c) >= 0;
        }
    }

    /** One of these strings. */
    record OneOf(Set<String> values) implements FieldType {
        public OneOf {
            values = Set.copyOf(values);
        }

        @Override
        public Optional<Json> kept(Json value) {
            return Optional.of(value)
                    .filter(json -> json instanceof JsonString string && values.contains(string.value()));
        }
    }

    /**
     * Primitives without structure of their own: a scalar, a list of scalars, or an object whose members are such. What
     * is nested deeper, too long or too many is left out.
     */
    record Primitives(int maxItems, int maxLength) implements FieldType {
        public Primitives {
            Bound.check("maxItems", maxItems);
            Bound.check("maxLength", maxLength);
        }

        @Override
        public Optional<Json> kept(Json value) {
            return value instanceof JsonObject object ? Optional.of(flat(object)) : scalars(value);
        }

        private Json flat(JsonObject object) {
            Map<String, Json> members = new LinkedHashMap<>();
            object.members().forEach((name, value) -> {
                if (members.size() < maxItems && name.length() <= maxLength) {
                    scalars(value).ifPresent(kept -> members.put(name, kept));
                }
            });
            return new JsonObject(members);
        }

        private Optional<Json> scalars(Json value) {
            if (value instanceof JsonArray array) {
                // All or nothing: a list with holes would say something else than what was said.
                return Optional.of(value)
                        .filter(list -> array.elements().size() <= maxItems
                                && array.elements().stream().allMatch(this::isScalar));
            }
            return Optional.of(value).filter(this::isScalar);
        }

        private boolean isScalar(Json value) {
            if (value instanceof JsonString string) {
                return string.value().length() <= maxLength;
            }
            return !(value instanceof JsonObject) && !(value instanceof JsonArray);
        }
    }
}
