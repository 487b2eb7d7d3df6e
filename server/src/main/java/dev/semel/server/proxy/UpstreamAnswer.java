// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.proxy;

import dev.semel.http.HeaderLine;
import dev.semel.server.http.ProxiedClient;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Streams a response to the client while it arrives. The service is read as fast as the client reads. A client that
 * reads nothing for too long is disconnected. Used only on the client's event loop.
 */
final class UpstreamAnswer {
    private final HttpServerRequest request;
    private final HttpServerResponse response;
    private final ProxiedClient client;
    private final HttpClientResponse upstream;
    private final StallTimer stall;
    private final boolean recorded;
    private final Promise<Void> ended = Promise.promise();
    private boolean gone;
    private boolean holds;
    private Buffer held = Buffer.buffer();

    private UpstreamAnswer(
            HttpServerRequest request,
            ProxiedClient client,
            HttpClientResponse upstream,
            StallTimer stall,
            boolean recorded) {
        this.request = request;
        this.recorded = recorded;
        this.response = request.response();
        this.client = client;
        this.upstream = upstream;
        this.stall = stall;
    }

    /**
     * Creates a response that is not recorded.
     *
     * @param stall the service's timer; it is paused while the service is not read
     */
    static UpstreamAnswer plain(
            HttpServerRequest request, ProxiedClient client, HttpClientResponse upstream, StallTimer stall) {
        return new UpstreamAnswer(request, client, upstream, stall, false);
    }

    /** Creates a response whose end is held back until it is recorded and {@link #end} is called. */
    static UpstreamAnswer recorded(
            HttpServerRequest request, ProxiedClient client, HttpClientResponse upstream, StallTimer stall) {
        return new UpstreamAnswer(request, client, upstream, stall, true);
    }

    /**
     * Sends the head, the data that has arrived, and further data. Completes once the whole response has arrived, even
     * if the client disconnected. Fails if the response is incomplete.
     *
     * @param lines headers without Content-Length
     * @param onGone called once if the client disconnects before the end
     */
    Future<Void> send(List<HeaderLine> lines, @Nullable Buffer arrived, Runnable onGone) {
        response.setStatusCode(upstream.statusCode()).setStatusMessage(upstream.statusMessage());
        lines.forEach(line -> response.headers().add(line.name(), line.value()));
        boolean bodiless =
                request.method().name().equals("HEAD") || upstream.statusCode() == 204 || upstream.statusCode() == 304;
        String length = upstream.getHeader("Content-Length");
        if (length != null && upstream.statusCode() != 204) {
            response.putHeader("Content-Length", length);
            // For a chunked response, hold back only the terminating chunk.
            holds = recorded && !bodiless;
        } else if (!bodiless) {
            response.setChunked(true);
        }
        if (!request.isEnded()) {
            // The service responded before it read the whole request, so the rest of the request is still being sent on
            // this
            // connection.
            response.putHeader("Connection", "close");
        }
        response.exceptionHandler(failure -> clientGone(onGone));
        response.closeHandler(closed -> clientGone(onGone));
        client.working();
        upstream.exceptionHandler(ended::tryFail);
        upstream.handler(this::write);
        upstream.endHandler(end -> finish());
        if (arrived != null && arrived.length() > 0) {
            write(arrived);
        }
        if (response.closed()) {
            clientGone(onGone);
        }
        if (!response.writeQueueFull()) {
            upstream.resume();
        }
        return ended.future();
    }

    /** Stops reading after the client disconnected. The data read so far counts as the whole response. */
    void stop() {
        ended.tryComplete();
    }

    private void write(Buffer part) {
        stall.touch();
        if (gone || response.closed()) {
            return;
        }
        Buffer next = part;
        if (holds) {
            next = held;
            held = part;
        }
        if (next.length() == 0) {
            return;
        }
        response.write(next);
        if (response.writeQueueFull()) {
            upstream.pause();
            stall.pause();
            client.progress();
            response.drainHandler(drained -> {
                client.working();
                stall.resume();
                upstream.resume();
            });
        }
    }

    private void finish() {
        if (gone || response.closed()) {
            ended.tryComplete();
            return;
        }
        if (!recorded) {
            end();
        }
        ended.tryComplete();
    }

    /** Sends the end. A client that does not read it is disconnected. */
    void end() {
        if (!gone && !response.closed() && !response.ended()) {
            client.progress();
            response.end(held);
        }
    }

    private void clientGone(Runnable onGone) {
        if (!gone && !ended.future().isComplete()) {
            gone = true;
            stall.resume();
            onGone.run();
            upstream.resume();
        }
    }
}
