// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.config;

import java.util.List;

/** How the tenant and the actor of a proxied request are determined. */
public sealed interface RouteIdentity {
    /**
     * Uses Semel's own token in the header Semel-Authorization, which is not forwarded. In development, uses
     * X-Organization-Id and X-Actor-Id, as all other routes do.
     */
    record Token() implements RouteIdentity {}

    /**
     * Uses a digest of the client's Authorization header. Clients with different credentials never share a response.
     */
    record Authorization(String tenant) implements RouteIdentity {}

    /** Uses headers that a trusted front sets. */
    record Header(String actorHeader, String tenantHeader, List<AddressRange> fronts) implements RouteIdentity {
        public Header {
            fronts = List.copyOf(fronts);
        }
    }
}
