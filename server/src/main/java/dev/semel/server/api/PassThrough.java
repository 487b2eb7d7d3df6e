// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.api;

import dev.semel.server.http.ClientSide;
import dev.semel.server.http.Exchange;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpServerRequest;

/** Sends an unprotected request on as it is, piece by piece both ways. Only the client's event loop touches it. */
final class PassThrough {
    /** A client that sends less than this within limits.body_seconds is too slow. */
    private static final int LEAST_PROGRESS = 16_384;

    private final HttpServerRequest request;
    private final ClientSide client;
    private final boolean trusted;
    private final Promise<Void> done = Promise.promise();
    private int sinceProgress;

    PassThrough(Exchange exchange, ClientSide client, boolean trusted) {
        this.request = exchange.request();
        this.client = client;
        this.trusted = trusted;
    }

    /** Completes once the answer was sent on. Fails with a problem if there is none, or if it broke off. */
    Future<Void> run(Upstream upstream) {
        request.pause();
        upstream.connect(request.method(), request.uri())
                .onSuccess(this::forward)
                .onFailure(
                        refused -> done.tryFail(UpstreamProblems.unreachable().asException()));
        return done.future();
    }

    private void forward(HttpClientRequest to) {
        ForwardedHeaders.request(request, client.address(), trusted, to.headers());
        to.response()
                .onSuccess(answer -> answer(to, answer))
                .onFailure(failure -> done.tryFail(UpstreamProblems.of(failure).asException()));
        to.exceptionHandler(failure -> done.tryFail(UpstreamProblems.of(failure).asException()));
        request.exceptionHandler(failure -> {
            to.reset();
            done.tryFail(failure);
        });
        if (!client.sendsBody()) {
            request.endHandler(end -> {});
            request.resume();
            client.working();
            to.end();
            return;
        }
        String length = request.getHeader("Content-Length");
        if (length == null) {
            to.setChunked(true);
        } else {
            to.putHeader("Content-Length", length);
        }
        client.progress();
        request.handler(part -> write(to, part));
        request.endHandler(end -> {
            client.working();
            to.end();
        });
        client.readyForBody();
        request.resume();
    }

    private void write(HttpClientRequest to, Buffer part) {
        sinceProgress += part.length();
        if (sinceProgress >= LEAST_PROGRESS) {
            sinceProgress = 0;
            client.progress();
        }
        to.write(part);
        if (to.writeQueueFull()) {
            request.pause();
            // Not the client's fault.
            client.working();
            to.drainHandler(drained -> {
                client.progress();
                request.resume();
            });
        }
    }

    private void answer(HttpClientRequest to, HttpClientResponse answer) {
        if (answer.statusCode() < 200) {
            done.tryFail(UpstreamProblems.failed().asException());
            to.reset();
            return;
        }
        answer.pause();
        new AnswerStream(request, client, answer)
                .send(ForwardedHeaders.answer(answer.headers()), null, to::reset)
                .onComplete(ended -> {
                    if (ended.succeeded()) {
                        done.tryComplete();
                    } else {
                        done.tryFail(UpstreamProblems.of(ended.cause()).asException());
                    }
                });
    }
}
