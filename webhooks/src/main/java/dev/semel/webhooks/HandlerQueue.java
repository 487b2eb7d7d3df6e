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
 * The handler's calls for one delivery, one after the other: each holds its event's excerpt until it has ended. A
 * call that waits for its turn holds no thread, and turns do not nest, however many there are.
 */
final class HandlerQueue {
    private record Turn(Supplier<CompletionStage<Start>> begin, CompletableFuture<Start> started) {}

    private final Queue<Turn> waiting = new ArrayDeque<>();
    private boolean busy;

    /** Begins once all that came before have ended. */
    CompletionStage<Start> next(Supplier<CompletionStage<Start>> begin) {
        Turn turn = new Turn(begin, new CompletableFuture<>());
        boolean first;
        synchronized (this) {
            waiting.add(turn);
            first = !busy;
            busy = true;
        }
        if (first) {
            proceed();
        }
        return turn.started();
    }

    private void proceed() {
        Turn turn = poll();
        while (turn != null) {
            CompletableFuture<?> ended = take(turn);
            if (!ended.isDone()) {
                ended.thenRun(this::proceed);
                return;
            }
            turn = poll();
        }
    }

    private synchronized @Nullable Turn poll() {
        Turn next = waiting.poll();
        busy = next != null;
        return next;
    }

    /** When the turn is over, well or not. */
    private static CompletableFuture<?> take(Turn turn) {
        CompletionStage<Start> start;
        try {
            start = turn.begin().get();
        } catch (RuntimeException e) {
            start = CompletableFuture.failedFuture(e);
        }
        start.whenComplete((begun, failure) -> {
            if (failure == null) {
                turn.started().complete(begun);
            } else {
                turn.started().completeExceptionally(failure);
            }
        });
        return start.thenCompose(Start::ended).handle((ended, failure) -> null).toCompletableFuture();
    }
}
