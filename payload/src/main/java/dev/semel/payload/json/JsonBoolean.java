// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload.json;

/** A JSON {@code true} or {@code false}. */
public record JsonBoolean(boolean value) implements Json {
    @Override
    public String toString() {
        return "boolean";
    }
}
