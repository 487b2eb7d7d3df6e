// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

import dev.semel.webhooks.HandlerCalls.Start;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs the handler's calls for one delivery one at a time, because each holds its event's excerpt in memory until it ends.
 * Queued calls hold no thread, and the stack does not grow with their number.
 */
final class HandlerQueue {
    private record Call(Supplier<CompletionStage<Start>> begin, CompletableFuture<Start> started) {}

    private final Queue<Call> waiting = new ArrayDeque<>();
    private boolean busy;

    /** Begins the call after all earlier ones have ended. */
    CompletionStage<Start> add(Supplier<CompletionStage<Start>> begin) {
        Call call = new Call(begin, new CompletableFuture<>());
        boolean first;
        synchronized (this) {
            waiting.add(call);
            first = !busy;
            busy = true;
        }
        if (first) {
            proceed();
        }
        return call.started();
    }

    private void proceed() {
        Call call = poll();
        while (call != null) {
            CompletableFuture<?> ended = run(call);
            if (!ended.isDone()) {
                ended.thenRun(this::proceed);
                return;
            }
            call = poll();
        }
    }

    private synchronized @Nullable Call poll() {
        Call next = waiting.poll();
        busy = next != null;
        return next;
    }

    /** Runs the call. The future completes when the call has ended, with or without a failure. */
    private static CompletableFuture<?> run(Call call) {
        CompletionStage<Start> start;
        try {
            start = call.begin().get();
        } catch (RuntimeException e) {
            start = CompletableFuture.failedFuture(e);
        }
        start.whenComplete((begun, failure) -> {
            if (failure == null) {
                call.started().complete(begun);
            } else {
                call.started().completeExceptionally(failure);
            }
        });
        return start.thenCompose(Start::ended).handle((ended, failure) -> null).toCompletableFuture();
    }
}
