// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import dev.semel.server.config.Role;
import java.util.Set;

/** The roles that may use a route. */
public enum RouteAccess {
    /** No authentication: the route reveals nothing, or checks a signature itself. */
    OPEN(),
    /** Clients that claim and write. */
    USE(Role.CLIENT, Role.OPERATOR),
    /** Everyone with a token, for reads. */
    LOOK(Role.CLIENT, Role.VIEWER, Role.OPERATOR),
    /** Operators, for manual decisions. */
    OPERATE(Role.OPERATOR);

    @SuppressWarnings("ImmutableEnumChecker") // Set.of is immutable, but its static type is not.
    private final Set<Role> roles;

    RouteAccess(Role... roles) {
        this.roles = Set.of(roles);
    }

    boolean allows(Role role) {
        return roles.contains(role);
    }
}
