// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.proxy;

import dev.semel.http.ApiAnswer;
import dev.semel.http.ApiResult;
import dev.semel.http.Attempt;
import dev.semel.http.HeaderLine;
import dev.semel.server.http.ProxiedClient;
import dev.semel.server.http.RequestContext;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpServerRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to forward a protected request.
 *
 * <p>The response is collected up to a limit. A larger or streaming response is sent to the client while it arrives. If
 * the client disconnects, the exchange with the service continues, unless the response is an endless stream. Used only
 * on the client's event loop.
 */
final class ProtectedCall {
    private static final String TOO_LARGE = "the response was too large or was streamed";
    private static final String NO_MEMORY = "the server had no memory for the response when it arrived";
    private static final int MAX_STATUS = 599;

    private final RequestContext context;
    private final HttpServerRequest request;
    private final ProxiedClient client;
    private final Upstream upstream;
    private final Attempt attempt;
    private final boolean trusted;
    private final int maxBytes;
    private final CompletableFuture<ApiResult> result = new CompletableFuture<>();
    private Buffer collected = Buffer.buffer();
    private @Nullable UpstreamAnswer streamed;

    ProtectedCall(
            RequestContext context,
            ProxiedClient client,
            Upstream upstream,
            Attempt attempt,
            boolean trusted,
            int maxBytes) {
        this.context = context;
        this.request = context.request();
        this.client = client;
        this.upstream = upstream;
        this.attempt = attempt;
        this.trusted = trusted;
        this.maxBytes = maxBytes;
    }

    /** Sends the end of a streamed response, once it is recorded. */
    void end() {
        if (streamed != null) {
            streamed.end();
        }
    }

    CompletionStage<ApiResult> run(byte[] body) {
        upstream.connect(request.method(), request.uri())
                .onSuccess(to -> send(to, body))
                .onFailure(refused -> result.complete(
                        new ApiResult.NotSent(UpstreamProblems.answer(UpstreamProblems.notSent(refused)))));
        return result;
    }

    private void send(HttpClientRequest to, byte[] body) {
        StallTimer stall = upstream.stallTimer(() -> {
            lost(new TimeoutException("no data received"));
            to.reset();
        });
        result.whenComplete((ended, failure) -> stall.stop());
        ForwardedHeaders.request(request, client.address(), trusted, to.headers());
        ForwardedHeaders.attempt(attempt, to.headers());
        to.send(Buffer.buffer(body)).onSuccess(answer -> answer(answer, stall)).onFailure(this::lost);
    }

    private void lost(Throwable failure) {
        result.complete(new ApiResult.Lost(UpstreamProblems.answer(UpstreamProblems.of(failure))));
    }

    private void answer(HttpClientResponse answer, StallTimer stall) {
        stall.touch();
        answer.exceptionHandler(this::lost);
        if (answer.statusCode() < 200 || answer.statusCode() > MAX_STATUS) {
            lost(new IllegalStateException("The target's response is malformed"));
            answer.request().reset();
            return;
        }
        List<HeaderLine> lines = ForwardedHeaders.answer(answer.headers());
        if (streams(answer)) {
            answer.pause();
            stream(answer, lines, stall, TOO_LARGE);
            return;
        }
        answer.handler(part -> {
            stall.touch();
            collect(answer, lines, part, stall);
        });
        answer.endHandler(end -> result.complete(
                new ApiResult.Complete(new ApiAnswer(answer.statusCode(), lines, collected.getBytes()))));
    }

    private boolean streams(HttpClientResponse answer) {
        String type = answer.getHeader("Content-Type");
        if (type != null && type.toLowerCase(Locale.ROOT).startsWith("text/event-stream")) {
            return true;
        }
        return lengthOf(answer.getHeader("Content-Length")) > maxBytes;
    }

    private static long lengthOf(@Nullable String header) {
        try {
            return header == null ? 0 : Long.parseLong(header);
        } catch (NumberFormatException e) {
            return Long.MAX_VALUE;
        }
    }

    private void collect(HttpClientResponse answer, List<HeaderLine> lines, Buffer part, StallTimer stall) {
        boolean small = collected.length() + part.length() <= maxBytes;
        // Charge it twice, because it is encrypted too.
        boolean fits = small && context.charge().tryTake(2L * part.length());
        collected.appendBuffer(part);
        if (!fits) {
            answer.pause();
            stream(answer, lines, stall, small ? NO_MEMORY : TOO_LARGE);
        }
    }

    private void stream(HttpClientResponse answer, List<HeaderLine> lines, StallTimer stall, String why) {
        List<HeaderLine> all = new ArrayList<>(ForwardedHeaders.withoutProxyHeaders(lines));
        all.addAll(attempt.headers());
        Buffer arrived = collected;
        collected = Buffer.buffer();
        UpstreamAnswer stream = UpstreamAnswer.recorded(request, client, answer, stall);
        streamed = stream;
        stream.send(all, arrived, () -> endLater(stream, answer))
                .onSuccess(end -> result.complete(new ApiResult.Streamed(answer.statusCode(), why)))
                .onFailure(this::lost);
    }

    /**
     * Reads the response for a limited time after the client disconnected, so that a truncated response is not recorded
     * as complete.
     */
    private void endLater(UpstreamAnswer stream, HttpClientResponse answer) {
        Runnable cancel = upstream.later(() -> {
            if (!result.isDone()) {
                stream.stop();
                answer.request().reset();
            }
        });
        // Otherwise the timer would keep the request in memory after its end.
        result.whenComplete((ended, failure) -> cancel.run());
    }
}
