// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.admin;

import dev.semel.admin.AdminException;
import dev.semel.admin.AdminRequest;
import dev.semel.admin.AdminRoute;
import dev.semel.claim.StoreException;
import dev.semel.payload.json.Json;
import dev.semel.server.config.Role;
import dev.semel.server.http.HttpAnswer;
import dev.semel.server.http.ProblemDetail;
import dev.semel.server.http.ProblemType;
import dev.semel.server.http.RequestContext;
import dev.semel.server.http.Resource;
import dev.semel.server.http.RouteAccess;
import dev.semel.server.http.Routes;
import dev.semel.server.http.StoreProblems;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The routes of {@code semel-admin}. They block, so they run on worker threads. */
public final class AdminResource implements Resource {
    /** More than the largest page: a thousand claims. */
    public static final int PAGES = 4 << 20;

    /** More than the largest of the other answers. */
    public static final int SHORT = 256 << 10;

    private static final Logger LOG = LoggerFactory.getLogger(AdminResource.class);
    private static final Duration PAUSE = Duration.ofSeconds(30);

    private final List<AdminRoute> routes;
    private final int largest;
    private final Executor blocking;

    /**
     * Creates the resource.
     *
     * @param largest more bytes than the largest answer has; so much memory is reserved for each
     */
    public AdminResource(List<AdminRoute> routes, int largest, Executor blocking) {
        this.routes = List.copyOf(routes);
        this.largest = largest;
        this.blocking = blocking;
    }

    @Override
    public void addTo(Routes to) {
        for (AdminRoute route : routes) {
            RouteAccess access = route.access() == AdminRoute.Access.LOOK ? RouteAccess.LOOK : RouteAccess.OPERATE;
            if (route.method().equals("GET")) {
                to.get(route.path(), access, route.parameters(), context -> answer(route, context, null));
            } else {
                to.post(route.path(), access, (context, body) -> answer(route, context, body));
            }
        }
    }

    private CompletionStage<HttpAnswer> answer(AdminRoute route, RequestContext context, @Nullable Json body) {
        Map<String, String> query = new HashMap<>();
        route.parameters().forEach(name -> context.query(name).ifPresent(value -> query.put(name, value)));
        AdminRequest request = new AdminRequest(
                context.tenant(),
                context.identity().actor(),
                context.identity().role() == Role.OPERATOR,
                context.pathParameters(),
                query,
                body);
        context.charge().takeForAnswer(largest);
        return CompletableFuture.supplyAsync(() -> answered(route, request), blocking);
    }

    private static HttpAnswer answered(AdminRoute route, AdminRequest request) {
        try {
            return HttpAnswer.json(200, route.handler().answer(request));
        } catch (AdminException e) {
            return problem(e).answer();
        } catch (StoreException e) {
            return failed(e).answer();
        }
    }

    /** A read that the database rejects is no mistake of the caller: something is not set up, such as an optional index. */
    private static ProblemDetail failed(StoreException e) {
        if (e.kind() != StoreException.Kind.REJECTED) {
            return StoreProblems.of(e);
        }
        LOG.warn("The database rejected a request of the admin API: {}", e.getMessage());
        return ProblemDetail.of(
                        ProblemType.STORE_UNAVAILABLE,
                        "The database is not set up for this request: the server's log says what is missing")
                .retryAfter(PAUSE);
    }

    private static ProblemDetail problem(AdminException e) {
        String detail = String.valueOf(e.getMessage());
        return switch (e.kind()) {
            case INVALID_FIELD -> ProblemDetail.field(String.valueOf(e.field()), detail);
            case NOT_FOUND -> ProblemDetail.of(ProblemType.NOT_FOUND, detail);
            case MOVED_ON -> ProblemDetail.of(ProblemType.KEY_MOVED_ON, detail);
            case IN_PROGRESS -> ProblemDetail.of(ProblemType.KEY_IN_PROGRESS, detail);
        };
    }
}
