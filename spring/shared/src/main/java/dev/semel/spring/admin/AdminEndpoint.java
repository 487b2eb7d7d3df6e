// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.admin;

import dev.semel.admin.AdminException;
import dev.semel.admin.AdminRequest;
import dev.semel.admin.AdminRoute;
import dev.semel.claim.StoreException;
import dev.semel.http.ApiAnswer;
import dev.semel.http.Problems;
import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonException;
import dev.semel.spring.CurrentTenant;
import java.io.IOException;
import java.security.Principal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpMethod;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.function.RequestPredicates;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * Mounts the routes of {@code semel-admin} in Spring MVC. A request without an authenticated user is refused, so that the API is
 * never open because the application has no security for its path.
 */
final class AdminEndpoint {
    private static final Problems PROBLEMS = new Problems("urn:semel:problem:");
    private static final int MAX_BODY = 64 << 10;

    private final AdminProperties properties;
    private final CurrentTenant tenant;

    AdminEndpoint(AdminProperties properties, CurrentTenant tenant) {
        this.properties = properties;
        this.tenant = tenant;
    }

    RouterFunction<ServerResponse> of(List<AdminRoute> routes) {
        RouterFunctions.Builder mounted = RouterFunctions.route();
        for (AdminRoute route : routes) {
            mounted.route(
                    RequestPredicates.method(HttpMethod.valueOf(route.method()))
                            .and(RequestPredicates.path(properties.path() + route.path())),
                    request -> answer(route, request));
        }
        return mounted.build();
    }

    private ServerResponse answer(AdminRoute route, ServerRequest request) throws IOException {
        Optional<Principal> user = request.principal();
        if (user.isEmpty()) {
            return problem(PROBLEMS.problem(
                    401,
                    "unauthenticated",
                    "Authentication required",
                    "The admin API serves authenticated users only: protect its path with the application's security"));
        }
        boolean operator = request.servletRequest().isUserInRole(properties.operatorRole());
        if (route.access() == AdminRoute.Access.OPERATE && !operator) {
            return problem(PROBLEMS.problem(
                    403, "forbidden", "Forbidden", "Decisions need the role " + properties.operatorRole()));
        }
        if (!route.method().equals("GET") && !isJson(request)) {
            return problem(PROBLEMS.problem(
                    415, "unsupported-media-type", "Unsupported media type", "Send the body as application/json"));
        }
        try {
            Json answer = route.handler()
                    .answer(new AdminRequest(
                            tenant.tenant(),
                            user.get().getName(),
                            operator,
                            request.pathVariables(),
                            query(route, request),
                            body(route, request)));
            // Also without Spring Security, no browser and no proxy may keep what one user has seen.
            return ServerResponse.ok()
                    .contentType(MediaType.APPLICATION_JSON)
                    .header("Cache-Control", "no-store")
                    .header("X-Content-Type-Options", "nosniff")
                    .body(answer.utf8());
        } catch (AdminException e) {
            return problem(problemOf(e));
        } catch (StoreException e) {
            return problem(PROBLEMS.problem(
                    503,
                    "unavailable",
                    "Store unavailable",
                    "The store does not answer. Send the request again later"));
        }
    }

    /** A form of another site cannot send JSON, so a decision cannot be forged with a user's cookies, even without CSRF tokens. */
    private static boolean isJson(ServerRequest request) {
        try {
            return request.headers()
                    .contentType()
                    .filter(MediaType.APPLICATION_JSON::isCompatibleWith)
                    .isPresent();
        } catch (InvalidMediaTypeException e) {
            return false;
        }
    }

    private static Map<String, String> query(AdminRoute route, ServerRequest request) {
        Map<String, String> query = new HashMap<>();
        request.params().forEach((name, values) -> {
            if (!route.parameters().contains(name) || values.size() != 1) {
                throw new AdminException(
                        AdminException.Kind.INVALID_FIELD,
                        name,
                        "The parameter %s is unknown, or given more than once".formatted(name));
            }
            query.put(name, values.get(0));
        });
        return query;
    }

    private static @Nullable Json body(AdminRoute route, ServerRequest request) throws IOException {
        if (route.method().equals("GET")) {
            return null;
        }
        byte[] body = request.servletRequest().getInputStream().readNBytes(MAX_BODY + 1);
        if (body.length > MAX_BODY) {
            throw new AdminException(
                    AdminException.Kind.INVALID_FIELD, "", "The body must have at most %d bytes".formatted(MAX_BODY));
        }
        try {
            return Json.parse(body);
        } catch (JsonException e) {
            throw new AdminException(AdminException.Kind.INVALID_FIELD, "", "The body must be JSON: " + e.reason());
        }
    }

    private static ApiAnswer problemOf(AdminException e) {
        String detail = String.valueOf(e.getMessage());
        return switch (e.kind()) {
            case INVALID_FIELD -> PROBLEMS.problem(400, "invalid-field", "Invalid field", detail);
            case NOT_FOUND -> PROBLEMS.problem(404, "not-found", "Not found", detail);
            case MOVED_ON -> PROBLEMS.problem(409, "key-moved-on", "Claim has changed", detail);
            case IN_PROGRESS -> PROBLEMS.problem(409, "key-in-progress", "Claim in progress", detail);
        };
    }

    private static ServerResponse problem(ApiAnswer answer) {
        ServerResponse.BodyBuilder response = ServerResponse.status(answer.status());
        answer.headers().forEach(line -> response.header(line.name(), line.value()));
        return response.body(answer.body());
    }
}
