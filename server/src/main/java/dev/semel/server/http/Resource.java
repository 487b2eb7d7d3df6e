// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

/**
 * A part of the HTTP API: a class that registers its routes. All event loops share one instance, so it must not hold state
 * of a loop. {@code ServerResources} lists all resources and describes how to add one.
 */
public interface Resource {
    /** Registers the routes. Called once for every event loop. */
    void addTo(Routes routes);
}
