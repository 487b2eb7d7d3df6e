// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A queue of parts of large requests. It limits how many are in progress, so that other calls find free threads. */
final class BoundedQueue {
    private final int maxAtOnce;
    private final Queue<Supplier<? extends CompletableFuture<?>>> waiting = new ArrayDeque<>();
    private int begun;

    /** Whether a thread is beginning parts. A part that ends at once must not begin the next one recursively. */
    private boolean beginning;

    BoundedQueue(int maxAtOnce) {
        this.maxAtOnce = maxAtOnce;
    }

    /** Begins the part now or later. It must not throw, and its future must end in a bounded time. */
    void add(Supplier<? extends CompletableFuture<?>> part) {
        synchronized (this) {
            waiting.add(part);
        }
        beginNext();
    }

    private void beginNext() {
        synchronized (this) {
            if (beginning) {
                return;
            }
            beginning = true;
        }
        for (Supplier<? extends CompletableFuture<?>> part = next(); part != null; part = next()) {
            part.get().whenComplete((answer, failure) -> {
                synchronized (this) {
                    begun--;
                }
                beginNext();
            });
        }
    }

    private synchronized @Nullable Supplier<? extends CompletableFuture<?>> next() {
        if (begun == maxAtOnce || waiting.isEmpty()) {
            beginning = false;
            return null;
        }
        begun++;
        return waiting.remove();
    }
}
