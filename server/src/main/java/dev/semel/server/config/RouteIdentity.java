// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.config;

import java.util.List;

/** How the tenant and the actor of a request to the API door are found. */
public sealed interface RouteIdentity {
    /**
     * By Semel's own token in the header Semel-Authorization, which is not forwarded. In development by X-Organization-Id
     * and X-Actor-Id, as everywhere.
     */
    record Token() implements RouteIdentity {}

    /** By a digest of the client's own Authorization header: two credentials never share an answer. */
    record Authorization(String tenant) implements RouteIdentity {}

    /** By headers that a trusted front has set. */
    record Header(String actorHeader, String tenantHeader, List<AddressRange> fronts) implements RouteIdentity {
        public Header {
            fronts = List.copyOf(fronts);
        }
    }
}
