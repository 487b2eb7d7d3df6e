// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import dev.semel.server.config.Role;
import java.util.Set;

/** Who may use a route. */
public enum RouteAccess {
    /** Everybody: it tells nothing, or checks a signature of its own. */
    OPEN(),
    /** Whoever uses the service. */
    USE(Role.CLIENT, Role.OPERATOR),
    /** Whoever looks. */
    LOOK(Role.CLIENT, Role.VIEWER, Role.OPERATOR),
    /** Whoever decides by hand. */
    OPERATE(Role.OPERATOR);

    @SuppressWarnings("ImmutableEnumChecker") // Set.of is immutable, but its type does not say so.
    private final Set<Role> roles;

    RouteAccess(Role... roles) {
        this.roles = Set.of(roles);
    }

    boolean allows(Role role) {
        return roles.contains(role);
    }
}
