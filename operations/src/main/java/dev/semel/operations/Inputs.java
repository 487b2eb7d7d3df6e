// SPDX-License-Identifier: Apache-2.0
package dev.semel.operations;

import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonBoolean;
import dev.semel.payload.json.JsonNumber;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The inputs of an operation. Immutable; the order of inputs does not matter.
 *
 * <pre>{@code
 * Inputs.none().and("intakeId", 123).and("targetSection", "hero").userText(whatTheUserTyped)
 * }</pre>
 */
public final class Inputs {
    private static final Inputs NONE = new Inputs(new JsonObject(Map.of()));

    private final JsonObject json;

    private Inputs(JsonObject json) {
        this.json = json;
    }

    public static Inputs none() {
        return NONE;
    }

    public Inputs and(String name, long value) {
        return and(name, JsonNumber.of(value));
    }

    public Inputs and(String name, boolean value) {
        return and(name, new JsonBoolean(value));
    }

    /** Adds text that the program made, such as an id. For text that a user typed, use {@link #userText}. */
    public Inputs and(String name, String value) {
        return and(name, new JsonString(value));
    }

    /**
     * Adds a JSON value.
     *
     * @throws IllegalArgumentException if an input with this name already exists
     */
    public Inputs and(String name, Json value) {
        Map<String, Json> members = new LinkedHashMap<>(json.members());
        if (members.put(name, value) != null) {
            throw new IllegalArgumentException("The input %s already exists".formatted(name));
        }
        return new Inputs(new JsonObject(members));
    }

    /** Adds text that a user typed, as its hash {@link UserText#hash} in the member {@value UserText#MEMBER}. */
    public Inputs userText(String text) {
        return new Inputs(UserText.into(json, text));
    }

    public JsonObject json() {
        return json;
    }

    @Override
    public String toString() {
        return "Inputs[" + json.members().size() + "]";
    }
}
