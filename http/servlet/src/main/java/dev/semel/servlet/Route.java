// SPDX-License-Identifier: Apache-2.0
package dev.semel.servlet;

import dev.semel.http.ApiRules;
import dev.semel.http.RoutePattern;
import java.util.Objects;
import java.util.Set;

/**
 * A set of protected requests and their rules.
 *
 * @param path the pattern for the path as it was sent, without the context path
 * @param methods in upper case. Requests with other methods pass through.
 */
public record Route(RoutePattern path, Set<String> methods, ApiRules rules) {
    private static final Set<String> USUAL = Set.of("POST", "PATCH");

    public Route {
        Objects.requireNonNull(path, "A path must not be null");
        Objects.requireNonNull(rules, "Rules must not be null");
        methods = Set.copyOf(methods);
        if (methods.isEmpty()) {
            throw new IllegalArgumentException("The route %s must have at least one method".formatted(path));
        }
    }

    /** POST and PATCH requests to this path, with the default rules: see {@link ApiRules#of}. */
    public static Route of(String path) {
        return of(ApiRules.of(path));
    }

    /** POST and PATCH requests to the path of the rules' template. */
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
