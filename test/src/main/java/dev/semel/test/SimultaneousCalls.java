// SPDX-License-Identifier: Apache-2.0
package dev.semel.test;

import dev.semel.Semel;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Callers on threads of their own that are released together. */
final class SimultaneousCalls<R extends @Nullable Object> {
    private static final long MAX_RUN_NANOS = TimeUnit.SECONDS.toNanos(60);

    /** How long the first settlement waits for callers whose state cannot be seen, for example behind a socket. */
    private static final long MAX_HOLD_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final Set<String> WAITING = Set.of("get", "join");

    private final List<Caller> callers = new ArrayList<>();
    private final CountDownLatch ready;

    SimultaneousCalls(int count, Callable<R> call) {
        if (count < 2) {
            throw new IllegalArgumentException("At least 2 callers are needed, but there are " + count);
        }
        ready = new CountDownLatch(count);
        for (int i = 1; i <= count; i++) {
            callers.add(new Caller("caller-" + i, call));
        }
    }

    /** Makes all calls and waits for their ends. */
    AtOnce<R> run() {
        callers.forEach(Thread::start);
        long deadline = System.nanoTime() + MAX_RUN_NANOS;
        List<R> returned = new ArrayList<>();
        List<Throwable> thrown = new ArrayList<>();
        for (Caller caller : callers) {
            caller.awaitEnd(deadline);
            if (caller.thrown == null) {
                returned.add(caller.result());
            } else {
                thrown.add(caller.thrown);
            }
        }
        return new AtOnce<>(returned, thrown);
    }

    /** Waits until every caller has its answer or waits for it inside the engine. Called where the first one settles. */
    void awaitDuplicates() {
        long deadline = System.nanoTime() + MAX_HOLD_NANOS;
        while (!callers.stream().allMatch(Caller::hasMetTheClaim) && deadline - System.nanoTime() > 0) {
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    private final class Caller extends Thread {
        private final Callable<R> call;
        private volatile @Nullable R result;
        private volatile @Nullable Throwable thrown;

        Caller(String name, Callable<R> call) {
            super(name);
            setDaemon(true);
            this.call = call;
        }

        @Override
        public void run() {
            try {
                ready.countDown();
                ready.await();
                result = call.call();
            } catch (Throwable e) {
                thrown = e;
            }
        }

        /** The result, which is null only if the call returned null. */
        @SuppressWarnings("NullAway")
        R result() {
            return result;
        }

        boolean hasMetTheClaim() {
            return getState() == State.TERMINATED || this == Thread.currentThread() || waitsInTheEngine();
        }

        /**
         * Whether the engine has taken the call and has it wait for an answer. Seen in one snapshot of the stack: the state of
         * the thread would be that of another moment.
         */
        private boolean waitsInTheEngine() {
            boolean waits = false;
            for (StackTraceElement frame : getStackTrace()) {
                waits |= frame.getClassName().equals(CompletableFuture.class.getName())
                        && WAITING.contains(frame.getMethodName());
                if (frame.getClassName().equals(Semel.class.getName())) {
                    return waits;
                }
            }
            return false;
        }

        void awaitEnd(long deadline) {
            try {
                long millis = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
                join(Math.max(1, millis));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError("Interrupted while waiting for " + getName(), e);
            }
            if (isAlive()) {
                AssertionError error =
                        new AssertionError(getName() + " did not end within 60 s; the stack trace shows where it is");
                error.setStackTrace(getStackTrace());
                throw error;
            }
        }
    }
}
