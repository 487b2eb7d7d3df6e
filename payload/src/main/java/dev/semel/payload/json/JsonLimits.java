// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload.json;

import dev.semel.claim.StoredResult;

/**
 * How large a document may be. Numbers have fixed bounds of their own, see {@link JsonNumber}.
 *
 * @param maxDepth how deep arrays and objects may be nested, up to {@value Json#MAX_DEPTH}
 * @param maxBytes how many bytes a document may have
 * @param maxValues how many values it may hold: a value of two bytes costs a hundred in memory
 */
public record JsonLimits(int maxDepth, int maxBytes, int maxValues) {
    /** 128 deep, 16 MiB, half a million values. */
    public static final JsonLimits DEFAULT = new JsonLimits(128, StoredResult.MAX_BYTES, 500_000);

    public JsonLimits {
        check("maxDepth", maxDepth, Json.MAX_DEPTH);
        check("maxBytes", maxBytes, Integer.MAX_VALUE);
        check("maxValues", maxValues, Integer.MAX_VALUE);
    }

    private static void check(String name, int value, int max) {
        if (value < 1 || value > max) {
            throw new IllegalArgumentException("%s must be 1 to %d, but is %d".formatted(name, max, value));
        }
    }
}
