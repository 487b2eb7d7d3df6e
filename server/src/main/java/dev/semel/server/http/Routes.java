// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import dev.semel.http.RoutePattern;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the route for a method and a path. Paths without parameters are looked up in a map. The few others, such as
 * {@code /v1/claims/{claim_id}/succeed}, are matched segment by segment.
 */
public final class Routes {
    private final Map<String, Map<String, HttpRoute>> exact = new HashMap<>();
    private final List<Pattern> patterns = new ArrayList<>();
    private final List<Proxy> proxies = new ArrayList<>();

    /** Adds GET and HEAD routes, which read no body. */
    public void get(String path, RouteAccess access, HttpRoute.PlainHandler handler) {
        get(path, access, Set.of(), handler);
    }

    /**
     * Adds GET and HEAD routes with query parameters.
     *
     * @param parameters their names; others are refused
     */
    public void get(String path, RouteAccess access, Set<String> parameters, HttpRoute.PlainHandler handler) {
        add(new HttpRoute("GET", path, access, parameters, new HttpRoute.Plain(handler)));
        add(new HttpRoute("HEAD", path, access, parameters, new HttpRoute.Plain(handler)));
    }

    /** Adds an OPTIONS route, for senders that ask before they deliver. */
    public void options(String path, RouteAccess access, HttpRoute.PlainHandler handler) {
        add(new HttpRoute("OPTIONS", path, access, Set.of(), new HttpRoute.Plain(handler)));
    }

    /** Adds a POST route with a JSON body. */
    public void post(String path, RouteAccess access, HttpRoute.JsonHandler handler) {
        add(new HttpRoute("POST", path, access, Set.of(), new HttpRoute.WithJson(handler)));
    }

    /** Adds a POST route that needs the raw body: to check a signature, or because the body is not one document. */
    public void postBytes(String path, RouteAccess access, HttpRoute.BytesHandler handler) {
        add(new HttpRoute("POST", path, access, Set.of(), new HttpRoute.WithBytes(handler)));
    }

    /** Adds a POST route that streams body and response, because they may be larger than memory. */
    public void postStream(String path, RouteAccess access, HttpRoute.StreamHandler handler) {
        add(new HttpRoute("POST", path, access, Set.of(), new HttpRoute.Streaming(handler)));
    }

    /**
     * Adds a GET route whose response is streamed.
     *
     * @param head answers HEAD
     */
    public void getStream(
            String path, RouteAccess access, HttpRoute.StreamHandler handler, HttpRoute.PlainHandler head) {
        add(new HttpRoute("GET", path, access, Set.of(), new HttpRoute.Streaming(handler)));
        add(new HttpRoute("HEAD", path, access, Set.of(), new HttpRoute.Plain(head)));
    }

    /** Adds a route that this server cannot serve, with the reason. A GET route has its HEAD route. */
    public void unserved(String method, String path, RouteAccess access, ProblemDetail reason) {
        add(new HttpRoute(method, path, access, Set.of(), new HttpRoute.Unserved(reason)));
        if (method.equals("GET")) {
            add(new HttpRoute("HEAD", path, access, Set.of(), new HttpRoute.Unserved(reason)));
        }
    }

    /** Adds a proxy route for all methods. The first matching route is used. */
    public void proxy(RoutePattern pattern, HttpRoute.ProxyHandler handler) {
        proxies.add(new Proxy(
                pattern,
                new HttpRoute("*", pattern.toString(), RouteAccess.OPEN, Set.of(), new HttpRoute.Proxied(handler))));
    }

    private void add(HttpRoute route) {
        Map<String, HttpRoute> methods;
        if (route.path().contains("{")) {
            List<String> parts = parts(route.path());
            methods = patterns.stream()
                    .filter(pattern -> pattern.parts().equals(parts))
                    .findFirst()
                    .orElseGet(() -> {
                        Pattern fresh = new Pattern(parts, new HashMap<>());
                        patterns.add(fresh);
                        return fresh;
                    })
                    .methods();
        } else {
            methods = exact.computeIfAbsent(route.path(), path -> new HashMap<>());
        }
        if (methods.put(route.method(), route) != null) {
            throw new IllegalStateException("Duplicate route %s %s".formatted(route.method(), route.path()));
        }
    }

    /** Returns all routes except those of the proxy. */
    public List<HttpRoute> all() {
        return Stream.concat(exact.values().stream(), patterns.stream().map(Pattern::methods))
                .flatMap(methods -> methods.values().stream())
                .toList();
    }

    /**
     * Finds the route.
     *
     * @throws ProblemException if there is none
     */
    Found find(String method, String path) {
        Map<String, HttpRoute> methods = exact.get(path);
        Map<String, String> parameters = Map.of();
        if (methods == null) {
            int size = 1;
            for (int slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
                size++;
            }
            for (Pattern pattern : patterns) {
                Map<String, String> matched = pattern.match(path, size);
                if (matched != null) {
                    methods = pattern.methods();
                    parameters = matched;
                    break;
                }
            }
        }
        if (methods == null) {
            for (Proxy proxy : proxies) {
                if (proxy.pattern().matches(path)) {
                    return new Found(proxy.route(), Map.of());
                }
            }
            throw ProblemDetail.of(ProblemType.NOT_FOUND, "No such path; see GET /docs for all paths")
                    .asException();
        }
        HttpRoute route = methods.get(method);
        if (route == null) {
            Set<String> allowed = new TreeSet<>(methods.keySet());
            throw ProblemDetail.of(ProblemType.METHOD_NOT_ALLOWED, "Allowed methods: " + String.join(", ", allowed))
                    .with("Allow", String.join(", ", allowed))
                    .asException();
        }
        return new Found(route, parameters);
    }

    private static List<String> parts(String path) {
        return List.of(path.split("/", -1));
    }

    /** A route and its path parameters. */
    record Found(HttpRoute route, Map<String, String> parameters) {}

    private record Proxy(RoutePattern pattern, HttpRoute route) {}

    private record Pattern(List<String> parts, Map<String, HttpRoute> methods) {
        /**
         * Returns the path parameters, or null if the path does not match. Compares in place, because most do not.
         *
         * @param size the number of parts of the path
         */
        @Nullable
        Map<String, String> match(String path, int size) {
            if (size != parts.size()) {
                return null;
            }
            Map<String, String> parameters = new LinkedHashMap<>();
            int from = 0;
            for (String part : parts) {
                int slash = path.indexOf('/', from);
                int end = slash < 0 ? path.length() : slash;
                if (part.startsWith("{")) {
                    String name = part.substring(1, part.length() - 1);
                    parameters.put(name, decoded(name, path.substring(from, end)));
                } else if (end - from != part.length() || !path.startsWith(part, from)) {
                    return null;
                }
                from = end + 1;
            }
            return parameters;
        }

        private static String decoded(String name, String part) {
            return PercentDecoder.path(part)
                    .orElseThrow(() -> ProblemDetail.field(
                                    name,
                                    "The path parameter %s has a broken percent-escape, or is not UTF-8"
                                            .formatted(name))
                            .asException());
        }
    }
}
