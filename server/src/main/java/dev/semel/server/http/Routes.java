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
 * Which path leads where. Paths without parameters are looked up; the few others, such as
 * {@code /v1/claims/{claim_id}/succeed}, are compared part by part.
 */
public final class Routes {
    private final Map<String, Map<String, HttpRoute>> exact = new HashMap<>();
    private final List<Pattern> patterns = new ArrayList<>();
    private final List<Proxy> proxies = new ArrayList<>();

    /** A route that reads no body. */
    public void get(String path, RouteAccess access, HttpRoute.PlainHandler handler) {
        add(new HttpRoute("GET", path, access, new HttpRoute.Plain(handler)));
        add(new HttpRoute("HEAD", path, access, new HttpRoute.Plain(handler)));
    }

    /** Questions that some senders ask before they send anything. */
    public void options(String path, RouteAccess access, HttpRoute.PlainHandler handler) {
        add(new HttpRoute("OPTIONS", path, access, new HttpRoute.Plain(handler)));
    }

    /** A route with a JSON body. */
    public void post(String path, RouteAccess access, HttpRoute.JsonHandler handler) {
        add(new HttpRoute("POST", path, access, new HttpRoute.WithJson(handler)));
    }

    /** A route whose body is needed as it came: to check its signature, or because it is not one document. */
    public void postBytes(String path, RouteAccess access, HttpRoute.BytesHandler handler) {
        add(new HttpRoute("POST", path, access, new HttpRoute.WithBytes(handler)));
    }

    /** A route whose body may be larger than memory: it is read, and answered, piece by piece. */
    public void postStream(String path, RouteAccess access, HttpRoute.StreamHandler handler) {
        add(new HttpRoute("POST", path, access, new HttpRoute.Streaming(handler)));
    }

    /** A route whose requests are sent on to another service, by whatever method. The first that matches takes them. */
    public void proxy(RoutePattern pattern, HttpRoute.ProxyHandler handler) {
        proxies.add(new Proxy(
                pattern, new HttpRoute("*", pattern.toString(), RouteAccess.OPEN, new HttpRoute.Proxied(handler))));
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
            throw new IllegalStateException("There are two routes %s %s".formatted(route.method(), route.path()));
        }
    }

    /** All that there are. */
    public List<HttpRoute> all() {
        return Stream.concat(exact.values().stream(), patterns.stream().map(Pattern::methods))
                .flatMap(methods -> methods.values().stream())
                .toList();
    }

    /** Where this leads; a problem if nowhere. */
    Found find(String method, String path) {
        Map<String, HttpRoute> methods = exact.get(path);
        Map<String, String> parameters = Map.of();
        if (methods == null) {
            List<String> parts = parts(path);
            for (Pattern pattern : patterns) {
                Map<String, String> matched = pattern.match(parts);
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
            throw ProblemDetail.of(ProblemType.NOT_FOUND, "There is no such path; GET /docs lists what there is")
                    .asException();
        }
        HttpRoute route = methods.get(method);
        if (route == null) {
            Set<String> allowed = new TreeSet<>(methods.keySet());
            throw ProblemDetail.of(ProblemType.METHOD_NOT_ALLOWED, "This path has " + String.join(", ", allowed))
                    .with("Allow", String.join(", ", allowed))
                    .asException();
        }
        return new Found(route, parameters);
    }

    private static List<String> parts(String path) {
        return List.of(path.split("/", -1));
    }

    /** A route, and what stands in its path. */
    record Found(HttpRoute route, Map<String, String> parameters) {}

    private record Proxy(RoutePattern pattern, HttpRoute route) {}

    private record Pattern(List<String> parts, Map<String, HttpRoute> methods) {
        @Nullable
        Map<String, String> match(List<String> path) {
            if (path.size() != parts.size()) {
                return null;
            }
            Map<String, String> parameters = new LinkedHashMap<>();
            for (int i = 0; i < parts.size(); i++) {
                String part = parts.get(i);
                if (part.startsWith("{")) {
                    String name = part.substring(1, part.length() - 1);
                    parameters.put(name, decoded(name, path.get(i)));
                } else if (!part.equals(path.get(i))) {
                    return null;
                }
            }
            return parameters;
        }

        private static String decoded(String name, String part) {
            return PercentDecoder.path(part)
                    .orElseThrow(() -> ProblemDetail.field(
                                    name,
                                    "The part %s of the path has a broken percent-escape, or is not UTF-8"
                                            .formatted(name))
                            .asException());
        }
    }
}
