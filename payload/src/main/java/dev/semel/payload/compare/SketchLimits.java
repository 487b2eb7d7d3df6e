// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload.compare;

/**
 * The limits of sketches and of differences.
 *
 * @param maxLeaves the maximum number of leaves of a sketch
 * @param maxBytes the maximum number of bytes of a sketch
 * @param maxChanges the maximum number of changes that a difference lists
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
