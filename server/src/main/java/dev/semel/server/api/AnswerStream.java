// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.api;

import dev.semel.http.HeaderLine;
import dev.semel.server.http.ClientSide;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sends an answer on to the client while it arrives. The service is read as fast as the client reads. A client that reads
 * nothing for too long is cut off. Only the client's event loop touches it.
 */
final class AnswerStream {
    private final HttpServerRequest request;
    private final HttpServerResponse response;
    private final ClientSide client;
    private final HttpClientResponse upstream;
    private final StallTimer stall;
    private final Promise<Void> ended = Promise.promise();
    private boolean gone;

    /** @param stall of the service; it is told when the service is not read */
    AnswerStream(HttpServerRequest request, ClientSide client, HttpClientResponse upstream, StallTimer stall) {
        this.request = request;
        this.response = request.response();
        this.client = client;
        this.upstream = upstream;
        this.stall = stall;
    }

    /**
     * Sends the head, what has arrived, and what arrives. Completes once the whole answer has arrived, also if the client has
     * gone; fails if the answer broke off.
     *
     * @param lines the headers, without a length
     * @param onGone called once if the client has gone before the end
     */
    Future<Void> send(List<HeaderLine> lines, @Nullable Buffer arrived, Runnable onGone) {
        response.setStatusCode(upstream.statusCode()).setStatusMessage(upstream.statusMessage());
        lines.forEach(line -> response.headers().add(line.name(), line.value()));
        boolean bodiless =
                request.method().name().equals("HEAD") || upstream.statusCode() == 204 || upstream.statusCode() == 304;
        String length = upstream.getHeader("Content-Length");
        if (length != null && upstream.statusCode() != 204) {
            response.putHeader("Content-Length", length);
        } else if (!bodiless) {
            response.setChunked(true);
        }
        if (!request.isEnded()) {
            // The service has not waited for the whole request: where the next one begins, only the client knows.
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

    /** As much of an answer as is read for a client that has gone. */
    void give() {
        ended.tryComplete();
    }

    private void write(Buffer part) {
        stall.touch();
        if (gone || response.closed()) {
            return;
        }
        response.write(part);
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
        client.progress();
        // A client that does not read the end of it does not keep the service's work from being recorded.
        response.end();
        ended.tryComplete();
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
