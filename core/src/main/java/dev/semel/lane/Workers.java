// SPDX-License-Identifier: Apache-2.0
package dev.semel.lane;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/** Threads for blocking calls, with a bounded end that leaves no call without an answer. */
public abstract class Workers implements Executor {
    private final Environment environment;

    /** @param environment makes the calls */
    protected Workers(Environment environment) {
        this.environment = environment;
    }

    /** This many daemon threads; further calls wait in a queue. */
    public static Workers fixed(String name, int size) {
        return new ThreadWorkers(name, size, size, new LinkedBlockingQueue<>());
    }

    /** A daemon thread for each call; idle ones are reused and end after a minute. */
    public static Workers cached(String name) {
        return new ThreadWorkers(name, 0, Integer.MAX_VALUE, new SynchronousQueue<>());
    }

    /** @throws RejectedExecutionException after {@link #shutdown} */
    @Override
    public abstract void execute(Runnable task);

    /** Removes a task that waits for a thread, if it still does. */
    protected abstract void withdraw(Runnable task);

    /** How many calls and tasks wait for a thread. */
    public abstract int waiting();

    /** Refuses further calls. Calls that wait or run go on. */
    public abstract void shutdown();

    /**
     * Refuses further calls and waits for the accepted ones. After this time, or if this thread is interrupted, it
     * interrupts the running calls and fails the waiting ones. An interrupt stays set.
     *
     * @return whether all calls have ended by themselves
     */
    public abstract boolean end(Duration bound);

    /**
     * Makes a blocking call on one of the threads. The future fails with the exception of the call, or with a {@link
     * RejectedExecutionException} if the workers are shut down before the call begins.
     *
     * <p>A future that is completed or cancelled before the call begins prevents the call. Once the call has begun, {@code
     * cancel} returns false and the answer still arrives.
     */
    public final <R> CompletableFuture<R> call(Supplier<R> work) {
        WorkerCall<R> call = new WorkerCall<>(work, this);
        try {
            execute(call);
        } catch (RejectedExecutionException e) {
            call.completeExceptionally(e);
        }
        return call;
    }

    /** Fails a call that will never begin. */
    static void refuse(Runnable task) {
        if (task instanceof WorkerCall<?> call) {
            Completions.run(() -> call.completeExceptionally(new RejectedExecutionException("Closed")));
        }
    }

    private static final class WorkerCall<R> extends CompletableFuture<R> implements Runnable {
        private final Supplier<R> work;
        private final Workers workers;
        private final AtomicBoolean begun = new AtomicBoolean();

        WorkerCall(Supplier<R> work, Workers workers) {
            this.work = work;
            this.workers = workers;
        }

        @Override
        public void run() {
            if (begun.getAndSet(true) || isDone()) {
                return;
            }
            workers.environment.call(work).whenComplete((answer, failure) -> {
                if (failure == null) {
                    complete(answer);
                } else {
                    completeExceptionally(failure);
                }
            });
        }

        @Override
        public boolean cancel(boolean mayInterrupt) {
            if (begun.getAndSet(true)) {
                return false;
            }
            workers.withdraw(this);
            return super.cancel(false);
        }
    }
}
