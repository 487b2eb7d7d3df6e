// SPDX-License-Identifier: Apache-2.0
package dev.semel.internal;

import java.util.Objects;

/** The rule for identifying text: not empty, bounded, and valid Unicode without control characters. */
public final class BoundedText {
    private static final int NONE = -1;

    private BoundedText() {}

    /**
     * Returns the value.
     *
     * @param name the subject of the message
     * @throws IllegalArgumentException if the value breaks the rule
     */
    public static String check(String name, String value, int max) {
        Objects.requireNonNull(value, () -> name + " must not be null");
        if (value.isEmpty() || value.length() > max) {
            throw new IllegalArgumentException(
                    "%s must have 1 to %d characters, but has %d".formatted(name, max, value.length()));
        }
        int bad = firstBad(value);
        if (bad != NONE) {
            char c = value.charAt(bad);
            throw new IllegalArgumentException(
                    Character.isISOControl(c)
                            ? "%s must not hold control characters, but has U+%04X at index %d"
                                    .formatted(name, (int) c, bad)
                            : "%s must be valid Unicode, but has a lone surrogate at index %d".formatted(name, bad));
        }
        return value;
    }

    /** Whether the value is valid Unicode without control characters, so that every database returns it unchanged. */
    public static boolean isPlain(String value) {
        return firstBad(value) == NONE;
    }

    private static int firstBad(String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (Character.isISOControl(c)) {
                return i;
            }
            if (Character.isSurrogate(c)) {
                // A lone surrogate has no UTF-8 form: encoding would turn it into '?' and make two different texts
                // equal.
                boolean paired = Character.isHighSurrogate(c)
                        && i + 1 < value.length()
                        && Character.isLowSurrogate(value.charAt(i + 1));
                if (!paired) {
                    return i;
                }
                i++;
            }
        }
        return NONE;
    }
}
