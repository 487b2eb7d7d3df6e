// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import java.util.Map;
import java.util.Objects;

/**
 * The answer to a provider's handshake, which it sends before any event.
 *
 * @param text the expected answer, as plain text
 */
public record Handshake(int status, String text, Map<String, String> headers) {
    public Handshake {
        Objects.requireNonNull(text, "A text must not be null: it may be empty");
        headers = Map.copyOf(headers);
    }

    static Handshake ok(String text) {
        return new Handshake(200, text, Map.of());
    }

    static Handshake forbidden() {
        return new Handshake(403, "", Map.of());
    }

    @Override
    public String toString() {
        return "Handshake[" + status + "]";
    }
}
