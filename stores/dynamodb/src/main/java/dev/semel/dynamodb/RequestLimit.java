// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Limits how many requests are in flight. Further ones wait in a queue, without a thread. */
final class RequestLimit {
    private final int most;
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private int running;

    /** Whether a thread starts requests. It also starts those that other threads make possible, so no stack grows with the queue. */
    private boolean starting;

    RequestLimit(int most) {
        this.most = most;
    }

    /** Starts the request, now or when another one has ended. */
    <T> CompletableFuture<T> submit(Supplier<CompletableFuture<T>> request) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        synchronized (this) {
            waiting.add(() -> started(request).whenComplete((value, failure) -> {
                // First the next request: what follows this answer may take long.
                ended();
                if (failure == null) {
                    answer.complete(value);
                } else {
                    answer.completeExceptionally(failure);
                }
            }));
        }
        startWaiting();
        return answer;
    }

    private static <T> CompletableFuture<T> started(Supplier<CompletableFuture<T>> request) {
        try {
            return request.get();
        } catch (RuntimeException | Error e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private void ended() {
        synchronized (this) {
            running--;
        }
        startWaiting();
    }

    private void startWaiting() {
        synchronized (this) {
            if (starting) {
                return;
            }
            starting = true;
        }
        for (Runnable next = next(); next != null; next = next()) {
            next.run();
        }
    }

    private synchronized @Nullable Runnable next() {
        Runnable next = running < most ? waiting.poll() : null;
        if (next == null) {
            starting = false;
        } else {
            running++;
        }
        return next;
    }
}
