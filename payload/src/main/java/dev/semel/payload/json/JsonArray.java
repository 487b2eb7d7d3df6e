// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload.json;

import java.util.List;

/** A JSON array. */
public record JsonArray(List<Json> elements) implements Json {
    public JsonArray {
        elements = List.copyOf(elements);
    }

    @Override
    public String toString() {
        return "array of " + elements.size();
    }
}
