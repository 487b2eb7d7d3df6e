// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.config;

import java.util.Objects;

/** A secret text that no log and no printed setting shows by mistake. */
public final class SecretText {
    private final String text;

    public SecretText(String text) {
        this.text = Objects.requireNonNull(text, "A secret must not be null");
    }

    /** The secret itself. */
    public String reveal() {
        return text;
    }

    @Override
    public String toString() {
        return "<hidden>";
    }
}
