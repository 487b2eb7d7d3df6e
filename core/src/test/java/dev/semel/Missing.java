// SPDX-License-Identifier: Apache-2.0
package dev.semel;

/** A null that the compiler does not see, as from code that is not checked for nulls. */
public final class Missing {
    private Missing() {}

    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
    public static <T> T value() {
        return null;
    }
}
