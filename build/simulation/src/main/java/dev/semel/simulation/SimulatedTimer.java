// SPDX-License-Identifier: Apache-2.0
package dev.semel.simulation;

import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Delayed;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** The timer of a simulated process. Methods that the engine does not use are refused. */
final class SimulatedTimer extends AbstractExecutorService implements ScheduledExecutorService {
    private final Scheduler scheduler;
    private final SimulatedProcess process;

    SimulatedTimer(Scheduler scheduler, SimulatedProcess process) {
        this.scheduler = scheduler;
        this.process = process;
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
        return new Alarm<>(scheduler.after(unit.toNanos(delay), process, task));
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, long first, long pause, TimeUnit unit) {
        Runnable repeated = new Runnable() {
            @Override
            public void run() {
                task.run();
                scheduler.after(unit.toNanos(pause), process, this);
            }
        };
        return new Alarm<>(scheduler.after(unit.toNanos(first), process, repeated));
    }

    @Override
    public void execute(Runnable task) {
        scheduler.after(0, process, task);
    }

    @Override
    public <V> ScheduledFuture<V> schedule(Callable<V> task, long delay, TimeUnit unit) {
        return new Alarm<>(scheduler.after(unit.toNanos(delay), process, () -> {
            try {
                task.call();
            } catch (Exception e) {
                throw new IllegalStateException("A task of the engine failed", e);
            }
        }));
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, long first, long period, TimeUnit unit) {
        throw new UnsupportedOperationException("The engine schedules with a fixed delay only");
    }

    @Override
    public void shutdown() {
        throw new UnsupportedOperationException("A simulated process crashes; it never closes");
    }

    @Override
    public List<Runnable> shutdownNow() {
        throw new UnsupportedOperationException("A simulated process crashes; it never closes");
    }

    @Override
    public boolean isShutdown() {
        return false;
    }

    @Override
    public boolean isTerminated() {
        return false;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        return false;
    }

    /** An event as the engine sees it. */
    private static final class Alarm<V> implements ScheduledFuture<V> {
        private final Scheduler.Event event;

        Alarm(Scheduler.Event event) {
            this.event = event;
        }

        @Override
        public boolean cancel(boolean mayInterrupt) {
            return event.cancel();
        }

        @Override
        public boolean isCancelled() {
            return event.isCancelled();
        }

        @Override
        public boolean isDone() {
            return event.isDone() || event.isCancelled();
        }

        @Override
        public V get() {
            throw new CancellationException("Nothing waits in a simulation");
        }

        @Override
        public V get(long timeout, TimeUnit unit) {
            return get();
        }

        @Override
        public long getDelay(TimeUnit unit) {
            return unit.convert(event.time(), TimeUnit.NANOSECONDS);
        }

        @Override
        public int compareTo(Delayed other) {
            return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
        }
    }
}
