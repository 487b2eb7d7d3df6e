// SPDX-License-Identifier: Apache-2.0
package dev.semel.servlet;

import dev.semel.http.ApiAnswer;
import dev.semel.http.ApiGate;
import dev.semel.http.ApiReply;
import dev.semel.http.ApiRequest;
import dev.semel.http.ApiResult;
import dev.semel.http.ApiRules;
import dev.semel.http.Attempt;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One protected request, from its claim to its answer.
 *
 * <ol>
 *   <li>The servlet runs on the container's thread. It returns, throws, or leaves the request in asynchronous mode.
 *   <li>{@code ended} completes: with the return, or when the asynchronous request completes, times out or fails.
 *   <li>{@code ApiGate} settles the claim, and {@code reply} completes.
 *   <li>The reply is delivered once: by the container's thread, or after an asynchronous request.
 * </ol>
 */
final class GuardedExchange {
    static final String ATTRIBUTE = "dev.semel.servlet.exchange";
    private static final Logger LOG = LoggerFactory.getLogger(GuardedExchange.class);

    private final ApiRules rules;
    private final HttpServletRequest request;
    private final HttpServletResponse response;
    private final byte[] body;
    private final CompletableFuture<ApiResult> ended = new CompletableFuture<>();
    private final CompletableFuture<ApiReply> reply = new CompletableFuture<>();
    private final CompletableFuture<Void> delivered = new CompletableFuture<>();
    private final AtomicBoolean delivering = new AtomicBoolean();
    private final AtomicBoolean completing = new AtomicBoolean();

    private volatile @Nullable AnswerBuffer answer;

    private volatile @Nullable AsyncContext container;

    /** Whether the servlet's last call left the request in asynchronous mode. */
    private volatile boolean async;

    /** Whether the request was dispatched and has not passed this filter since. */
    private volatile boolean unattended;

    GuardedExchange(ApiRules rules, HttpServletRequest request, HttpServletResponse response, byte[] body) {
        this.rules = rules;
        this.request = request;
        this.response = response;
        this.body = body;
    }

    void run(ApiGate gate, ApiRequest asked, FilterChain chain) throws IOException, ServletException {
        gate.runOnCaller(rules, asked, attempt -> start(attempt, chain)).whenComplete((replied, failure) -> {
            if (failure == null) {
                reply.complete(replied);
            } else {
                reply.completeExceptionally(failure);
            }
        });
        if (!async) {
            deliver();
        }
    }

    private CompletionStage<ApiResult> start(Attempt attempt, FilterChain chain) {
        AnswerBuffer buffer =
                new AnswerBuffer(this, response, attempt.headers(), rules.problems(), rules.maxAnswerBytes());
        answer = buffer;
        request.setAttribute(ATTRIBUTE, this);
        request.setAttribute(IdempotencyFilter.ATTEMPT, attempt);
        pass(new RepeatableRequest(request, body, this, buffer), buffer, chain);
        return ended;
    }

    /** The request passes the filter again, after an asynchronous dispatch or because of a forward. */
    void passAgain(HttpServletRequest again, HttpServletResponse wrapped, FilterChain chain)
            throws IOException, ServletException {
        if (again.getDispatcherType() != DispatcherType.ASYNC || ended.isDone()) {
            chain.doFilter(again, wrapped);
            return;
        }
        unattended = false;
        pass(again, wrapped, chain);
        if (!async) {
            deliver();
        }
    }

    private void pass(HttpServletRequest wrappedRequest, HttpServletResponse wrappedResponse, FilterChain chain) {
        async = false;
        try {
            chain.doFilter(wrappedRequest, wrappedResponse);
        } catch (Throwable e) {
            async = false;
            fail(e);
            return;
        }
        if (!async) {
            end();
        }
    }

    /** The servlet has started asynchronous mode. */
    void startedAsync(AsyncContext context) {
        container = context;
        async = true;
    }

    /** Runs a callback of non-blocking reading or writing. Requires asynchronous mode. */
    void onContainerThread(Runnable task) {
        AsyncContext context = container;
        if (context == null) {
            throw new IllegalStateException("The request is not in asynchronous mode");
        }
        context.start(task);
    }

    /** The servlet has dispatched the asynchronous request. */
    void dispatched() {
        unattended = true;
    }

    /** Whether the answer must be streamed. */
    boolean isUnattended() {
        return unattended;
    }

    private AnswerBuffer answer() {
        return Objects.requireNonNull(answer, "The servlet did not run");
    }

    private void end() {
        ApiResult result;
        try {
            result = answer().result(rules.released());
        } catch (RuntimeException e) {
            ended.completeExceptionally(e);
            return;
        }
        ended.complete(result);
    }

    /** A client that has disconnected does not make the request fail. */
    private void fail(Throwable failure) {
        AnswerBuffer buffer = answer();
        if (buffer.isClientGone()) {
            ended.complete(new ApiResult.Streamed(buffer.getStatus()));
        } else {
            ended.completeExceptionally(failure);
        }
        buffer.abandon();
    }

    /** The servlet completes the asynchronous request. It is settled first, and then answered by a container thread. */
    void complete(AsyncContext context) {
        if (!completing.compareAndSet(false, true)) {
            throw new IllegalStateException("The asynchronous request is already complete");
        }
        end();
        reply.whenComplete((replied, failure) -> {
            try {
                context.start(() -> deliverAndComplete(context));
            } catch (RuntimeException e) {
                deliverAndComplete(context);
            }
        });
    }

    /** The asynchronous request timed out. Its listeners were already called. */
    void timedOut(AsyncContext context) {
        if (unattended) {
            return;
        }
        if (completing.compareAndSet(false, true)) {
            ended.complete(new ApiResult.Lost(timeOut()));
            answer().abandon();
        }
        deliverAndComplete(context);
        delivered.join();
    }

    /** The asynchronous request failed. Its listeners were already called. */
    void failed(AsyncContext context, Throwable failure) {
        if (unattended) {
            return;
        }
        if (completing.compareAndSet(false, true)) {
            fail(failure);
            // Settle before the container answers.
            reply.exceptionally(error -> new ApiReply.Threw(error)).join();
        } else if (!ended.isCompletedExceptionally()) {
            deliverAndComplete(context);
            delivered.join();
        }
    }

    /** The container has ended the asynchronous request. */
    void over() {
        if (!ended.isDone()) {
            AnswerBuffer buffer = answer();
            if (unattended) {
                LOG.warn("The filter has no mapping for ASYNC dispatches: only the status of the answer is stored");
                ended.complete(new ApiResult.Streamed(buffer.getStatus()));
            } else {
                ended.complete(new ApiResult.Lost(timeOut()));
            }
            buffer.abandon();
        }
    }

    private void deliverAndComplete(AsyncContext context) {
        if (delivering.compareAndSet(false, true)) {
            try {
                write(reply.join());
            } catch (IOException | RuntimeException e) {
                LOG.debug("Sending an answer to the client failed. The answer is stored", e);
            } finally {
                try {
                    context.complete();
                } catch (IllegalStateException e) {
                    LOG.debug("The container has already ended the asynchronous request", e);
                }
                delivered.complete(null);
            }
        }
    }

    private void deliver() throws IOException, ServletException {
        ApiReply replied;
        try {
            replied = reply.join();
        } catch (CompletionException e) {
            throw thrown(e.getCause());
        }
        if (delivering.compareAndSet(false, true)) {
            if (replied instanceof ApiReply.Threw threw) {
                answer().markFailed();
                throw thrown(threw.failure());
            }
            write(replied);
        }
    }

    private void write(ApiReply replied) throws IOException {
        if (replied instanceof ApiReply.Streamed || response.isCommitted()) {
            return;
        }
        ApiAnswer toSend = replied instanceof ApiReply.Replay replay
                ? replay.answer().get()
                : ((ApiReply.Answer) replied).answer();
        AnswerBuffer buffer = answer;
        if (buffer == null) {
            ResponseWriter.write(response, toSend);
        } else if (ended.getNow(null) instanceof ApiResult.Lost) {
            response.reset();
            ResponseWriter.write(response, toSend);
        } else {
            buffer.deliver(toSend);
        }
    }

    private static ServletException thrown(@Nullable Throwable failure) throws IOException {
        if (failure instanceof Error error) {
            throw error;
        }
        if (failure instanceof RuntimeException unchecked) {
            throw unchecked;
        }
        if (failure instanceof IOException io) {
            throw io;
        }
        return failure instanceof ServletException known ? known : new ServletException(failure);
    }

    private ApiAnswer timeOut() {
        return rules.problems()
                .problem(
                        503,
                        "request-timed-out",
                        "The request timed out",
                        "The request took too long. It is unknown whether it took effect");
    }
}
