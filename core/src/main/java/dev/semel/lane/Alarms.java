// SPDX-License-Identifier: Apache-2.0
package dev.semel.lane;

import java.util.NavigableSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Alarms that are nearly always stopped before they ring. They share one task of the timer, which is due with the earliest
 * alarm. So an alarm wakes the timer's thread only if it is set to ring before all others, and stopping one never does.
 */
public final class Alarms {
    private final Environment environment;
    private final ScheduledExecutorService timer;
    private final NavigableSet<Alarm> open = new ConcurrentSkipListSet<>();
    private final AtomicLong numbers = new AtomicLong();
    private volatile @Nullable Tick tick;

    /** @param environment has the clock of the alarms */
    public Alarms(Environment environment, ScheduledExecutorService timer) {
        this.environment = environment;
        this.timer = timer;
    }

    /**
     * Runs the task on the timer's thread after this time, unless the alarm is stopped.
     *
     * @throws RejectedExecutionException if the timer has been shut down
     */
    public Alarm set(long nanos, Runnable task) {
        if (timer.isShutdown()) {
            throw new RejectedExecutionException("The timer has been shut down");
        }
        Alarm alarm = new Alarm(this, environment.nanoTime() + nanos, numbers.getAndIncrement(), task);
        open.add(alarm);
        // After it was added: either the next tick finds the alarm, or this thread sees that there is none.
        Tick next = tick;
        if (next == null || next.time - alarm.time > 0) {
            schedule(alarm.time);
        }
        return alarm;
    }

    private synchronized void schedule(long time) {
        Tick next = tick;
        if (next != null) {
            if (next.time - time <= 0) {
                return;
            }
            next.task.cancel(false);
        }
        // Null first: if the timer refuses, the next alarm tries again.
        tick = null;
        long left = Math.max(0, time - environment.nanoTime());
        tick = new Tick(time, timer.schedule(this::ring, left, TimeUnit.NANOSECONDS));
    }

    private void ring() {
        synchronized (this) {
            tick = null;
        }
        long now = environment.nanoTime();
        for (Alarm first = first(); first != null && first.time - now <= 0; first = first()) {
            // Only one of the two: an alarm that was stopped does not ring.
            if (open.remove(first)) {
                Completions.run(first.task);
            }
        }
        Alarm next = first();
        if (next != null) {
            schedule(next.time);
        }
    }

    private @Nullable Alarm first() {
        // Not isEmpty and first: an alarm may be stopped in between.
        for (Alarm alarm : open) {
            return alarm;
        }
        return null;
    }

    private record Tick(long time, Future<?> task) {}

    /** An alarm that was set. */
    public static final class Alarm implements Comparable<Alarm> {
        private final Alarms alarms;
        private final long time;
        private final long number;
        private final Runnable task;

        private Alarm(Alarms alarms, long time, long number, Runnable task) {
            this.alarms = alarms;
            this.time = time;
            this.number = number;
            this.task = task;
        }

        /** The task is not run any more, unless it runs already. */
        public void stop() {
            alarms.open.remove(this);
        }

        /** The earliest first. The difference is compared, because the clock may overflow. */
        @Override
        public int compareTo(Alarm other) {
            int byTime = Long.signum(time - other.time);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return this == other;
        }

        @Override
        public int hashCode() {
            return Long.hashCode(number);
        }
    }
}
