// SPDX-License-Identifier: Apache-2.0
package dev.semel.admin;

import dev.semel.payload.json.Json;
import java.util.Set;

/**
 * A route of the admin API, which a host mounts in its framework.
 *
 * @param method GET or POST
 * @param path the path below the API's root, with variables in braces
 * @param access who may use it
 * @param parameters the query parameters that it knows; the host refuses others
 * @param handler answers; it may block and may throw {@link AdminException}
 */
public record AdminRoute(String method, String path, Access access, Set<String> parameters, Handler handler) {
    /** Who may use a route. */
    public enum Access {
        /** Everyone who may look at the tenant's claims. */
        LOOK,
        /** Operators. */
        OPERATE
    }

    /** Answers a request with a JSON document. */
    public interface Handler {
        Json answer(AdminRequest request);
    }

    public AdminRoute {
        parameters = Set.copyOf(parameters);
    }
}
