// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import dev.semel.server.config.LimitSettings;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.impl.HttpServerConnection;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one event loop: how they are read, and how long each may take to send headers, to
 * send a body, to read the answer, to send the next request. A time-out that starts anew with every byte would let a client
 * hold a connection for ever; these count from the beginning. Only the event loop touches them.
 */
final class EventLoopConnections {
    private static final long LOOK_MILLIS = 500;
    private static final Duration LINGER = Duration.ofSeconds(2);

    /** Vert.x calls its own decoder so. */
    private static final String DECODER = "httpDecoder";

    private static final int SMALLEST_READ = 512;
    private static final int FIRST_READ = 2_048;
    private static final int LARGEST_READ = 16_384;

    private final LimitSettings limits;
    private final HttpServerOptions options;
    private final Map<HttpConnection, TrackedConnection> all = new HashMap<>();

    EventLoopConnections(Vertx vertx, LimitSettings limits, HttpServerOptions options) {
        this.limits = limits;
        this.options = options;
        vertx.setPeriodic(LOOK_MILLIS, timer -> look());
    }

    void opened(HttpConnection connection) {
        ChannelHandlerContext channel = ((HttpServerConnection) connection).channelHandlerContext();
        ConnectionSlot slot = channel.channel().attr(ConnectionSlot.OF).get();
        TrackedConnection tracked =
                new TrackedConnection(slot.account(), new RequestDecoder(options, limits.headerLines()));
        channel.pipeline().replace(DECODER, DECODER, tracked.decoder);
        // What one connection has read and not yet decoded is this much at the most.
        channel.channel()
                .config()
                .setRecvByteBufAllocator(new AdaptiveRecvByteBufAllocator(SMALLEST_READ, FIRST_READ, LARGEST_READ));
        tracked.within(limits.headersWithin());
        all.put(connection, tracked);
        connection.closeHandler(closed -> all.remove(connection));
        slot.taken(tracked);
    }

    /** The connection's; null for one that has ended. */
    @Nullable
    TrackedConnection of(HttpConnection connection) {
        return all.get(connection);
    }

    private void look() {
        long now = System.nanoTime();
        for (TrackedConnection tracked : List.copyOf(all.values())) {
            if (tracked.bounded && now - tracked.deadline > 0) {
                tracked.overdue();
            }
        }
    }

    /** One connection, and what it may take its time for. */
    final class TrackedConnection {
        private final AddressAccount account;
        private final RequestDecoder decoder;
        private boolean bounded;
        private long deadline;
        private boolean ending;
        private volatile boolean working;
        private @Nullable CompletableFuture<byte[]> body;

        TrackedConnection(AddressAccount account, RequestDecoder decoder) {
            this.account = account;
            this.decoder = decoder;
        }

        AddressAccount account() {
            return account;
        }

        /** Takes what it costs to hold the head of the request that is being worked on. */
        void chargeHead(MemoryCharge charge) {
            charge.takeForHead(decoder.headBytes(), decoder.headerLines());
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
            working = true;
        }

        /** The answer is on its way. */
        void answering() {
            within(limits.bodyWithin());
        }

        /** The answer has left, and the next request may come. */
        void answered() {
            within(limits.idle());
            decoder.answered();
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

        /** Whether a request is being worked on, rather than sent or its answer read. May be asked by any thread. */
        boolean isWorking() {
            return working;
        }

        /**
         * Closes the connection at once, also if an answer is waiting for a client that does not read. May be called by any
         * thread.
         */
        void cut() {
            decoder.cut();
        }

        private void within(Duration bound) {
            bounded = true;
            working = false;
            deadline = System.nanoTime() + bound.toNanos();
        }

        private void overdue() {
            CompletableFuture<byte[]> coming = body;
            body = null;
            if (coming != null && !coming.isDone()) {
                within(LINGER);
                coming.completeExceptionally(ProblemDetail.of(
                                ProblemType.REQUEST_TIMEOUT,
                                "The body did not arrive within %d s"
                                        .formatted(limits.bodyWithin().toSeconds()))
                        .asException());
            } else {
                cut();
            }
        }
    }
}
