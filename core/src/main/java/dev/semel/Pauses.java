// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Waiting without a thread. Whoever waits is told when the engine closes: a timer that stops tells nobody. */
final class Pauses {
    private final ScheduledExecutorService timer;
    private final Set<Pause> open = ConcurrentHashMap.newKeySet();

    Pauses(ScheduledExecutorService timer) {
        this.timer = timer;
    }

    /** True after this time; false as soon as the engine closes. Completing it earlier ends the pause. */
    CompletableFuture<Boolean> after(long nanos) {
        Pause due = new Pause();
        // Before it is scheduled: then either close() sees it, or the timer is closed and refuses it.
        open.add(due);
        try {
            Future<?> alarm = timer.schedule(() -> due.complete(true), nanos, TimeUnit.NANOSECONDS);
            due.whenComplete((ended, failure) -> alarm.cancel(false));
        } catch (RejectedExecutionException closed) {
            due.complete(false);
        }
        due.whenComplete((ended, failure) -> open.remove(due));
        return due;
    }

    /** A future that is only equal to itself, for use in a set. */
    private static final class Pause extends CompletableFuture<Boolean> {
        @Override
        public boolean equals(@Nullable Object other) {
            return this == other;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(this);
        }
    }

    /** Ends all pauses; to be called once the timer is shut down. */
    void close() {
        open.forEach(due -> due.complete(false));
    }
}
