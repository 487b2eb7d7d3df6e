// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.lane.Deadlines;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts the calls in progress. Once it drains, it refuses new ones, except those that running work makes on its own thread: if
 * they were refused, the running work would fail.
 */
final class CallGate {
    private static final String DRAINING = "the engine is closing and accepts no new calls; nothing ran";

    private final AtomicInteger inProgress = new AtomicInteger();
    private final Object ended = new Object();
    private volatile boolean draining;

    /** Not static: a call of one engine says nothing about another. */
    @SuppressWarnings("ThreadLocalUsage")
    private final ThreadLocal<@Nullable Boolean> inside = new ThreadLocal<>();

    /** Makes a call that ends when it returns. */
    <T extends @Nullable Object> Outcome<T> during(Operation<T> operation, Supplier<Outcome<T>> call) {
        if (!admits(operation)) {
            return refused();
        }
        try {
            return onThread(call);
        } finally {
            leave();
        }
    }

    /** Makes a call that ends when its stage completes. */
    <T extends @Nullable Object> CompletionStage<Outcome<T>> untilComplete(
            Operation<T> operation, Supplier<CompletableFuture<Outcome<T>>> call) {
        if (!admits(operation)) {
            return CompletableFuture.completedFuture(refused());
        }
        CompletableFuture<Outcome<T>> outcome;
        try {
            outcome = onThread(call);
        } catch (RuntimeException | Error e) {
            leave();
            throw e;
        }
        outcome.whenComplete((value, failure) -> leave());
        // A copy: if the caller cancels it, the call goes on.
        return outcome.isDone() ? outcome : outcome.copy();
    }

    /** Whether claims for work outside the engine are refused. They are not counted, because the engine does not see their end. */
    boolean isDraining() {
        return draining;
    }

    ClaimOutcome.Unavailable refusedClaim() {
        return new ClaimOutcome.Unavailable(DRAINING, null);
    }

    /**
     * Refuses new calls from now on, and waits for those in progress.
     *
     * @return whether all of them ended in time
     */
    boolean drain(Duration maxWait) throws InterruptedException {
        draining = true;
        long deadline = System.nanoTime() + Deadlines.nanos(maxWait);
        synchronized (ended) {
            while (inProgress.get() > 0) {
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    return false;
                }
                TimeUnit.NANOSECONDS.timedWait(ended, left);
            }
        }
        return true;
    }

    /** Work in shadow mode always runs. */
    private boolean admits(Operation<?> operation) {
        // Counted first: either drain() counts this call, or this thread sees that it has begun.
        inProgress.incrementAndGet();
        if (draining && inside.get() == null && !operation.shadow()) {
            leave();
            return false;
        }
        return true;
    }

    private void leave() {
        inProgress.decrementAndGet();
        if (draining) {
            synchronized (ended) {
                ended.notifyAll();
            }
        }
    }

    private <R> R onThread(Supplier<R> call) {
        if (inside.get() != null) {
            return call.get();
        }
        inside.set(true);
        try {
            return call.get();
        } finally {
            inside.remove();
        }
    }

    private static <T extends @Nullable Object> Outcome<T> refused() {
        return new Outcome.Unavailable<>(DRAINING, null);
    }
}
