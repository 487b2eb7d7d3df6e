// SPDX-License-Identifier: Apache-2.0
package dev.semel.operations;

import dev.semel.claim.ClaimKey;
import java.util.Objects;

/** Checks the parts of scopes and keys, so that an error message says which part is wrong. */
final class KeyPart {
    /** The maximum length of ids from other systems: runs, steps, orders, transactions. */
    static final int MAX_ID = 1_024;
    /** The maximum length of names that people choose. */
    static final int MAX_NAME = 64;

    private KeyPart() {}

    static String check(String name, String value, int max) {
        Objects.requireNonNull(value, () -> name + " must not be null");
        if (value.isEmpty() || value.length() > max) {
            throw new IllegalArgumentException(
                    "%s must have 1 to %d characters, but has %d".formatted(name, max, value.length()));
        }
        for (int i = 0; i < value.length(); i++) {
            if (Character.isISOControl(value.charAt(i))) {
                throw new IllegalArgumentException(
                        "%s must not contain control characters, but has one at index %d".formatted(name, i));
            }
            if (Character.isSurrogate(value.charAt(i))) {
                boolean paired = Character.isHighSurrogate(value.charAt(i))
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

    static String organization(String value) {
        return check("An organization", value, ClaimKey.MAX_TENANT);
    }
}
