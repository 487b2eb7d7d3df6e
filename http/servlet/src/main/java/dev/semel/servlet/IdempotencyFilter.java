// SPDX-License-Identifier: Apache-2.0
package dev.semel.servlet;

import dev.semel.Semel;
import dev.semel.http.Admission;
import dev.semel.http.ApiAnswer;
import dev.semel.http.ApiDoor;
import dev.semel.http.ApiRequest;
import dev.semel.http.ApiRules;
import dev.semel.http.IdempotencyKey;
import dev.semel.key.Secrets;
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
 * Runs requests once for their {@code Idempotency-Key}, and answers repeats with the first answer.
 *
 * <pre>{@code
 * IdempotencyFilter filter = IdempotencyFilter.on(semel, secrets)
 *         .route(Route.of("/orders/**"))
 *         .tenant(request -> tenantOf(request))
 *         .build();
 * FilterRegistration.Dynamic registration = context.addFilter("idempotency", filter);
 * registration.setAsyncSupported(true);
 * registration.addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC), true, "/*");
 * }</pre>
 *
 * <ul>
 *   <li><b>Registration.</b> After the filters that authenticate and authorise; for {@code REQUEST} and {@code ASYNC}, with
 *       asynchronous support. An answer that is written after {@code AsyncContext.dispatch} without the {@code ASYNC} mapping
 *       reaches the client, but is stored as its status only.
 *   <li><b>What passes through</b> is not touched: requests to no route, with another method, or that the route's key policy
 *       lets through.
 *   <li><b>The servlet</b> reads the body again by {@code getInputStream}, {@code getReader}, {@code getParameter} or {@code
 *       getParts}; the limits of a {@code MultipartConfig} do not apply, because the filter's bound does. The attribute {@link
 *       #ATTEMPT} has the attempt: its child key is for services behind.
 *   <li><b>The answer</b> is held until it is stored, then sent. An answer above the rules' bound is streamed, and only its
 *       status is stored. So is one that the servlet flushes and then writes more of: what was flushed goes out with the next
 *       write, or at once if the type is {@code text/event-stream}. Trailers reach the first client and are not replayed.
 *   <li><b>{@code sendError}</b> with a status that releases the key is the container's, its error page included. With a final
 *       status the filter answers itself with {@code application/problem+json}, because a container makes its error pages
 *       where no filter can see them: what the client sees is what is stored.
 *   <li><b>Exceptions</b> release the key and are thrown on to the container.
 *   <li><b>Asynchronous requests</b> are settled when they complete; no thread waits meanwhile. One that times out, and whose
 *       listeners neither complete nor dispatch it, is answered with 503. Whether it took effect is not known then: by the
 *       route's stale policy the next request runs, or the key is parked.
 *   <li><b>A client that hangs up</b> changes nothing: the request goes on and its answer is stored.
 *   <li><b>{@code Prefer: wait=N}</b> holds a container thread, for at most the rules' longest wait.
 * </ul>
 */
public final class IdempotencyFilter implements Filter {
    /** The request attribute with the {@link dev.semel.http.Attempt} of a protected request. */
    public static final String ATTEMPT = "dev.semel.servlet.attempt";

    private final ApiDoor door;
    private final List<Route> routes;
    private final Function<HttpServletRequest, String> tenant;
    private final Function<HttpServletRequest, String> actor;
    private final int maxBodyBytes;

    IdempotencyFilter(IdempotencyFilterBuilder builder) {
        door = builder.door;
        routes = List.copyOf(builder.routes);
        tenant = builder.tenant;
        actor = builder.actor;
        maxBodyBytes = builder.maxBodyBytes;
    }

    /**
     * A filter on this engine.
     *
     * @param secrets those that the engine was built with
     */
    public static IdempotencyFilterBuilder on(Semel semel, Secrets secrets) {
        return on(new ApiDoor(semel, secrets));
    }

    /** A filter on this door. */
    public static IdempotencyFilterBuilder on(ApiDoor door) {
        return new IdempotencyFilterBuilder(door);
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
            Answers.write(answering, refused.answer());
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
            Answers.write(response, tooLarge(route.rules()));
            return;
        }
        ApiRequest asked = new ApiRequest(
                request.getMethod(),
                request.getRequestURI(),
                orEmpty(request.getQueryString()),
                // A compressed body counts by its bytes, whatever it holds.
                request.getHeader("Content-Encoding") == null ? orEmpty(request.getContentType()) : "",
                body.get(),
                tenant.apply(request),
                actor.apply(request),
                "",
                key,
                Collections.list(request.getHeaders("Prefer")));
        new GuardedExchange(route.rules(), request, response, body.get()).run(door, asked, chain);
    }

    private @Nullable Route routeOf(HttpServletRequest request) {
        String path = request.getRequestURI();
        String context = request.getContextPath();
        String inside = path.startsWith(context) ? path.substring(context.length()) : path;
        for (Route route : routes) {
            if (route.methods().contains(request.getMethod()) && route.path().matches(inside)) {
                return route;
            }
        }
        return null;
    }

    private ApiAnswer tooLarge(ApiRules rules) {
        return rules.problems()
                .problem(
                        413,
                        "body-too-large",
                        "The body is too large",
                        "A request to this route may have a body of %d bytes; nothing was run".formatted(maxBodyBytes));
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}
