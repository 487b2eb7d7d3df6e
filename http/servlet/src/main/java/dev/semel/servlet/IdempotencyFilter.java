// SPDX-License-Identifier: Apache-2.0
package dev.semel.servlet;

import dev.semel.Semel;
import dev.semel.http.Admission;
import dev.semel.http.ApiAnswer;
import dev.semel.http.ApiGate;
import dev.semel.http.ApiRequest;
import dev.semel.http.ApiRules;
import dev.semel.http.IdempotencyKey;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs a request once for its {@code Idempotency-Key}, and answers duplicates with the first answer.
 *
 * <pre>{@code
 * IdempotencyFilter filter = IdempotencyFilter.on(semel)
 *         .route(Route.of("/orders/**"))
 *         .tenant(request -> tenantOf(request))
 *         .build();
 * FilterRegistration.Dynamic registration = context.addFilter("idempotency", filter);
 * registration.setAsyncSupported(true);
 * registration.addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC), true, "/*");
 * }</pre>
 *
 * <ul>
 *   <li><b>Registration.</b> Register the filter after the filters that authenticate and authorize, for {@code REQUEST} and
 *       {@code ASYNC}, with asynchronous support. Without the {@code ASYNC} mapping, an answer that is written after {@code
 *       AsyncContext.dispatch} reaches the client, but only its status is stored.
 *   <li><b>Other requests</b> pass through unchanged: requests to no route, with another method, or unprotected by the route's
 *       key policy.
 *   <li><b>The servlet</b> can read the body with {@code getInputStream}, {@code getReader}, {@code getParameter} or {@code
 *       getParts}. The filter's limit replaces the limits of a {@code MultipartConfig}. The attribute {@link #ATTEMPT} has the
 *       attempt with the child key for upstream services.
 *   <li><b>The answer</b> is buffered until it is stored, then sent. An answer that is larger than the rules allow is streamed,
 *       and only its status is stored. The same applies if the servlet flushes and then writes more: the flushed part is sent
 *       with the next write, or immediately if the type is {@code text/event-stream}. Trailers reach the first client and are
 *       not replayed.
 *   <li><b>{@code sendError}</b> with a status that releases the key leads to the container's error page. For a final status
 *       the filter answers with {@code application/problem+json}, because no filter can see the container's error pages, and
 *       the client must receive what is stored.
 *   <li><b>Exceptions</b> release the key and are passed on to the container.
 *   <li><b>Asynchronous requests</b> are settled when they complete. No thread waits for them. A request that times out, and
 *       whose listeners neither complete nor dispatch it, is answered with 503. It is then unknown whether it took effect:
 *       depending on the route's stale policy, the next request runs, or the key is parked.
 *   <li><b>A client that disconnects</b> has no influence: the request continues and its answer is stored.
 *   <li><b>{@code Prefer: wait=N}</b> blocks a container thread, for at most the longest wait of the rules.
 * </ul>
 */
public final class IdempotencyFilter implements Filter {
    /** The request attribute with the {@link dev.semel.http.Attempt} of a protected request. */
    public static final String ATTEMPT = "dev.semel.servlet.attempt";

    private final ApiGate gate;
    private final List<Route> routes;
    private final Function<HttpServletRequest, String> tenant;
    private final Function<HttpServletRequest, String> actor;
    private final int maxBodyBytes;

    IdempotencyFilter(IdempotencyFilterBuilder builder) {
        gate = builder.gate;
        routes = List.copyOf(builder.routes);
        tenant = builder.tenant;
        actor = builder.actor;
        maxBodyBytes = builder.maxBodyBytes;
    }

    /** A builder for a filter on this engine. */
    public static IdempotencyFilterBuilder on(Semel semel) {
        return on(new ApiGate(semel));
    }

    /** A builder for a filter on this {@code ApiGate}. */
    public static IdempotencyFilterBuilder on(ApiGate gate) {
        return new IdempotencyFilterBuilder(gate);
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (!(request instanceof HttpServletRequest asked) || !(response instanceof HttpServletResponse answering)) {
            chain.doFilter(request, response);
            return;
        }
        GuardedExchange running = (GuardedExchange) request.getAttribute(GuardedExchange.ATTRIBUTE);
        if (running != null) {
            running.passAgain(asked, answering, chain);
            return;
        }
        Route route = request.getDispatcherType() == DispatcherType.REQUEST ? routeOf(asked) : null;
        Admission admission = route == null
                ? new Admission.PassThrough()
                : Admission.of(route.rules(), Collections.list(asked.getHeaders(IdempotencyKey.HEADER)));
        if (admission instanceof Admission.Refused refused) {
            ResponseWriter.write(answering, refused.answer());
        } else if (route != null && admission instanceof Admission.Guarded guarded) {
            guard(route, guarded.key(), asked, answering, chain);
        } else {
            chain.doFilter(request, response);
        }
    }

    private void guard(
            Route route,
            Optional<String> key,
            HttpServletRequest request,
            HttpServletResponse response,
            FilterChain chain)
            throws IOException, ServletException {
        Optional<byte[]> body = RequestBodies.read(request, maxBodyBytes);
        if (body.isEmpty()) {
            ResponseWriter.write(response, tooLarge(route.rules()));
            response.flushBuffer();
            RequestBodies.discard(request);
            return;
        }
        ApiRequest asked = new ApiRequest(
                request.getMethod(),
                request.getRequestURI(),
                orEmpty(request.getQueryString()),
                // A compressed body is compared by its bytes, even if it contains JSON.
                request.getHeader("Content-Encoding") == null ? orEmpty(request.getContentType()) : "",
                body.get(),
                tenant.apply(request),
                actor.apply(request),
                "",
                key,
                Collections.list(request.getHeaders("Prefer")));
        new GuardedExchange(route.rules(), request, response, body.get()).run(gate, asked, chain);
    }

    private @Nullable Route routeOf(HttpServletRequest request) {
        String path = request.getRequestURI();
        String context = request.getContextPath();
        String inside = withoutParameters(path.startsWith(context) ? path.substring(context.length()) : path);
        for (Route route : routes) {
            if (route.methods().contains(request.getMethod()) && route.path().matches(inside)) {
                return route;
            }
        }
        return null;
    }

    /** Containers and frameworks ignore parameters of a path, such as ;jsessionid=1, when they choose the handler. */
    private static String withoutParameters(String path) {
        return path.indexOf(';') < 0 ? path : path.replaceAll(";[^/]*", "");
    }

    private ApiAnswer tooLarge(ApiRules rules) {
        return rules.problems()
                .problem(
                        413,
                        "body-too-large",
                        "The body is too large",
                        "A request to this route may have a body of at most %d bytes. The request did not run"
                                .formatted(maxBodyBytes));
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}
