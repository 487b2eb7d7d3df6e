// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import dev.semel.server.config.LimitSettings;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Cuts off who is too slow: to send headers, to send a body, to read the answer, to come back. A time-out that starts
 * anew with every byte would let a client hold a connection for ever; these count from the beginning. One look a second
 * over the connections of one event loop, and only that loop touches them.
 */
final class Connections {
    private static final long LOOK_MILLIS = 500;
    private static final Duration LINGER = Duration.ofSeconds(2);

    private final LimitSettings limits;
    private final AtomicInteger open;
    private final Map<HttpConnection, Watched> all = new HashMap<>();

    /** @param open how many connections there are on all event loops */
    Connections(Vertx vertx, LimitSettings limits, AtomicInteger open) {
        this.limits = limits;
        this.open = open;
        vertx.setPeriodic(LOOK_MILLIS, timer -> look());
    }

    void opened(HttpConnection connection) {
        if (open.incrementAndGet() > limits.connections()) {
            open.decrementAndGet();
            connection.close();
            return;
        }
        Watched watched = new Watched(connection);
        watched.within(limits.headersWithin());
        all.put(connection, watched);
        connection.closeHandler(closed -> {
            open.decrementAndGet();
            all.remove(connection);
        });
    }

    /** One that has just ended is not watched any more. */
    Watched of(HttpConnection connection) {
        Watched watched = all.get(connection);
        return watched == null ? new Watched(connection) : watched;
    }

    private void look() {
        long now = System.nanoTime();
        for (Watched watched : List.copyOf(all.values())) {
            if (watched.bounded && now - watched.deadline > 0) {
                watched.overdue();
            }
        }
    }

    /** One connection, and what it may take its time for. */
    final class Watched {
        private final HttpConnection connection;
        private boolean bounded;
        private long deadline;
        private boolean ending;
        private @Nullable CompletableFuture<byte[]> body;

        Watched(HttpConnection connection) {
            this.connection = connection;
        }

        /** The headers are here, and the body is coming. */
        void reading(CompletableFuture<byte[]> coming) {
            body = coming;
            within(limits.bodyWithin());
        }

        /** All is here; how long the work takes is not the client's fault. */
        void working() {
            body = null;
            bounded = false;
        }

        /** The answer is on its way. */
        void answering() {
            within(limits.bodyWithin());
        }

        /** The answer has left, and the next request may come. */
        void answered() {
            within(limits.idle());
        }

        /** The answer has left although the client is still sending: it gets a moment to read it. */
        void lingering() {
            within(LINGER);
        }

        /** What else comes on this connection is not answered. */
        void ending() {
            ending = true;
        }

        boolean isEnding() {
            return ending;
        }

        private void within(Duration bound) {
            bounded = true;
            deadline = System.nanoTime() + bound.toNanos();
        }

        private void overdue() {
            CompletableFuture<byte[]> coming = body;
            body = null;
            if (coming != null && !coming.isDone()) {
                within(LINGER);
                coming.completeExceptionally(Problem.of(
                                ProblemType.REQUEST_TIMEOUT,
                                "The body did not arrive within %d s"
                                        .formatted(limits.bodyWithin().toSeconds()))
                        .asException());
            } else {
                connection.close();
            }
        }
    }
}
