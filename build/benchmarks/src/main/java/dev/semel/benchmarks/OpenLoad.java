// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Starts calls at the times of a {@link Schedule}, whether earlier calls have been answered or not: an open loop. The time of a call
 * counts from its scheduled start. A server that stalls thus delays every call that was due meanwhile, and the times show it. A
 * closed loop would send nothing during the stall and count it once (coordinated omission).
 */
final class OpenLoad {
    private final Schedule schedule;
    private final Clock clock;
    private final long[] nanos;
    private final long[] lateNanos;
    private final CountDownLatch open;
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    private OpenLoad(Schedule schedule, Clock clock) {
        this.schedule = schedule;
        this.clock = clock;
        this.nanos = new long[schedule.calls()];
        this.lateNanos = new long[schedule.calls()];
        this.open = new CountDownLatch(schedule.calls());
    }

    /**
     * Runs a whole schedule and waits for all answers. A failing call fails the measurement.
     *
     * @param numbers a new number for each call
     */
    static Times run(Contender.AsyncCall call, Schedule schedule, Clock clock, LongSupplier numbers)
            throws InterruptedException {
        OpenLoad load = new OpenLoad(schedule, clock);
        load.send(call, numbers);
        load.open.await();
        Throwable failed = load.failure.get();
        if (failed != null) {
            throw new IllegalStateException("A call failed", failed);
        }
        return new Times(load.nanos, load.lateNanos);
    }

    private void send(Contender.AsyncCall call, LongSupplier numbers) {
        long start = clock.nanos();
        for (int i = 0; i < nanos.length; i++) {
            int at = i;
            long due = start + schedule.startNanos(i);
            clock.awaitNanos(due);
            lateNanos[i] = Math.max(0, clock.nanos() - due);
            if (failure.get() != null) {
                open.countDown();
                continue;
            }
            call.start(numbers.getAsLong()).whenComplete((result, failed) -> {
                nanos[at] = clock.nanos() - due;
                if (failed != null) {
                    failure.compareAndSet(null, failed);
                }
                open.countDown();
            });
        }
    }

    /** The time of this process; a test has another. */
    interface Clock {
        Clock SYSTEM = new Clock() {
            @Override
            public long nanos() {
                return System.nanoTime();
            }

            @Override
            public void awaitNanos(long due) {
                for (long left = due - nanos(); left > 0; left = due - nanos()) {
                    LockSupport.parkNanos(left);
                }
            }
        };

        long nanos();

        /** Returns at this time or later. */
        void awaitNanos(long due);
    }

    /**
     * What was measured.
     *
     * @param nanos from the scheduled start of each call to its answer
     * @param lateNanos from the scheduled start of each call to its real start: the generator's part of {@code nanos}
     */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    record Times(long[] nanos, long[] lateNanos) {
        /** How late the generator started calls, in 99 of 100 calls at most. */
        long lateP99Nanos() {
            long[] sorted = lateNanos.clone();
            Arrays.sort(sorted);
            return sorted[(int) (0.99 * (sorted.length - 1))];
        }
    }
}
