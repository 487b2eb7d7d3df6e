// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload.redact;

/** Checks the limits of stored fields. */
final class Bound {
    private static final int MAX = 1_000_000;

    private Bound() {}

    static void check(String name, int value) {
        if (value < 1 || value > MAX) {
            throw new IllegalArgumentException("%s must be 1 to %d, but is %d".formatted(name, MAX, value));
        }
    }
}
