// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import dev.semel.CallObserver.Current;
import dev.semel.server.config.Role;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.vertx.core.Context;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Handles every request of one event loop: validates it, finds its route, authenticates the sender, reads the body,
 * calls the handler, and sends the response. The response may come from any thread; it is sent on this loop.
 */
final class RequestDispatcher {
    private static final Identity ANONYMOUS = new Identity("default", "anonymous", Role.VIEWER);

    private final Context loop;
    private final Thread loopThread;
    private final Routes routes;
    private final Identities identities;
    private final EventLoopConnections connections;
    private final int maxBody;
    private final Memory memory;
    private final BooleanSupplier stopping;
    private final HttpObserver observer;
    private final HttpTracer tracer;

    /** The accounts that requests are charged to. */
    record Memory(MemoryBudget budget, ClientAddresses addresses) {
        MemoryCharge charge(RequestLifecycle lifecycle, boolean openRoute) {
            AddressAccount account = addresses.enterFor(lifecycle.connection().account(), lifecycle.request());
            return new MemoryCharge(budget, addresses, account, openRoute);
        }
    }

    /** Create it on its own event loop. */
    RequestDispatcher(
            Context loop,
            Routes routes,
            Identities identities,
            EventLoopConnections connections,
            int maxBody,
            Memory memory,
            BooleanSupplier stopping,
            HttpObserver observer,
            HttpTracer tracer) {
        this.loop = loop;
        this.loopThread = Thread.currentThread();
        this.routes = routes;
        this.identities = identities;
        this.connections = connections;
        this.maxBody = maxBody;
        this.memory = memory;
        this.stopping = stopping;
        this.observer = observer;
        this.tracer = tracer;
    }

    void handle(HttpServerRequest request) {
        EventLoopConnections.TrackedConnection connection = connections.of(request.connection());
        if (connection == null || connection.isEnding()) {
            // The connection has ended, or this follows a request that was refused unread. The end of that request
            // cannot be
            // trusted.
            return;
        }
        connection.working();
        RequestLifecycle lifecycle = new RequestLifecycle(request, connection, stopping, observer);
        try {
            RequestValidation.check(request);
            identities.admit(request);
            if (stopping.getAsBoolean() && !request.path().startsWith("/health")) {
                throw ProblemDetail.of(ProblemType.SHUTTING_DOWN, "The server is stopping; send the request again soon")
                        .retryAfter(Duration.ofSeconds(5))
                        .asException();
            }
            Routes.Found found = routes.find(request.method().name(), request.path());
            lifecycle.found(found.route(), tracer.begin(request, found.route().path()));
            Current current = lifecycle.trace().enter();
            try {
                handle(lifecycle, found);
            } finally {
                current.close();
            }
        } catch (RuntimeException e) {
            lifecycle.finish(null, e);
        }
    }

    private void handle(RequestLifecycle lifecycle, Routes.Found found) {
        HttpServerRequest request = lifecycle.request();
        boolean proxied = found.route().work() instanceof HttpRoute.Proxied;
        if (!proxied) {
            RequestValidation.checkServerRequest(request);
        }
        Identity identity = authorize(request, found.route());
        MemoryCharge charge = memory.charge(lifecycle, found.route().access() == RouteAccess.OPEN && !proxied);
        lifecycle.admitted(charge);
        lifecycle.connection().chargeHead(charge);
        RequestContext context = new RequestContext(
                request,
                identity,
                found.parameters(),
                charge,
                lifecycle.trace(),
                this::onLoop,
                () -> authorize(request, found.route()));
        if (found.route().refusesOtherParameters()) {
            context.onlyParameters(found.route().parameters());
        } else if (!proxied) {
            context.checkQuery();
        }
        if (found.route().work() instanceof HttpRoute.Streaming streaming) {
            stream(lifecycle, context, streaming.handler());
        } else if (found.route().work() instanceof HttpRoute.Proxied proxy) {
            proxy(lifecycle, context, proxy.handler());
        } else {
            work(lifecycle, context, found.route().work())
                    .whenComplete((ready, failure) -> onLoop(() -> lifecycle.finish(ready, failure)));
        }
    }

    private Identity authorize(HttpServerRequest request, HttpRoute route) {
        if (route.access() == RouteAccess.OPEN) {
            return ANONYMOUS;
        }
        Identity identity = identities.of(request);
        if (!route.access().allows(identity.role())) {
            throw ProblemDetail.of(
                            ProblemType.FORBIDDEN,
                            "The token's role %s does not allow this request"
                                    .formatted(identity.role().name().toLowerCase(Locale.ROOT)))
                    .asException();
        }
        return identity;
    }

    private CompletionStage<HttpAnswer> work(
            RequestLifecycle lifecycle, RequestContext context, HttpRoute.Handling work) {
        if (work instanceof HttpRoute.Plain plain) {
            return plain.handler().handle(context);
        }
        if (work instanceof HttpRoute.Unserved unserved) {
            throw unserved.problem().asException();
        }
        if (work instanceof HttpRoute.WithJson) {
            JsonBodies.requireJson(context.request());
        }
        BodyReader reader = BodyReader.read(context.request(), maxBody, context.charge());
        return arrived(lifecycle, reader).thenCompose(bytes -> context.traced(() -> withBody(context, work, bytes)));
    }

    private static CompletionStage<HttpAnswer> withBody(RequestContext context, HttpRoute.Handling work, byte[] bytes) {
        context.charge().take(JsonBodies.cost(bytes));
        return work instanceof HttpRoute.WithJson json
                ? json.handler().handle(context, JsonBodies.parse(bytes))
                : ((HttpRoute.WithBytes) work).handler().handle(context, bytes);
    }

    private static CompletableFuture<byte[]> arrived(RequestLifecycle lifecycle, BodyReader reader) {
        EventLoopConnections.TrackedConnection connection = lifecycle.connection();
        connection.reading(reader.body());
        // Register this before the handler, because the handler may set a deadline of its own.
        return reader.body().whenComplete((bytes, failure) -> connection.working());
    }

    private void stream(RequestLifecycle lifecycle, RequestContext context, HttpRoute.StreamHandler handler) {
        HttpServerRequest request = context.request();
        lifecycle.connection().answering();
        // Call the handler first: if it refuses the request, 100 Continue must not be sent.
        CompletionStage<Void> done = handler.handle(context, lifecycle.connection()::answering);
        if (request.headers().contains(HeaderNames.EXPECT)
                && !done.toCompletableFuture().isCompletedExceptionally()) {
            request.response().writeContinue();
        }
        done.whenComplete((all, failure) -> onLoop(() -> {
            if (failure == null) {
                lifecycle.streamed();
            } else if (request.response().headWritten()) {
                lifecycle.abort();
            } else {
                lifecycle.finish(null, failure);
            }
        }));
    }

    private void proxy(RequestLifecycle lifecycle, RequestContext context, HttpRoute.ProxyHandler handler) {
        handler.handle(context, new ProxiedClient(lifecycle, context))
                .whenComplete((answer, failure) -> onLoop(() -> {
                    if (failure != null && context.request().response().headWritten()) {
                        lifecycle.abort();
                    } else if (failure != null || answer.isPresent()) {
                        lifecycle.finish(failure == null ? answer.orElseThrow() : null, failure);
                    } else {
                        lifecycle.streamed();
                    }
                }));
    }

    private void onLoop(Runnable work) {
        if (Thread.currentThread() == loopThread) {
            work.run();
        } else {
            loop.runOnContext(later -> work.run());
        }
    }

    /** Responds to a request that Netty could not decode. */
    void invalid(HttpServerRequest request) {
        Throwable cause = request.decoderResult().cause();
        EventLoopConnections.TrackedConnection connection = connections.of(request.connection());
        if (connection == null || request.response().ended()) {
            request.connection().close();
            return;
        }
        connection.ending();
        HttpAnswer answer = unreadable(cause).answer();
        observer.answered("OTHER", "none", answer.status(), 0);
        AnswerWriter.write(request, answer, true).onComplete(sent -> connection.lingering());
    }

    /** Exposes only messages of our own decoder. Netty's messages may quote the request. */
    private static ProblemDetail unreadable(@Nullable Throwable cause) {
        if (cause instanceof RequestDecoder.Refused refused) {
            return refused.problem();
        }
        if (cause instanceof TooLongHttpLineException) {
            return ProblemDetail.of(ProblemType.URI_TOO_LONG, "The request line exceeds limits.uri_bytes");
        }
        if (cause instanceof TooLongHttpHeaderException) {
            return ProblemDetail.of(ProblemType.HEADERS_TOO_LARGE, "The headers exceed limits.header_bytes in total");
        }
        return ProblemDetail.of(ProblemType.BAD_REQUEST, ProblemType.BAD_REQUEST.title());
    }
}
