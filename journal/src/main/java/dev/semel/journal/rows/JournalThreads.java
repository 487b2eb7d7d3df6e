// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.rows;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import dev.semel.claim.StoreException;
import dev.semel.claim.StoreException.Kind;
import dev.semel.internal.Futures;
import dev.semel.replay.EpochGuardedCache;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** Where the blocking calls are made: writers and readers apart, so that a slow page keeps no event waiting. */
final class JournalThreads implements EpochGuardedCache.Calls, AutoCloseable {
    private static final long LONGEST_CLOSE_SECONDS = 10;
    private static final int MAX_WAITING_READS = 10_000;

    private final ExecutorService writers;
    private final ExecutorService readers;
    private final ScheduledThreadPoolExecutor timer;
    private final Duration maxWait;
    /** Each ends one future that a caller waits for. */
    private final Set<Runnable> open = ConcurrentHashMap.newKeySet();

    private final AtomicInteger waitingReads = new AtomicInteger();
    private volatile boolean closing;
    private volatile boolean closed;

    JournalThreads(int size, Duration maxWait) {
        this.writers = Executors.newFixedThreadPool(size, factory("semel-journal-writer"));
        this.readers = Executors.newFixedThreadPool(Math.max(1, size / 2), factory("semel-journal-reader"));
        this.timer = new ScheduledThreadPoolExecutor(1, factory("semel-journal-timer"));
        this.timer.setRemoveOnCancelPolicy(true);
        this.maxWait = maxWait;
    }

    private static ThreadFactory factory(String name) {
        AtomicInteger count = new AtomicInteger();
        return work -> {
            Thread thread = new Thread(work, name + "-" + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    ExecutorService writers() {
        return writers;
    }

    ScheduledExecutorService timer() {
        return timer;
    }

    /** Whether whoever still tries should give up. */
    boolean closing() {
        return closing;
    }

    <R> CompletableFuture<R> write(Supplier<R> work) {
        try {
            return tracked(CompletableFuture.supplyAsync(work, writers));
        } catch (RejectedExecutionException e) {
            return CompletableFuture.failedFuture(closed());
        }
    }

    /**
     * Fails with a {@link StoreException} only, and in a bounded time. A read that has not begun by then never begins:
     * otherwise reads that nobody waits for would delay later ones.
     */
    <R> CompletableFuture<R> read(Supplier<R> work) {
        if (waitingReads.incrementAndGet() > MAX_WAITING_READS) {
            waitingReads.decrementAndGet();
            return CompletableFuture.failedFuture(
                    new StoreException(Kind.BUSY, "Busy: %d reads are waiting already".formatted(MAX_WAITING_READS)));
        }
        CompletableFuture<R> answer = tracked(new CompletableFuture<>());
        try {
            var alarm = timer.schedule(() -> answer.completeExceptionally(late()), maxWait.toMillis(), MILLISECONDS);
            answer.whenComplete((result, failure) -> alarm.cancel(false));
            readers.execute(() -> {
                waitingReads.decrementAndGet();
                begin(answer, work);
            });
        } catch (RejectedExecutionException e) {
            waitingReads.decrementAndGet();
            answer.completeExceptionally(closed());
        }
        return answer;
    }

    private static <R> void begin(CompletableFuture<R> answer, Supplier<R> work) {
        if (answer.isDone()) {
            return;
        }
        try {
            answer.complete(work.get());
        } catch (Throwable e) {
            answer.completeExceptionally(e);
        }
    }

    @Override
    public <R> CompletableFuture<R> call(Supplier<R> work) {
        return read(work);
    }

    @Override
    public <R> CompletableFuture<R> within(Duration bound, CompletableFuture<R> answer) {
        if (answer.isDone()) {
            return answer;
        }
        // A copy: the cache's own future is not ours to complete.
        CompletableFuture<R> bounded = tracked(answer.copy());
        try {
            var alarm = timer.schedule(() -> bounded.completeExceptionally(late()), bound.toMillis(), MILLISECONDS);
            bounded.whenComplete((result, failure) -> alarm.cancel(false));
        } catch (RejectedExecutionException e) {
            bounded.completeExceptionally(closed());
        }
        return bounded;
    }

    void repeat(Runnable task, long firstMillis, long intervalMillis) {
        timer.scheduleWithFixedDelay(task, firstMillis, intervalMillis, MILLISECONDS);
    }

    /** Completes after a while; fails if this is closed before. */
    CompletableFuture<Boolean> pause(long millis) {
        CompletableFuture<Boolean> due = tracked(new CompletableFuture<>());
        try {
            timer.schedule(() -> due.complete(true), millis, MILLISECONDS);
        } catch (RejectedExecutionException e) {
            due.completeExceptionally(closed());
        }
        return due;
    }

    /**
     * The same future, which fails at the latest when this is closed: executors drop what waits in their queues, and nobody
     * would complete it.
     */
    <R> CompletableFuture<R> tracked(CompletableFuture<R> future) {
        if (!future.isDone()) {
            Runnable end = () -> future.completeExceptionally(closed());
            open.add(end);
            future.whenComplete((result, failure) -> open.remove(end));
            // After it was added: either close() finds it, or it is known here that close() has looked already.
            if (closed) {
                end.run();
            }
        }
        return future;
    }

    /** What a read failed with. */
    static StoreException failure(Throwable failure) {
        Throwable cause = Futures.unwrapped(failure);
        return cause instanceof StoreException known
                ? known
                : new StoreException(
                        Kind.UNREACHABLE,
                        "The database could not be asked: " + cause.getClass().getName(),
                        cause);
    }

    private static StoreException late() {
        return new StoreException(Kind.UNREACHABLE, "There was no answer in time");
    }

    static StoreException closed() {
        return new StoreException(Kind.UNREACHABLE, "The records are closed");
    }

    /** Lets finish what is under way, for a while. When it returns, nobody waits for an answer any more. */
    @Override
    public void close() {
        closing = true;
        writers.shutdown();
        readers.shutdown();
        try {
            boolean ended = writers.awaitTermination(LONGEST_CLOSE_SECONDS, TimeUnit.SECONDS)
                    && readers.awaitTermination(1, TimeUnit.SECONDS);
            if (!ended) {
                writers.shutdownNow();
                readers.shutdownNow();
            }
        } catch (InterruptedException e) {
            writers.shutdownNow();
            readers.shutdownNow();
            Thread.currentThread().interrupt();
        }
        timer.shutdownNow();
        closed = true;
        open.forEach(Runnable::run);
    }
}
