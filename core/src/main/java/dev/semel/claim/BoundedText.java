// SPDX-License-Identifier: Apache-2.0
package dev.semel.claim;

import java.util.Objects;

/** The one rule for names that become part of a claim: present, bounded, and equal only if every character is. */
final class BoundedText {
    private BoundedText() {}

    static String check(String name, String value, int max) {
        Objects.requireNonNull(value, () -> name + " must not be null");
        if (value.isEmpty() || value.length() > max) {
            throw new IllegalArgumentException(
                    "%s must have 1 to %d characters, but has %d".formatted(name, max, value.length()));
        }
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (Character.isISOControl(c)) {
                throw new IllegalArgumentException(
                        "%s must not hold control characters, but has U+%04X at index %d".formatted(name, (int) c, i));
            }
            if (Character.isSurrogate(c)) {
                // A lone surrogate has no UTF-8 form: encoding would turn it into '?' and merge two names.
                boolean paired = Character.isHighSurrogate(c)
                        && i + 1 < value.length()
                        && Character.isLowSurrogate(value.charAt(i + 1));
                if (!paired) {
                    throw new IllegalArgumentException(
                            "%s must be valid Unicode, but has a lone surrogate at index %d".formatted(name, i));
                }
                i++;
            }
        }
        return value;
    }
}
