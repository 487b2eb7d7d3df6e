// SPDX-License-Identifier: Apache-2.0
package dev.semel.lane;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Waits without a thread. Closing ends every pause, because a timer that is shut down drops its tasks silently. */
public final class Pauses {
    private final ScheduledExecutorService timer;
    private final Set<Pause> open = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    public Pauses(ScheduledExecutorService timer) {
        this.timer = timer;
    }

    /**
     * A future that completes with true after this time, and with false as soon as this is closed. It never fails. Completing
     * it earlier ends the pause.
     */
    public CompletableFuture<Boolean> after(long nanos) {
        Pause pause = new Pause();
        open.add(pause);
        pause.whenComplete((ended, failure) -> open.remove(pause));
        try {
            Future<?> alarm = timer.schedule(() -> pause.complete(true), nanos, TimeUnit.NANOSECONDS);
            pause.whenComplete((ended, failure) -> alarm.cancel(false));
        } catch (RejectedExecutionException e) {
            pause.complete(false);
        }
        // After it was added: either close() finds the pause, or this thread sees that close() has looked already.
        if (closed) {
            pause.complete(false);
        }
        return pause;
    }

    /** Ends all pauses, and every later one at once. The timer may be shut down before or after. */
    public void close() {
        closed = true;
        open.forEach(pause -> Completions.run(() -> pause.complete(false)));
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
}
