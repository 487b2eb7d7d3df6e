// SPDX-License-Identifier: Apache-2.0
package dev.semel.servlet;

import dev.semel.http.ApiRules;
import dev.semel.http.RoutePattern;
import java.util.Objects;
import java.util.Set;

/**
 * Which requests are protected, and how.
 *
 * @param path compared with the path as it was sent, without the context path
 * @param methods in upper case; requests with others pass through
 */
public record Route(RoutePattern path, Set<String> methods, ApiRules rules) {
    private static final Set<String> USUAL = Set.of("POST", "PATCH");

    public Route {
        Objects.requireNonNull(path, "A path must not be null");
        Objects.requireNonNull(rules, "Rules must not be null");
        methods = Set.copyOf(methods);
        if (methods.isEmpty()) {
            throw new IllegalArgumentException("The route %s must have a method".formatted(path));
        }
    }

    /** POST and PATCH requests to this path, by the default rules: see {@link ApiRules#of}. */
    public static Route of(String path) {
        return of(ApiRules.of(path));
    }

    /** POST and PATCH requests to the path that is these rules' template. */
    public static Route of(ApiRules rules) {
        return new Route(RoutePattern.of(rules.template()), USUAL, rules);
    }

    public Route withMethods(String... values) {
        return new Route(path, Set.of(values), rules);
    }

    public Route withRules(ApiRules value) {
        return new Route(path, methods, value);
    }
}
