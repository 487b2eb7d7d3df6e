// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring;

import dev.semel.claim.StalePolicy;
import dev.semel.claim.Terms;
import dev.semel.http.ApiRules;
import dev.semel.http.RoutePattern;
import dev.semel.servlet.Route;
import dev.semel.spring.SemelProperties.RouteProperties;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.Environment;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.util.pattern.PathPatternParser;

/** The protected routes: those of {@link Idempotent} handler methods, and those of {@code semel.http.routes}. */
final class IdempotentRoutes {
    private static final Set<String> PROTECTABLE = Set.of("POST", "PUT", "PATCH", "DELETE");
    private static final Duration LONGEST_RUN = Duration.ofHours(1);

    private final Environment environment;

    IdempotentRoutes(Environment environment) {
        this.environment = environment;
    }

    List<Route> of(List<RequestMappingHandlerMapping> mappings, List<RouteProperties> configured) {
        List<Route> routes = new ArrayList<>();
        for (RequestMappingHandlerMapping mapping : mappings) {
            mapping.getHandlerMethods()
                    .forEach((info, handler) -> GuardedMethods.annotationOn(handler.getMethod())
                            .filter(annotation -> annotation.key().isEmpty())
                            .ifPresent(annotation -> {
                                requireCase(mapping, handler);
                                routes.addAll(of(info, handler, annotation));
                            }));
        }
        for (int i = 0; i < configured.size(); i++) {
            routes.add(of(configured.get(i), "semel.http.routes[%d]".formatted(i)));
        }
        return routes;
    }

    /** Otherwise a request could reach the handler by a path in other letters, which is not protected. */
    private static void requireCase(RequestMappingHandlerMapping mapping, HandlerMethod handler) {
        PathPatternParser parser = mapping.getPatternParser();
        if (parser != null && !parser.isCaseSensitive()) {
            throw new InvalidSetupException(
                    "@Idempotent on %s cannot protect its path, because Spring MVC compares paths without regard to case, and Semel does not."
                            .formatted(MethodNames.of(handler.getMethod())),
                    "Remove setCaseSensitive(false) from the PathPatternParser. Or put @Idempotent with a key on a method of a"
                            + " bean that the controller calls.");
        }
    }

    private static Route of(RouteProperties properties, String where) {
        Set<String> methods = properties.methods().stream()
                .map(method -> method.toUpperCase(Locale.ROOT))
                .collect(Collectors.toCollection(TreeSet::new));
        requireProtectable(methods, where);
        try {
            ApiRules rules = ApiRules.of(properties.path()).withKey(properties.key());
            return new Route(
                    RoutePattern.of(properties.path()),
                    methods,
                    rules.withTerms(rules.terms().withTtl(properties.ttl())));
        } catch (IllegalArgumentException e) {
            throw new InvalidSetupException(
                    "%s is invalid: %s.".formatted(where, e.getMessage()),
                    "Set a path such as /orders/** or /orders/{id}, and a ttl such as 24h.",
                    e);
        }
    }

    private List<Route> of(RequestMappingInfo info, HandlerMethod handler, Idempotent annotation) {
        String where = "@Idempotent on " + MethodNames.of(handler.getMethod());
        if (!annotation.tenant().isEmpty()
                || !annotation.fingerprint().isEmpty()
                || annotation.transaction() != TransactionMode.REFUSE) {
            throw new InvalidSetupException(
                    where
                            + " has no key, so it protects the route, and tenant, fingerprint and transaction do not apply to routes.",
                    "Remove them. The tenant of a request comes from the CurrentTenant bean or semel.tenant, and the whole request is"
                            + " compared.");
        }
        Set<String> methods = new TreeSet<>();
        for (RequestMethod method : info.getMethodsCondition().getMethods()) {
            methods.add(method.name());
        }
        if (methods.isEmpty()) {
            methods.addAll(PROTECTABLE);
        }
        requireProtectable(methods, where);
        ApiRules rules = rules(handler.getMethod(), annotation, where);
        List<Route> routes = new ArrayList<>();
        for (String pattern : info.getPatternValues()) {
            routes.add(new Route(routePattern(prefix() + pattern, where), methods, rules));
        }
        return routes;
    }

    private static void requireProtectable(Set<String> methods, String where) {
        for (String method : methods) {
            if (!PROTECTABLE.contains(method)) {
                throw new InvalidSetupException(
                        "%s protects %s requests, which need no protection.".formatted(where, method),
                        "Protect POST, PUT, PATCH or DELETE only.");
            }
        }
    }

    /** The scope takes the place of the path in the claims, so that they survive a change of the path. */
    private ApiRules rules(Method method, Idempotent annotation, String where) {
        try {
            ApiRules rules = ApiRules.of("/" + annotation.scope());
            Terms terms = rules.terms();
            if (!annotation.lease().isEmpty()) {
                terms = terms.withLease(GuardedMethods.duration(environment, method, "lease", annotation.lease()));
                terms = terms.maxRun().compareTo(LONGEST_RUN) < 0 ? terms.withMaxRun(LONGEST_RUN) : terms;
            }
            if (!annotation.ttl().isEmpty()) {
                terms = terms.withTtl(GuardedMethods.duration(environment, method, "ttl", annotation.ttl()));
            }
            if (annotation.onStale() != StalePolicy.RERUN) {
                terms = terms.withOnStale(annotation.onStale());
            }
            rules = rules.withTerms(terms);
            return annotation.waitUpTo().isEmpty()
                    ? rules
                    : rules.withLongestWait(
                            GuardedMethods.duration(environment, method, "waitUpTo", annotation.waitUpTo()));
        } catch (IllegalArgumentException e) {
            throw new InvalidSetupException(
                    "%s is invalid: %s.".formatted(where, e.getMessage()), "Choose a valid value.", e);
        }
    }

    /** The path of the dispatcher servlet, which Spring's patterns do not contain. */
    private String prefix() {
        String path = environment.getProperty("spring.mvc.servlet.path", "");
        return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }

    private static RoutePattern routePattern(String pattern, String where) {
        String translated = pattern.isEmpty() ? "/" : pattern.replaceAll("/\\{\\*[^/{}]+}$", "/**");
        boolean simple = true;
        for (String segment : translated.split("/", -1)) {
            boolean rest = segment.equals("**");
            boolean variable = segment.matches("\\{[^{}:*]+}") || segment.equals("*");
            simple &= rest || variable || !segment.matches(".*[{}*?].*");
        }
        try {
            if (simple) {
                return RoutePattern.of(translated);
            }
        } catch (IllegalArgumentException e) {
            throw unsupported(pattern, where, e.getMessage());
        }
        throw unsupported(pattern, where, "a segment is neither a name nor one variable");
    }

    private static InvalidSetupException unsupported(String pattern, String where, @Nullable String why) {
        return new InvalidSetupException(
                "%s cannot protect the path %s: %s.".formatted(where, pattern, why),
                "Use segments such as orders, {id}, * or, at the end, **. Or remove the annotation and protect a wider path with"
                        + " semel.http.routes.");
    }
}
