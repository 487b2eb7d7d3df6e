// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload.compare;

/**
 * How much is remembered of a document, and how much is said about a difference.
 *
 * @param maxLeaves how many leaves a sketch holds
 * @param maxBytes how many bytes a sketch has
 * @param maxChanges how many changes a difference lists
 */
public record SketchLimits(int maxLeaves, int maxBytes, int maxChanges) {
    /** 256 leaves, 8 KiB, 20 changes. */
    public static final SketchLimits DEFAULT = new SketchLimits(256, 8_192, 20);

    public SketchLimits {
        check("maxLeaves", maxLeaves, 1, 65_535);
        check("maxBytes", maxBytes, Sketch.HEADER, 65_535);
        check("maxChanges", maxChanges, 1, 1_000);
    }

    private static void check(String name, int value, int min, int max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException("%s must be %d to %d, but is %d".formatted(name, min, max, value));
        }
    }
}
