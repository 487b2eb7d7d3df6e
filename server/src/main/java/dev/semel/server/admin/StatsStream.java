// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.admin;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * One stream of events. At most one event waits for the client: while it has not been sent, no further one is made, and a
 * client that does not read for {@code limits.body_seconds} is disconnected. Used only on the connection's event loop.
 */
final class StatsStream {
    private static final long TICK_MILLIS = 250;
    private static final int TICKS_PER_EVENT = 4;

    private final Vertx vertx;
    private final Context loop;
    private final HttpServerResponse response;
    private final Supplier<CompletableFuture<byte[]>> events;
    private final Runnable progress;
    private final BooleanSupplier last;
    private final CompletableFuture<Void> done = new CompletableFuture<>();
    private boolean sending;
    private int ticks;

    /**
     * @param events makes the next event
     * @param progress to be called whenever the client has read an event
     * @param last whether the stream ends after the next event
     */
    StatsStream(
            Vertx vertx,
            HttpServerResponse response,
            Supplier<CompletableFuture<byte[]>> events,
            Runnable progress,
            BooleanSupplier last) {
        this.vertx = vertx;
        this.loop = Vertx.currentContext();
        this.response = response;
        this.events = events;
        this.progress = progress;
        this.last = last;
    }

    CompletionStage<Void> start() {
        response.setChunked(true)
                .putHeader("Content-Type", StatsStreams.MEDIA_TYPE)
                .putHeader("Cache-Control", "no-store")
                .putHeader("X-Content-Type-Options", "nosniff");
        response.closeHandler(closed -> done.complete(null));
        response.exceptionHandler(failure -> done.complete(null));
        long timer = vertx.setPeriodic(TICK_MILLIS, fired -> tick());
        done.whenComplete((end, failure) -> vertx.cancelTimer(timer));
        next();
        return done;
    }

    private void tick() {
        if (!sending) {
            // The client has read everything. It must not be disconnected because the next event is not due.
            progress.run();
        }
        if (++ticks % TICKS_PER_EVENT == 0) {
            next();
        }
    }

    private void next() {
        if (sending || done.isDone()) {
            return;
        }
        sending = true;
        events.get()
                .whenComplete((event, failure) -> loop.runOnContext(later -> {
                    if (failure != null) {
                        done.completeExceptionally(failure);
                    } else if (!done.isDone()) {
                        send(event);
                    }
                }));
    }

    private void send(byte[] event) {
        if (last.getAsBoolean()) {
            response.end(Buffer.buffer(event)).onComplete(sent -> done.complete(null));
            return;
        }
        response.write(Buffer.buffer(event)).onComplete(sent -> {
            sending = false;
            if (sent.failed()) {
                done.complete(null);
            } else {
                progress.run();
            }
        });
    }
}
