// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

/** A part of the API: says which routes it has. Made once, used by every event loop, so it must not hold state of one. */
public interface Resource {
    void addTo(Routes routes);
}
