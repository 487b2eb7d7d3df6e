// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Runs a contender with a number of callers for a time. A failing call fails the measurement. */
final class LoadRun {
    /** Grows over all rounds, so that every key is first-time. */
    private static final AtomicLong NUMBERS = new AtomicLong();

    private final int callers;
    private final long end;
    private final ThreadCounts counts;
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    private LoadRun(int callers, Duration duration, ThreadCounts counts) {
        this.callers = callers;
        this.counts = counts;
        this.end = System.nanoTime() + duration.toNanos();
    }

    static Measurement run(Contender contender, int callers, Duration duration) throws Exception {
        return run(new DrivenContender(contender, callers), duration, Cpu.OWN);
    }

    /** @param cpu the processes whose CPU time is measured too */
    static Measurement run(DrivenContender crowd, Duration duration, Cpu cpu) throws Exception {
        Contender contender = crowd.contender();
        ThreadCounts counts = ThreadCounts.start();
        Cpu.Spent before = cpu.now();
        long start = System.nanoTime();
        LoadRun load = new LoadRun(crowd.callers(), duration, counts);
        List<Times> times = contender instanceof Contender.Blocking blocking
                ? load.block(blocking.call())
                : load.chain(((Contender.Async) contender).call());
        double seconds = (System.nanoTime() - start) / 1e9;
        Cpu.Spent spent = cpu.now().since(before);
        Throwable failed = load.failure.get();
        if (failed != null) {
            throw new IllegalStateException(contender.name() + " failed", failed);
        }
        return new Measurement(seconds, Times.all(times), contender.pieces(), spent, counts.soFar());
    }

    /** Runs an open loop: calls start at the times of the schedule. */
    static Measurement run(Contender.Async contender, Schedule schedule, Cpu cpu) throws Exception {
        ThreadCounts counts = ThreadCounts.start();
        Cpu.Spent before = cpu.now();
        long start = System.nanoTime();
        OpenLoad.Times times =
                OpenLoad.run(contender.call(), schedule, OpenLoad.Clock.SYSTEM, NUMBERS::getAndIncrement);
        double seconds = (System.nanoTime() - start) / 1e9;
        Cpu.Spent spent = cpu.now().since(before);
        return new Measurement(seconds, times.nanos(), contender.pieces(), spent, counts.soFar())
                .startedLateBy(times.lateP99Nanos());
    }

    private List<Times> block(Contender.BlockingCall call) throws InterruptedException {
        List<Times> all = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < callers; i++) {
            Times times = new Times();
            all.add(times);
            Thread thread = new Thread(() -> callUntilEnd(call, times), "caller-" + i);
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        return all;
    }

    private void callUntilEnd(Contender.BlockingCall call, Times times) {
        try {
            for (long before = System.nanoTime(); goesOn(before, times); before = System.nanoTime()) {
                call.run(NUMBERS.getAndIncrement());
                times.add(System.nanoTime() - before);
            }
        } catch (Exception e) {
            failure.compareAndSet(null, e);
        } finally {
            counts.addThisThread();
        }
    }

    /** Each caller makes at least one call, even if its round ended before it could start. */
    private boolean goesOn(long now, Times times) {
        return (now < end || times.size == 0) && failure.get() == null;
    }

    private List<Times> chain(Contender.AsyncCall call) {
        List<Times> all = new ArrayList<>();
        List<CompletableFuture<Void>> chains = new ArrayList<>();
        for (int i = 0; i < callers; i++) {
            Times times = new Times();
            CompletableFuture<Void> done = new CompletableFuture<>();
            all.add(times);
            chains.add(done);
            next(call, times, done);
        }
        CompletableFuture.allOf(chains.toArray(CompletableFuture[]::new)).join();
        return all;
    }

    private void next(Contender.AsyncCall call, Times times, CompletableFuture<Void> done) {
        long before = System.nanoTime();
        if (!goesOn(before, times)) {
            done.complete(null);
            return;
        }
        call.start(NUMBERS.getAndIncrement()).whenComplete((result, failed) -> {
            if (failed != null) {
                failure.compareAndSet(null, failed);
            }
            times.add(System.nanoTime() - before);
            next(call, times, done);
        });
    }

    /** The times of one caller, without boxing. */
    private static final class Times {
        private long[] nanos = new long[256];
        private int size;

        void add(long value) {
            if (size == nanos.length) {
                nanos = Arrays.copyOf(nanos, size * 2);
            }
            nanos[size++] = value;
        }

        static long[] all(List<Times> parts) {
            long[] all = new long[parts.stream().mapToInt(part -> part.size).sum()];
            int at = 0;
            for (Times part : parts) {
                System.arraycopy(part.nanos, 0, all, at, part.size);
                at += part.size;
            }
            return all;
        }
    }
}
