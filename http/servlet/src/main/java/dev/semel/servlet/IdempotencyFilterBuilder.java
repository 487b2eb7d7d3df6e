// SPDX-License-Identifier: Apache-2.0
package dev.semel.servlet;

import dev.semel.http.ApiGate;
import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/** Builds an {@link IdempotencyFilter}. */
public final class IdempotencyFilterBuilder {
    private static final int LARGEST_BODY = 8 << 20;

    final ApiGate gate;
    final List<Route> routes = new ArrayList<>();
    Function<HttpServletRequest, String> tenant = request -> "default";
    Function<HttpServletRequest, String> actor = IdempotencyFilterBuilder::principal;
    int maxBodyBytes = 1 << 20;

    IdempotencyFilterBuilder(ApiGate gate) {
        this.gate = Objects.requireNonNull(gate, "An ApiGate must not be null");
    }

    /** Adds a route. The first route that matches a request's path and method is used. */
    public IdempotencyFilterBuilder route(Route route) {
        routes.add(Objects.requireNonNull(route, "A route must not be null"));
        return this;
    }

    /** The tenant of a request, by default {@code default}. Derive it from the authenticated identity: tenants are isolated. */
    public IdempotencyFilterBuilder tenant(Function<HttpServletRequest, String> value) {
        tenant = Objects.requireNonNull(value, "A tenant function must not be null");
        return this;
    }

    /**
     * The sender of a request within the tenant, by default the principal's name or {@code anonymous}. An actor never sees the
     * answers of another, so the filter must come after the one that authenticates.
     */
    public IdempotencyFilterBuilder actor(Function<HttpServletRequest, String> value) {
        actor = Objects.requireNonNull(value, "An actor function must not be null");
        return this;
    }

    /** The maximum body size of a protected request, by default 1 MiB. A larger one is answered with 413 and does not run. */
    public IdempotencyFilterBuilder maxBodyBytes(int value) {
        if (value < 0 || value > LARGEST_BODY) {
            throw new IllegalArgumentException(
                    "The maximum body size must be 0 to %d bytes, but is %d".formatted(LARGEST_BODY, value));
        }
        maxBodyBytes = value;
        return this;
    }

    public IdempotencyFilter build() {
        if (routes.isEmpty()) {
            throw new IllegalStateException("The filter has no routes: add the routes to protect");
        }
        return new IdempotencyFilter(this);
    }

    private static String principal(HttpServletRequest request) {
        Principal principal = request.getUserPrincipal();
        return principal == null ? "anonymous" : principal.getName();
    }
}
