// SPDX-License-Identifier: Apache-2.0
package dev.semel.lane;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/** Daemon threads for blocking calls, with a bounded end that leaves no call without an answer. */
public final class Workers implements Executor {
    private static final long IDLE_SECONDS = 60;

    private final ThreadPoolExecutor pool;

    private Workers(ThreadPoolExecutor pool) {
        this.pool = pool;
    }

    /** This many threads; further calls wait in a queue. */
    public static Workers fixed(String name, int size) {
        return new Workers(new ThreadPoolExecutor(
                size, size, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), DaemonThreads.factory(name)));
    }

    /** A thread for each call; idle ones are reused and end after a minute. */
    public static Workers cached(String name) {
        return new Workers(new ThreadPoolExecutor(
                0,
                Integer.MAX_VALUE,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                DaemonThreads.factory(name)));
    }

    /** @throws RejectedExecutionException after {@link #shutdown} */
    @Override
    public void execute(Runnable task) {
        pool.execute(task);
    }

    /**
     * Makes a blocking call on one of the threads. The future fails with the exception of the call, or with a {@link
     * RejectedExecutionException} if the workers are shut down before the call begins.
     *
     * <p>A future that is completed or cancelled before the call begins prevents the call. Once the call has begun, {@code
     * cancel} returns false and the answer still arrives.
     */
    public <R> CompletableFuture<R> call(Supplier<R> work) {
        WorkerCall<R> call = new WorkerCall<>(work, pool);
        try {
            pool.execute(call);
        } catch (RejectedExecutionException e) {
            call.completeExceptionally(e);
        }
        return call;
    }

    /** How many calls and tasks wait for a thread. */
    public int waiting() {
        return pool.getQueue().size();
    }

    /** Refuses further calls. Calls that wait or run go on. */
    public void shutdown() {
        pool.shutdown();
    }

    /**
     * Refuses further calls and waits for the accepted ones. After this time, or if this thread is interrupted, it
     * interrupts the running calls and fails the waiting ones. An interrupt stays set.
     *
     * @return whether all calls have ended by themselves
     */
    public boolean end(Duration bound) {
        pool.shutdown();
        try {
            if (pool.awaitTermination(bound.toNanos(), TimeUnit.NANOSECONDS)) {
                return true;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        pool.shutdownNow().forEach(task -> {
            if (task instanceof WorkerCall<?> call) {
                Completions.run(() -> call.completeExceptionally(new RejectedExecutionException("Closed")));
            }
        });
        return false;
    }

    private static final class WorkerCall<R> extends CompletableFuture<R> implements Runnable {
        private final Supplier<R> work;
        private final ThreadPoolExecutor pool;
        private final AtomicBoolean begun = new AtomicBoolean();

        WorkerCall(Supplier<R> work, ThreadPoolExecutor pool) {
            this.work = work;
            this.pool = pool;
        }

        @Override
        public void run() {
            if (begun.getAndSet(true) || isDone()) {
                return;
            }
            try {
                complete(work.get());
            } catch (Throwable e) {
                completeExceptionally(e);
            }
        }

        @Override
        public boolean cancel(boolean mayInterrupt) {
            if (begun.getAndSet(true)) {
                return false;
            }
            pool.remove(this);
            return super.cancel(false);
        }
    }
}
