// SPDX-License-Identifier: Apache-2.0
package dev.semel.servlet;

import dev.semel.http.ApiDoor;
import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/** Builds an {@link IdempotencyFilter}. */
public final class IdempotencyFilterBuilder {
    private static final int LARGEST_BODY = 8 << 20;

    final ApiDoor door;
    final List<Route> routes = new ArrayList<>();
    Function<HttpServletRequest, String> tenant = request -> "default";
    Function<HttpServletRequest, String> actor = IdempotencyFilterBuilder::principal;
    int maxBodyBytes = 1 << 20;

    IdempotencyFilterBuilder(ApiDoor door) {
        this.door = Objects.requireNonNull(door, "A door must not be null");
    }

    /** One more route. The first that has a request's path and method counts. */
    public IdempotencyFilterBuilder route(Route route) {
        routes.add(Objects.requireNonNull(route, "A route must not be null"));
        return this;
    }

    /** Whose request it is; by default {@code default}. No tenant sees another's answers: ask what was authenticated. */
    public IdempotencyFilterBuilder tenant(Function<HttpServletRequest, String> value) {
        tenant = Objects.requireNonNull(value, "A tenant function must not be null");
        return this;
    }

    /**
     * Who of the tenant sent it; by default the principal's name, or {@code anonymous}. No actor sees another's answers: the
     * filter must come after the one that authenticates.
     */
    public IdempotencyFilterBuilder actor(Function<HttpServletRequest, String> value) {
        actor = Objects.requireNonNull(value, "An actor function must not be null");
        return this;
    }

    /** The largest body of a protected request; by default 1 MiB. A larger one is answered with 413, and nothing runs. */
    public IdempotencyFilterBuilder maxBodyBytes(int value) {
        if (value < 0 || value > LARGEST_BODY) {
            throw new IllegalArgumentException(
                    "The largest body must have 0 to %d bytes, but may have %d".formatted(LARGEST_BODY, value));
        }
        maxBodyBytes = value;
        return this;
    }

    public IdempotencyFilter build() {
        if (routes.isEmpty()) {
            throw new IllegalStateException("The filter has no routes: add those that it shall protect");
        }
        return new IdempotencyFilter(this);
    }

    private static String principal(HttpServletRequest request) {
        Principal principal = request.getUserPrincipal();
        return principal == null ? "anonymous" : principal.getName();
    }
}
