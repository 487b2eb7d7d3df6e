// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.claim.StoreException;
import dev.semel.claim.StoreException.Kind;
import dev.semel.internal.Futures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bounds how long answers may take, and answers everybody when the engine closes. It looks at all open ones every few
 * milliseconds instead of setting an alarm for each: only a silent store ever gets that far, and an alarm would cost
 * more than a call's share of its batch. While nothing is open, nothing ticks.
 */
final class Deadlines {
    private static final Logger LOG = LoggerFactory.getLogger(Semel.class);
    private static final long TICK_NANOS = 10_000_000;

    private final ScheduledExecutorService timer;
    private final Set<Bound> open = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean ticking = new AtomicBoolean();
    private volatile boolean closed;

    Deadlines(ScheduledExecutorService timer) {
        this.timer = timer;
    }

    /** The same answer, or a failure once this time is over or the engine closes; the call itself goes on. */
    <R> CompletableFuture<R> within(Duration bound, CompletableFuture<R> call) {
        if (call.isDone()) {
            return call;
        }
        Bounded<R> answer = new Bounded<>(this, System.nanoTime() + nanos(bound));
        open.add(answer);
        call.whenComplete(answer);
        if (closed) {
            answer.completeExceptionally(closing());
        } else {
            tick();
        }
        return answer;
    }

    /** Tells it once its time is over. */
    void add(Bound bound) {
        open.add(bound);
        tick();
    }

    /** Its time does not matter any more. */
    void remove(Bound bound) {
        open.remove(bound);
    }

    /** Answers those whose calls nobody will make any more; to be called once the workers and the timer have ended. */
    void close() {
        closed = true;
        open.forEach(bound -> {
            if (bound instanceof Bounded<?> answer) {
                tell(() -> answer.completeExceptionally(closing()));
            }
        });
    }

    private void tick() {
        if (!ticking.getAndSet(true)) {
            schedule();
        }
    }

    private void schedule() {
        try {
            timer.schedule(this::look, TICK_NANOS, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            // Closing: what is under way may still be answered, and close() answers the rest.
            ticking.set(false);
        } catch (Throwable e) {
            // Out of memory, say. The next one that is bounded starts the ticking again.
            ticking.set(false);
            LOG.warn("Deadlines could not be scheduled: {}", e.getClass().getName());
        }
    }

    private void look() {
        try {
            long now = System.nanoTime();
            List<Bound> over = new ArrayList<>();
            open.forEach(bound -> {
                if (now - bound.deadline() >= 0) {
                    over.add(bound);
                }
            });
            // What has not left is taken back first: once a caller is told of the time-out, it must not leave any more.
            end(over, bound -> !(bound instanceof Bounded<?>));
            end(over, bound -> bound instanceof Bounded<?>);
        } finally {
            ticking.set(false);
            if (!open.isEmpty()) {
                tick();
            }
        }
    }

    private void end(List<Bound> over, Predicate<Bound> which) {
        for (Bound bound : over) {
            if (which.test(bound)) {
                open.remove(bound);
                tell(bound::over);
            }
        }
    }

    /** Whatever those who depend on the answer throw: all others must be told, now and at the next tick. */
    private static void tell(Runnable news) {
        try {
            news.run();
        } catch (Throwable e) {
            LOG.warn(
                    "A caller failed when it was told of a time-out: {}",
                    e.getClass().getName());
        }
    }

    static StoreException late() {
        return new StoreException(Kind.UNREACHABLE, "The store did not answer in time");
    }

    static StoreException closing() {
        return new StoreException(Kind.UNREACHABLE, "Semel is closed");
    }

    /** Nobody lives for a hundred years; more would overflow. */
    static long nanos(Duration bound) {
        return bound.compareTo(Duration.ofDays(36_500)) > 0
                ? Duration.ofDays(36_500).toNanos()
                : bound.toNanos();
    }

    /** Something that has an end; only equal to itself. */
    interface Bound {
        /** In {@link System#nanoTime}. */
        long deadline();

        /** The end has come; called at most once. */
        void over();
    }

    private static final class Bounded<R> extends CompletableFuture<R> implements BiConsumer<R, Throwable>, Bound {
        private final Deadlines deadlines;
        private final long deadline;

        Bounded(Deadlines deadlines, long deadline) {
            this.deadlines = deadlines;
            this.deadline = deadline;
        }

        @Override
        public long deadline() {
            return deadline;
        }

        @Override
        public void over() {
            completeExceptionally(late());
        }

        @Override
        public void accept(R result, Throwable failure) {
            deadlines.open.remove(this);
            if (failure == null) {
                complete(result);
            } else {
                completeExceptionally(Futures.unwrapped(failure));
            }
        }
    }
}
