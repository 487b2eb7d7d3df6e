// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import dev.semel.claim.StoreException;
import dev.semel.internal.Futures;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One request on its way to its answer. It holds its {@link MemoryCharge} until the answer has left, or until the work has ended
 * for a client that went away. Only the event loop of its connection touches it.
 */
final class RequestLifecycle {
    private static final Logger LOG = LoggerFactory.getLogger(RequestLifecycle.class);

    /** Smaller answers are bounded by the number of connections. */
    private static final int SMALL_ANSWER = 4_096;

    private final HttpServerRequest request;
    private final EventLoopConnections.TrackedConnection connection;
    private final BooleanSupplier stopping;
    private @Nullable MemoryCharge charge;
    private @Nullable HttpRoute route;

    /** @param stopping whether connections end after the answer in any case */
    RequestLifecycle(
            HttpServerRequest request, EventLoopConnections.TrackedConnection connection, BooleanSupplier stopping) {
        this.request = request;
        this.connection = connection;
        this.stopping = stopping;
    }

    HttpServerRequest request() {
        return request;
    }

    EventLoopConnections.TrackedConnection connection() {
        return connection;
    }

    /** The request was let in. */
    void begins(HttpRoute found, MemoryCharge paidBy) {
        route = found;
        charge = paidBy;
    }

    /** The work has ended: with an answer, or without. */
    void finish(@Nullable HttpAnswer ready, @Nullable Throwable failure) {
        Throwable cause = failure == null ? null : Futures.unwrapped(failure);
        if (cause instanceof ProblemException problem) {
            send(problem.problem().answer());
        } else if (cause instanceof StoreException unavailable) {
            send(StoreProblems.of(unavailable).answer());
        } else if (cause != null || ready == null) {
            failed(cause);
        } else {
            send(affordable(ready));
        }
    }

    /** From now on the request holds its answer, and nothing else. */
    private HttpAnswer affordable(HttpAnswer ready) {
        int length = ready.body().length;
        int held = ready.shared() ? Math.min(length, AnswerWriter.PART) : length;
        return length <= SMALL_ANSWER || charge == null || charge.tryBecome(held)
                ? ready
                : MemoryCharge.busyAnswering().answer();
    }

    private void failed(@Nullable Throwable cause) {
        if (!request.response().closed()) {
            LOG.atError()
                    .setCause(cause)
                    .addKeyValue("method", request.method().name())
                    .addKeyValue("route", route == null ? "none" : route.path())
                    .log("A request failed");
        }
        send(ProblemDetail.of(ProblemType.INTERNAL, "The server failed; its log has more")
                .answer());
    }

    private void send(HttpAnswer answer) {
        HttpServerResponse response = request.response();
        if (response.ended() || response.closed()) {
            release();
            return;
        }
        boolean unread = !request.isEnded() && RequestValidation.hasBody(request);
        connection.answering();
        if (unread) {
            connection.ending();
        }
        AnswerWriter.write(request, answer, unread || stopping.getAsBoolean()).onComplete(sent -> {
            release();
            if (unread && !request.isEnded()) {
                // Closing at once could destroy the answer on its way to a client that is still sending.
                connection.lingering();
                request.endHandler(all -> request.connection().close());
            } else if (unread) {
                request.connection().close();
            } else {
                connection.answered();
            }
        });
    }

    /** A streamed answer has left. */
    void streamed() {
        release();
        if (request.isEnded() || !RequestValidation.hasBody(request)) {
            connection.answered();
        } else {
            // Its client is still sending, and gets a moment to read the answer.
            connection.ending();
            connection.lingering();
            request.handler(rest -> {});
            request.endHandler(all -> request.connection().close());
            request.resume();
        }
    }

    /** Half an answer has left: only a broken connection can say that there is no other half. */
    void broken() {
        release();
        request.connection().close();
    }

    private void release() {
        MemoryCharge held = charge;
        charge = null;
        if (held != null) {
            held.release();
        }
    }
}
