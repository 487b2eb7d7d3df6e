// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.config;

import java.util.Objects;

/**
 * A secret whose {@code toString} does not reveal it, so that it cannot appear in logs or printed settings by mistake.
 */
public final class SecretText {
    private final String text;

    public SecretText(String text) {
        this.text = Objects.requireNonNull(text, "A secret must not be null");
    }

    /** Returns the secret itself. */
    public String reveal() {
        return text;
    }

    @Override
    public String toString() {
        return "<hidden>";
    }
}
