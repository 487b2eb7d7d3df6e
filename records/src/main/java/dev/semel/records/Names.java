// SPDX-License-Identifier: Apache-2.0
package dev.semel.records;

import java.util.Objects;

/** The one rule for names that records are found by: present, bounded, and equal only if every character is. */
final class Names {
    private Names() {}

    static String check(String name, String value, int max) {
        Objects.requireNonNull(value, () -> name + " must not be null");
        if (value.isEmpty() || value.length() > max) {
            throw new IllegalArgumentException(
                    "%s must have 1 to %d characters, but has %d".formatted(name, max, value.length()));
        }
        if (!isPlain(value)) {
            throw new IllegalArgumentException(name + " must be valid Unicode without control characters");
        }
        return value;
    }

    /** Whether every database can keep it and give it back as it is. */
    static boolean isPlain(String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (Character.isISOControl(c)) {
                return false;
            }
            if (Character.isSurrogate(c)) {
                // A lone surrogate has no UTF-8 form: encoding would turn it into '?' and merge two names.
                if (!Character.isHighSurrogate(c)
                        || i + 1 == value.length()
                        || !Character.isLowSurrogate(value.charAt(i + 1))) {
                    return false;
                }
                i++;
            }
        }
        return true;
    }
}
