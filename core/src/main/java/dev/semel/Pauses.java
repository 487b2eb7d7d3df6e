// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Waiting without a thread. Whoever waits is told when the engine closes: a timer that stops tells nobody. */
final class Pauses {
    private final ScheduledExecutorService timer;
    private final Set<Runnable> onClose = ConcurrentHashMap.newKeySet();

    Pauses(ScheduledExecutorService timer) {
        this.timer = timer;
    }

    /** True after this time; false as soon as the engine closes. */
    CompletableFuture<Boolean> after(long nanos) {
        CompletableFuture<Boolean> due = new CompletableFuture<>();
        // Before it is scheduled: then either close() sees it, or the timer is closed and refuses it.
        Runnable end = () -> due.complete(false);
        onClose.add(end);
        due.whenComplete((ended, failure) -> onClose.remove(end));
        try {
            timer.schedule(() -> due.complete(true), nanos, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException closed) {
            due.complete(false);
        }
        return due;
    }

    /** Ends all pauses; to be called once the timer is shut down. */
    void close() {
        onClose.forEach(Runnable::run);
    }
}
