// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import dev.semel.claim.StoreException;
import dev.semel.internal.Futures;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state of one request from its head to its response. It holds its {@link MemoryCharge} until the response was sent
 * or, if the client disconnected, until the processing ends. Used only on the connection's event loop.
 */
final class RequestLifecycle {
    private static final Logger LOG = LoggerFactory.getLogger(RequestLifecycle.class);

    /** Smaller responses are not charged. The number of connections bounds them. */
    private static final int SMALL_ANSWER = 4_096;

    /** The most frequent first. */
    private static final List<HttpMethod> METHODS = List.of(
            HttpMethod.POST,
            HttpMethod.GET,
            HttpMethod.HEAD,
            HttpMethod.PUT,
            HttpMethod.PATCH,
            HttpMethod.DELETE,
            HttpMethod.OPTIONS);

    private final HttpServerRequest request;
    private final EventLoopConnections.TrackedConnection connection;
    private final BooleanSupplier stopping;
    private @Nullable MemoryCharge charge;
    private @Nullable HttpRoute route;
    private RequestTrace trace = RequestTrace.NONE;
    private int status;
    private final HttpObserver observer;
    private final long started = System.nanoTime();

    /** @param stopping whether every connection closes after its response */
    RequestLifecycle(
            HttpServerRequest request,
            EventLoopConnections.TrackedConnection connection,
            BooleanSupplier stopping,
            HttpObserver observer) {
        this.request = request;
        this.connection = connection;
        this.stopping = stopping;
        this.observer = observer;
    }

    HttpServerRequest request() {
        return request;
    }

    EventLoopConnections.TrackedConnection connection() {
        return connection;
    }

    /** The route was found. */
    void found(HttpRoute matching, RequestTrace begun) {
        route = matching;
        trace = begun;
    }

    RequestTrace trace() {
        return trace;
    }

    /** The request was admitted. */
    void admitted(MemoryCharge paidBy) {
        charge = paidBy;
    }

    private void observe(int sent) {
        status = sent;
        HttpMethod method = request.method();
        observer.answered(
                METHODS.contains(method) ? method.name() : "OTHER", routePath(), sent, System.nanoTime() - started);
    }

    private String routePath() {
        return route == null ? "none" : route.path();
    }

    /** Ends the processing with a response or a failure. */
    void finish(@Nullable HttpAnswer ready, @Nullable Throwable failure) {
        Throwable cause = failure == null ? null : Futures.unwrapped(failure);
        if (cause instanceof ProblemException problem) {
            send(problem.problem().answer());
        } else if (cause instanceof StoreException unavailable) {
            send(StoreProblems.of(unavailable).answer());
        } else if (cause != null || ready == null) {
            failed(cause);
        } else {
            send(withinMemory(ready));
        }
    }

    /** Reduces the reservation to the response. Returns a 503 response if there is no memory for it. */
    private HttpAnswer withinMemory(HttpAnswer ready) {
        int length = ready.body().length;
        int held = ready.shared() ? Math.min(length, AnswerWriter.PART) : length;
        if (length <= SMALL_ANSWER || charge == null || charge.tryReplace(held)) {
            return ready;
        }
        ready.undelivered().run();
        return MemoryCharge.busyAnswering().answer();
    }

    private void failed(@Nullable Throwable cause) {
        if (!request.response().closed()) {
            String method = request.method().name();
            String path = routePath();
            LOG.atError()
                    .setCause(cause)
                    .addKeyValue("method", method)
                    .addKeyValue("route", path)
                    .log("Request failed; the client received a 500 response: {}, route {}", method, path);
        }
        send(ProblemDetail.of(ProblemType.INTERNAL, "Internal server error; see the server's log")
                .answer());
    }

    private void send(HttpAnswer answer) {
        HttpServerResponse response = request.response();
        if (response.ended() || response.closed()) {
            release();
            answer.undelivered().run();
            return;
        }
        observe(answer.status());
        boolean unread = !request.isEnded() && RequestValidation.hasBody(request);
        connection.answering();
        if (unread) {
            connection.ending();
        }
        AnswerWriter.write(request, answer, unread || stopping.getAsBoolean()).onComplete(sent -> {
            release();
            if (sent.failed()) {
                answer.undelivered().run();
            }
            if (unread && !request.isEnded()) {
                // Closing now could destroy the response before a client that is still sending reads it.
                connection.lingering();
                request.endHandler(all -> request.connection().close());
            } else if (unread) {
                request.connection().close();
            } else {
                connection.answered();
            }
        });
    }

    /** Ends a request whose response was streamed. */
    void streamed() {
        observe(request.response().getStatusCode());
        release();
        if (request.isEnded() || !RequestValidation.hasBody(request)) {
            connection.answered();
        } else {
            // The client is still sending. Give it a short time to read the response.
            connection.ending();
            connection.lingering();
            request.handler(rest -> {});
            request.endHandler(all -> request.connection().close());
            request.resume();
        }
    }

    /** Ends a request whose response was sent in part. Closing the connection is the only way to signal that. */
    void abort() {
        observe(request.response().getStatusCode());
        release();
        request.connection().close();
    }

    private void release() {
        RequestTrace ended = trace;
        trace = RequestTrace.NONE;
        ended.end(status);
        MemoryCharge held = charge;
        charge = null;
        if (held != null) {
            held.release();
        }
    }
}
