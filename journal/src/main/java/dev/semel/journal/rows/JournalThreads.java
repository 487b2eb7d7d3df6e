// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.rows;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import dev.semel.claim.StoreException;
import dev.semel.claim.StoreException.Kind;
import dev.semel.internal.Futures;
import dev.semel.jdbc.sql.SqlFailures;
import dev.semel.lane.DaemonThreads;
import dev.semel.lane.Deadlines;
import dev.semel.lane.Pauses;
import dev.semel.lane.Workers;
import dev.semel.replay.EpochGuardedCache;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.function.Supplier;

/** The threads that make blocking calls. Writers and readers are separate, so that a slow page does not delay a write. */
final class JournalThreads implements EpochGuardedCache.Calls, AutoCloseable {
    private static final Duration MAX_CLOSE_OF_WRITERS = Duration.ofSeconds(10);
    private static final Duration MAX_CLOSE_OF_READERS = Duration.ofSeconds(1);
    private static final int MAX_WAITING_READS = 10_000;

    private final Workers writers;
    private final Workers readers;
    private final ScheduledThreadPoolExecutor timer = DaemonThreads.timer("semel-journal-timer");
    private final Pauses pauses = new Pauses(timer);
    private final Deadlines deadlines = new Deadlines(timer, JournalThreads::late, JournalThreads::closed);
    private final Duration maxWait;
    private volatile boolean closing;

    JournalThreads(int size, Duration maxWait) {
        this.writers = Workers.fixed("semel-journal-writer", size);
        this.readers = Workers.fixed("semel-journal-reader", Math.max(1, size / 2));
        this.maxWait = maxWait;
    }

    Executor writers() {
        return writers;
    }

    ScheduledExecutorService timer() {
        return timer;
    }

    Deadlines deadlines() {
        return deadlines;
    }

    /** Whether retries should end. */
    boolean closing() {
        return closing;
    }

    <R> CompletableFuture<R> write(Supplier<R> work) {
        return deadlines.untilClosed(writers.call(work));
    }

    /**
     * Fails in a bounded time. A read that is still in the queue by then is never made: reads without a caller would only delay
     * later ones.
     */
    <R> CompletableFuture<R> read(Supplier<R> work) {
        if (readers.waiting() >= MAX_WAITING_READS) {
            return CompletableFuture.failedFuture(new StoreException(
                    Kind.BUSY, "%d reads already wait for the database".formatted(MAX_WAITING_READS)));
        }
        return deadlines
                .bound(maxWait, readers.call(work))
                .exceptionallyCompose(failure -> CompletableFuture.failedFuture(failure(failure)));
    }

    @Override
    public <R> CompletableFuture<R> call(Supplier<R> work) {
        return read(work);
    }

    @Override
    public <R> CompletableFuture<R> within(Duration bound, CompletableFuture<R> answer) {
        return deadlines.within(bound, answer);
    }

    /** Completes with true after this time. Fails as soon as this is closed. */
    CompletableFuture<Boolean> pause(long millis) {
        return pauses.after(MILLISECONDS.toNanos(millis))
                .thenCompose(ended ->
                        ended ? CompletableFuture.completedFuture(true) : CompletableFuture.failedFuture(closed()));
    }

    void repeat(Runnable task, long firstMillis, long intervalMillis) {
        timer.scheduleWithFixedDelay(task, firstMillis, intervalMillis, MILLISECONDS);
    }

    /** The failure of a read or a write as a {@link StoreException}. */
    static StoreException failure(Throwable failure) {
        Throwable cause = Futures.unwrapped(failure);
        if (cause instanceof StoreException known) {
            return known;
        }
        if (cause instanceof SQLException known) {
            return SqlFailures.translate(known);
        }
        return cause instanceof RejectedExecutionException
                ? closed()
                : new StoreException(
                        Kind.UNREACHABLE,
                        "The database call failed unexpectedly: "
                                + cause.getClass().getName(),
                        cause);
    }

    private static StoreException late() {
        return new StoreException(Kind.UNREACHABLE, "The database did not answer in time");
    }

    private static StoreException closed() {
        return new StoreException(Kind.UNREACHABLE, "The journal is closed");
    }

    /** Waits for running calls, up to some seconds. Every future that was returned is complete when this method returns. */
    @Override
    public void close() {
        closing = true;
        writers.shutdown();
        readers.shutdown();
        pauses.close();
        writers.end(MAX_CLOSE_OF_WRITERS);
        readers.end(MAX_CLOSE_OF_READERS);
        timer.shutdownNow();
        deadlines.close();
    }
}
