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

/** The type of an allowed field. A value of another type is omitted. Values are never converted or truncated. */
public sealed interface FieldType {
    /** The part of the value that may be kept, or empty. */
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

    /** A string of limited length. */
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

    /** One word, such as the name of a status: ASCII letters, digits, {@code _}, {@code -} and {@code .}. */
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
     * Primitives without nested structure: a scalar, a list of scalars, or an object whose members are scalars or lists of
     * scalars. Values that are nested deeper or exceed a limit are omitted.
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
                // All elements or none: a list with gaps would have a different meaning.
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
