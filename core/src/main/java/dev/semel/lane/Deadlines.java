// SPDX-License-Identifier: Apache-2.0
package dev.semel.lane;

import dev.semel.internal.Futures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
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
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bounds how long answers may take, and answers every open call when its owner closes.
 *
 * <p>It checks all open calls every few milliseconds instead of setting an alarm for each. Only an unavailable store lets
 * calls reach their deadline, and an alarm would cost more than a call's share of its batch. The timer is idle while
 * no call is open.
 */
public final class Deadlines {
    private static final Logger LOG = LoggerFactory.getLogger(Deadlines.class);
    public static final Duration LONGEST = Duration.ofDays(36_500);
    private static final long TICK_NANOS = 10_000_000;
    private static final long MAX_TICK_NANOS = 100_000_000;
    /** The rest after a search, in multiples of its time: the search takes little of the timer however many calls are open. */
    private static final long REST = 20;

    private final Environment environment;
    private final ScheduledExecutorService timer;
    private final Supplier<? extends Throwable> late;
    private final Supplier<? extends Throwable> closing;
    private final Set<Bound> open = ConcurrentHashMap.newKeySet();
    private final Set<Answer> untilClosed = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean ticking = new AtomicBoolean();
    private volatile boolean closed;

    /**
     * @param late makes the failure of a call whose time is over
     * @param closing makes the failure of a call that is open when this is closed
     */
    public Deadlines(
            ScheduledExecutorService timer, Supplier<? extends Throwable> late, Supplier<? extends Throwable> closing) {
        this(Environment.SYSTEM, timer, late, closing);
    }

    /** @param environment has the clock of the deadlines */
    public Deadlines(
            Environment environment,
            ScheduledExecutorService timer,
            Supplier<? extends Throwable> late,
            Supplier<? extends Throwable> closing) {
        this.environment = environment;
        this.timer = timer;
        this.late = late;
        this.closing = closing;
    }

    /** A new future with the call's answer, or with a failure after this time or on close. The call itself goes on. */
    public <R> CompletableFuture<R> within(Duration bound, CompletableFuture<R> call) {
        return within(bound, call, late);
    }

    /** As {@link #within(Duration, CompletableFuture)}, with another failure if the time is over. */
    public <R> CompletableFuture<R> within(
            Duration bound, CompletableFuture<R> call, Supplier<? extends Throwable> failure) {
        if (call.isDone()) {
            return call;
        }
        Bounded<R> answer = new Bounded<>(this, environment.nanoTime() + nanos(bound), failure);
        open.add(answer);
        call.whenComplete(answer);
        started(answer);
        return answer;
    }

    /** The same future, which fails after this time or on close. Ending it may cancel the call, as in {@link Lanes}. */
    public <R> CompletableFuture<R> bound(Duration bound, CompletableFuture<R> call) {
        if (call.isDone()) {
            return call;
        }
        Ending end = new Ending(this, call, environment.nanoTime() + nanos(bound));
        open.add(end);
        call.whenComplete((answer, failure) -> open.remove(end));
        started(end);
        return call;
    }

    /** The same future, which fails on close. Executors drop queued tasks when they end, and their futures would stay open. */
    public <R> CompletableFuture<R> untilClosed(CompletableFuture<R> call) {
        if (call.isDone()) {
            return call;
        }
        Ending end = new Ending(this, call, 0);
        untilClosed.add(end);
        call.whenComplete((answer, failure) -> untilClosed.remove(end));
        if (closed) {
            end.fail(closing.get());
        }
        return call;
    }

    /** After it was added: either close() finds the answer, or this thread sees that close() has looked already. */
    private void started(Answer answer) {
        if (closed) {
            answer.fail(closing.get());
        } else {
            tick(TICK_NANOS);
        }
    }

    /** Calls {@link Bound#over} once the deadline has passed. */
    public void add(Bound bound) {
        open.add(bound);
        tick(TICK_NANOS);
    }

    /** Forgets a bound that was added. */
    public void remove(Bound bound) {
        open.remove(bound);
    }

    /** Fails all open calls, and later ones at once. Shut down the workers and the timer first. */
    public void close() {
        closed = true;
        open.forEach(bound -> {
            if (bound instanceof Answer answer) {
                Completions.run(() -> answer.fail(closing.get()));
            }
        });
        untilClosed.forEach(answer -> Completions.run(() -> answer.fail(closing.get())));
    }

    private void tick(long nanos) {
        if (!ticking.getAndSet(true)) {
            schedule(nanos);
        }
    }

    private void schedule(long nanos) {
        try {
            timer.schedule(this::check, nanos, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            // Closing: running calls may still be answered, and close() answers the rest.
            ticking.set(false);
        } catch (Throwable e) {
            // For example, out of memory. The next bounded call tries again.
            ticking.set(false);
            LOG.warn(
                    "Deadlines are not checked until the next call, because scheduling failed with {}",
                    e.getClass().getName());
        }
    }

    private void check() {
        long rest = 0;
        try {
            long now = environment.nanoTime();
            List<Bound> over = new ArrayList<>();
            open.forEach(bound -> {
                if (now - bound.deadline() >= 0) {
                    over.add(bound);
                }
            });
            rest = Math.min(MAX_TICK_NANOS, REST * (environment.nanoTime() - now));
            // The earliest first. The set has no order, and a simulation must be able to repeat this.
            over.sort(Comparator.comparingLong(bound -> bound.deadline() - now));
            // Unsent commands are withdrawn first: a command must not be sent after its caller got the timeout.
            end(over, bound -> !(bound instanceof Answer));
            end(over, bound -> bound instanceof Answer);
        } finally {
            ticking.set(false);
            if (!open.isEmpty()) {
                tick(Math.max(TICK_NANOS, rest));
            }
        }
    }

    private void end(List<Bound> over, Predicate<Bound> which) {
        for (Bound bound : over) {
            if (which.test(bound)) {
                open.remove(bound);
                Completions.run(bound::over);
            }
        }
    }

    /** The nanoseconds of a duration, at most a hundred years, because more would overflow. */
    public static long nanos(Duration bound) {
        return bound.compareTo(LONGEST) > 0 ? LONGEST.toNanos() : bound.toNanos();
    }

    /** Something with a deadline, compared by identity. */
    public interface Bound {
        /** In {@link Environment#nanoTime}. */
        long deadline();

        /** Called at most once, after the deadline. */
        void over();
    }

    /** A bound on a caller's answer. */
    private interface Answer extends Bound {
        void fail(Throwable failure);
    }

    /** Fails a future that belongs to the caller. */
    private static final class Ending implements Answer {
        private final Deadlines deadlines;
        private final CompletableFuture<?> call;
        private final long deadline;

        Ending(Deadlines deadlines, CompletableFuture<?> call, long deadline) {
            this.deadlines = deadlines;
            this.call = call;
            this.deadline = deadline;
        }

        @Override
        public long deadline() {
            return deadline;
        }

        @Override
        public void over() {
            fail(deadlines.late.get());
        }

        @Override
        public void fail(Throwable failure) {
            call.completeExceptionally(failure);
        }
    }

    /** A copy of a call's future that can fail earlier. */
    private static final class Bounded<R> extends CompletableFuture<R> implements BiConsumer<R, Throwable>, Answer {
        private final Deadlines deadlines;
        private final long deadline;
        private final Supplier<? extends Throwable> late;

        Bounded(Deadlines deadlines, long deadline, Supplier<? extends Throwable> late) {
            this.deadlines = deadlines;
            this.deadline = deadline;
            this.late = late;
        }

        @Override
        public long deadline() {
            return deadline;
        }

        @Override
        public void over() {
            fail(late.get());
        }

        @Override
        public void fail(Throwable failure) {
            completeExceptionally(failure);
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
