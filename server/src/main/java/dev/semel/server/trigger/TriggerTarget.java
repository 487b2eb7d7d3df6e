// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.trigger;

import java.net.URI;
import java.util.Objects;

/**
 * Where deliveries go.
 *
 * @param url the complete URL, which may contain a secret
 * @param name the URL as it is shown
 */
public record TriggerTarget(URI url, String name) {
    public TriggerTarget {
        Objects.requireNonNull(url, "A URL must not be null");
        Objects.requireNonNull(name, "A name must not be null");
    }

    /** Omits the URL, because it may contain a secret. */
    @Override
    public String toString() {
        return name;
    }
}
