// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Limits how many requests are in flight. Further ones wait in a queue, without a thread. */
final class InFlight {
    private final int most;
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private int running;

    InFlight(int most) {
        this.most = most;
    }

    /** Starts the request, now or when another one has ended. */
    <T> CompletableFuture<T> submit(Supplier<CompletableFuture<T>> request) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        Runnable start = () -> started(request).whenComplete((value, failure) -> {
            // First the next request: what follows this answer may take long.
            ended();
            if (failure == null) {
                answer.complete(value);
            } else {
                answer.completeExceptionally(failure);
            }
        });
        synchronized (this) {
            if (running >= most) {
                waiting.add(start);
                return answer;
            }
            running++;
        }
        start.run();
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
        Runnable next;
        synchronized (this) {
            next = waiting.poll();
            if (next == null) {
                running--;
            }
        }
        if (next != null) {
            next.run();
        }
    }
}
