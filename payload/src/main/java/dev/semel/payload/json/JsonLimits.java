// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload.json;

import dev.semel.claim.StoredResult;

/**
 * The maximum size of a document. Numbers have fixed limits, see {@link JsonNumber}.
 *
 * @param maxDepth the maximum nesting of arrays and objects, up to {@value Json#MAX_DEPTH}
 * @param maxBytes the maximum number of bytes of a document
 * @param maxValues the maximum number of values. A value of two bytes needs about a hundred bytes of memory.
 */
public record JsonLimits(int maxDepth, int maxBytes, int maxValues) {
    /** Depth 128, 16 MiB, 500,000 values. */
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
