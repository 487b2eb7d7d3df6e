// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.proxy;

import dev.semel.server.http.ProxiedClient;
import dev.semel.server.http.RequestContext;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpServerRequest;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Forwards an unprotected request unchanged and streams both ways. Used only on the client's event loop. */
final class PassThrough {
    /** A client that sends less than this within limits.body_seconds is too slow. */
    private static final int MIN_PROGRESS = 16_384;

    private final HttpServerRequest request;
    private final ProxiedClient client;
    private final Upstream upstream;
    private final boolean trusted;
    private final Promise<Void> done = Promise.promise();
    private @Nullable HttpClientRequest to;
    private @Nullable StallTimer stall;
    private int sinceProgress;

    PassThrough(RequestContext context, ProxiedClient client, Upstream upstream, boolean trusted) {
        this.request = context.request();
        this.client = client;
        this.upstream = upstream;
        this.trusted = trusted;
    }

    /** Completes once the response was forwarded. Fails with a problem if there is none or it is incomplete. */
    Future<Void> run() {
        request.pause();
        request.exceptionHandler(this::giveUp);
        request.response().closeHandler(closed -> giveUp(new IllegalStateException("The client disconnected")));
        client.working();
        upstream.connect(request.method(), request.uri())
                .onSuccess(this::forward)
                .onFailure(refused ->
                        done.tryFail(UpstreamProblems.notSent(refused).asException()));
        return done.future().onComplete(ended -> {
            if (stall != null) {
                stall.stop();
            }
        });
    }

    /** Stops forwarding because the client disconnected or its request is malformed. */
    private void giveUp(Throwable why) {
        done.tryFail(why);
        if (to != null) {
            to.reset();
        }
    }

    private void fail(Throwable failure) {
        done.tryFail(UpstreamProblems.of(failure).asException());
    }

    private void forward(HttpClientRequest connected) {
        if (done.future().isComplete()) {
            connected.reset();
            return;
        }
        to = connected;
        StallTimer timer = upstream.stallTimer(() -> {
            fail(new TimeoutException("no data received"));
            connected.reset();
        });
        stall = timer;
        ForwardedHeaders.request(request, client.address(), trusted, connected.headers());
        connected
                .response()
                .onSuccess(answer -> answer(connected, answer, timer))
                .onFailure(this::fail);
        connected.exceptionHandler(this::fail);
        if (!client.sendsBody()) {
            if (request.headers().contains("Content-Length")) {
                connected.putHeader("Content-Length", "0");
            }
            request.resume();
            connected.end();
            return;
        }
        String length = request.getHeader("Content-Length");
        if (length == null) {
            connected.setChunked(true);
        } else {
            connected.putHeader("Content-Length", Long.toString(Long.parseLong(length)));
        }
        client.progress();
        timer.pause();
        request.handler(part -> write(connected, part, timer));
        request.endHandler(end -> {
            client.working();
            timer.resume();
            connected.end();
        });
        client.readyForBody();
        request.resume();
    }

    private void write(HttpClientRequest connected, Buffer part, StallTimer timer) {
        if (done.future().isComplete()) {
            return;
        }
        sinceProgress += part.length();
        if (sinceProgress >= MIN_PROGRESS) {
            sinceProgress = 0;
            client.progress();
        }
        connected.write(part);
        if (connected.writeQueueFull()) {
            request.pause();
            // The service does not read. That does not count against the client.
            client.working();
            timer.resume();
            connected.drainHandler(drained -> {
                timer.pause();
                client.progress();
                request.resume();
            });
        }
    }

    private void answer(HttpClientRequest connected, HttpClientResponse answer, StallTimer timer) {
        answer.exceptionHandler(this::fail);
        if (answer.statusCode() < 200 || answer.statusCode() > 599) {
            fail(new IllegalStateException("The target's response is malformed"));
            connected.reset();
            return;
        }
        answer.pause();
        timer.resume();
        UpstreamAnswer.plain(request, client, answer, timer)
                .send(
                        ForwardedHeaders.answer(answer.headers()),
                        null,
                        () -> giveUp(new IllegalStateException("The client disconnected")))
                .onSuccess(ended -> done.tryComplete())
                .onFailure(this::fail);
    }
}
