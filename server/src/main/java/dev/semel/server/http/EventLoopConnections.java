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
 * The connections of one event loop, with their decoders and deadlines.
 *
 * <p>Each phase has a time limit: sending headers, sending a body, reading the response, and idling before the next
 * request. A limit counts from the start of its phase. A timeout that restarted with every byte would let a client hold
 * a connection forever. Used only on the event loop.
 */
final class EventLoopConnections {
    private static final long CHECK_MILLIS = 500;
    private static final Duration LINGER = Duration.ofSeconds(2);

    /** The name that Vert.x gives its own decoder in the pipeline. */
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
        vertx.setPeriodic(CHECK_MILLIS, timer -> checkDeadlines());
    }

    void opened(HttpConnection connection) {
        ChannelHandlerContext channel = ((HttpServerConnection) connection).channelHandlerContext();
        ConnectionSlot slot = channel.channel().attr(ConnectionSlot.OF).get();
        TrackedConnection tracked =
                new TrackedConnection(slot.account(), new RequestDecoder(options, limits.headerLines()));
        channel.pipeline().replace(DECODER, DECODER, tracked.decoder);
        // Bounds the bytes that one connection has read but not yet decoded.
        channel.channel()
                .config()
                .setRecvByteBufAllocator(new AdaptiveRecvByteBufAllocator(SMALLEST_READ, FIRST_READ, LARGEST_READ));
        tracked.setDeadline(limits.headersWithin());
        all.put(connection, tracked);
        connection.closeHandler(closed -> all.remove(connection));
        slot.attach(tracked);
    }

    /** Returns the tracked connection, or null if it has ended. */
    @Nullable
    TrackedConnection of(HttpConnection connection) {
        return all.get(connection);
    }

    private void checkDeadlines() {
        long now = System.nanoTime();
        for (TrackedConnection tracked : List.copyOf(all.values())) {
            if (tracked.bounded && now - tracked.deadline > 0) {
                tracked.onDeadline();
            }
        }
    }

    /** One connection and the deadline of its current phase. */
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

        /** Charges the memory that the head of the current request holds. */
        void chargeHead(MemoryCharge charge) {
            charge.takeForHead(decoder.headBytes(), decoder.headerLines());
        }

        /** The headers have arrived; the body is being received. */
        void reading(CompletableFuture<byte[]> coming) {
            body = coming;
            setDeadline(limits.bodyWithin());
        }

        /** The request is complete. Processing time does not count against the client. */
        void working() {
            body = null;
            bounded = false;
            working = true;
        }

        /** The response is being sent. */
        void answering() {
            setDeadline(limits.bodyWithin());
        }

        /** The response was sent; the connection may send its next request. */
        void answered() {
            setDeadline(limits.idle());
            decoder.answered();
        }

        /** The response was sent while the client was still sending. The client gets a short time to read it. */
        void lingering() {
            setDeadline(LINGER);
        }

        /** Further requests on this connection are ignored. */
        void ending() {
            ending = true;
        }

        boolean isEnding() {
            return ending;
        }

        /** Returns whether a request is being processed, as opposed to received or answered. Any thread may call it. */
        boolean isWorking() {
            return working;
        }

        /**
         * Closes the connection immediately, even if the client has not read a pending response. Any thread may call
         * it.
         */
        void closeNow() {
            decoder.closeNow();
        }

        private void setDeadline(Duration bound) {
            bounded = true;
            working = false;
            deadline = System.nanoTime() + bound.toNanos();
        }

        private void onDeadline() {
            CompletableFuture<byte[]> coming = body;
            body = null;
            if (coming != null && !coming.isDone()) {
                setDeadline(LINGER);
                coming.completeExceptionally(ProblemDetail.of(
                                ProblemType.REQUEST_TIMEOUT,
                                "The request body did not arrive within %d s"
                                        .formatted(limits.bodyWithin().toSeconds()))
                        .asException());
            } else {
                closeNow();
            }
        }
    }
}
