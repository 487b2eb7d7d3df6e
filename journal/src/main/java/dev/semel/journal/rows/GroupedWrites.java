// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.rows;

import dev.semel.claim.StoreException;
import dev.semel.claim.StoreException.Kind;
import dev.semel.internal.Futures;
import dev.semel.lane.Lane;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Group commit: rows that callers submit while a batch is being written form the next batch. A batch is retried with the same
 * rows and ids while its fate is unknown or the database is busy. If the database rejects a batch, it is split in halves until
 * only the bad rows fail. No caller gets an answer before the commit.
 *
 * @param <E> a row
 * @param <S> what the database holds for a row's key
 */
public final class GroupedWrites<E extends GroupRow, S> {
    private static final int MAX_ROWS = 1_000;

    /** Further rows are refused as busy, so that memory does not grow while the database is unavailable. */
    private static final int MAX_WAITING = 100_000;

    private final AtomicInteger waiting = new AtomicInteger();

    private final Function<List<E>, List<S>> write;
    private final Duration maxWait;
    private final List<Lane<E, WriteOutcome<S>>> lanes;
    private final JournalThreads threads;

    /** @param write writes a batch and commits it; fails with a {@link StoreException} */
    GroupedWrites(Function<List<E>, List<S>> write, int lanes, Duration maxWait, JournalThreads threads) {
        this.write = write;
        this.maxWait = maxWait;
        this.threads = threads;
        this.lanes = IntStream.range(0, lanes)
                .mapToObj(lane -> new Lane<E, WriteOutcome<S>>(
                        GroupRow::key, GroupRow::size, this::writeAll, threads.writers(), threads.timer()))
                .toList();
    }

    /** Writes a row in the next batch. The future never fails. */
    public CompletableFuture<WriteOutcome<S>> submit(E row) {
        if (waiting.incrementAndGet() > MAX_WAITING) {
            waiting.decrementAndGet();
            return CompletableFuture.completedFuture(new WriteOutcome.Failed<>(
                    new StoreException(Kind.BUSY, "%d rows already wait for the database".formatted(MAX_WAITING))));
        }
        CompletableFuture<WriteOutcome<S>> outcome = threads.tracked(
                lanes.get(Math.floorMod(row.key().hashCode(), lanes.size())).submit(row));
        if (!outcome.isDone()) {
            // Bounds the wait whatever happens to the lane. A row that is still in the queue is removed from it.
            outcome.completeOnTimeout(timedOut(), maxWait.toMillis() * 2, TimeUnit.MILLISECONDS);
        }
        return outcome.whenComplete((done, failure) -> waiting.decrementAndGet())
                .exceptionally(GroupedWrites::failed);
    }

    /**
     * Writes the rows of one caller in separate transactions, one after the other. No two rows may have the same key.
     *
     * @param consumer receives the outcome of each row, one after the other, before the next rows are written: the existing
     *     rows together may be larger than the memory
     */
    public CompletableFuture<?> submitAll(List<E> rows, BiFunction<E, WriteOutcome<S>, CompletableFuture<?>> consumer) {
        CompletableFuture<?> result = CompletableFuture.completedFuture(null);
        for (List<E> chunk : chunks(rows)) {
            result = result.thenCompose(
                    before -> submitChunk(chunk).thenCompose(outcomes -> consumed(chunk, outcomes, consumer)));
        }
        return result;
    }

    private CompletableFuture<?> consumed(
            List<E> chunk,
            List<WriteOutcome<S>> outcomes,
            BiFunction<E, WriteOutcome<S>, CompletableFuture<?>> consumer) {
        CompletableFuture<?> result = CompletableFuture.completedFuture(null);
        for (int i = 0; i < chunk.size(); i++) {
            E row = chunk.get(i);
            WriteOutcome<S> outcome = outcomes.get(i);
            result = result.thenCompose(before -> consumer.apply(row, outcome));
        }
        return result;
    }

    private CompletableFuture<List<WriteOutcome<S>>> submitChunk(List<E> chunk) {
        return threads.write(() -> writeAll(chunk)).exceptionally(failure -> {
            WriteOutcome<S> failed = failed(failure);
            return chunk.stream().map(row -> failed).toList();
        });
    }

    /** Splits rows into parts that are small enough for one statement. */
    public static <E extends GroupRow> List<List<E>> chunks(List<E> rows) {
        List<List<E>> chunks = new ArrayList<>();
        int from = 0;
        long bytes = 0;
        for (int i = 0; i < rows.size(); i++) {
            bytes += rows.get(i).size();
            if (i > from && (bytes > GroupRow.MAX_BYTES || i - from == MAX_ROWS)) {
                chunks.add(rows.subList(from, i));
                from = i;
                bytes = rows.get(i).size();
            }
        }
        if (from < rows.size()) {
            chunks.add(rows.subList(from, rows.size()));
        }
        return chunks;
    }

    /** The outcomes are in the order of the rows. */
    private List<WriteOutcome<S>> writeAll(List<E> rows) {
        List<WriteOutcome<S>> outcomes = new ArrayList<>(rows.size());
        long deadline = System.nanoTime() + maxWait.toNanos();
        chunks(rows).forEach(chunk -> outcomes.addAll(writeChunk(chunk, deadline)));
        return outcomes;
    }

    private List<WriteOutcome<S>> writeChunk(List<E> rows, long deadline) {
        for (int attempt = 1; ; attempt = Math.min(attempt + 1, 8)) {
            try {
                List<S> stored = write.apply(rows);
                return stored.stream()
                        .<WriteOutcome<S>>map(one -> new WriteOutcome.Stored<>(one))
                        .toList();
            } catch (StoreException e) {
                if (e.kind() == Kind.REJECTED && rows.size() > 1) {
                    List<WriteOutcome<S>> outcomes =
                            new ArrayList<>(writeChunk(rows.subList(0, rows.size() / 2), deadline));
                    outcomes.addAll(writeChunk(rows.subList(rows.size() / 2, rows.size()), deadline));
                    return outcomes;
                }
                long pause = ThreadLocalRandom.current().nextLong(1_000_000, 2_000_000L << attempt);
                if (e.kind() == Kind.REJECTED || threads.closing() || System.nanoTime() + pause - deadline > 0) {
                    return rows.stream()
                            .<WriteOutcome<S>>map(row -> new WriteOutcome.Failed<>(e))
                            .toList();
                }
                LockSupport.parkNanos(pause);
            }
        }
    }

    private static <S> WriteOutcome<S> timedOut() {
        return new WriteOutcome.Failed<>(new StoreException(Kind.UNREACHABLE, "The database did not answer in time"));
    }

    private static <S> WriteOutcome<S> failed(Throwable failure) {
        Throwable cause = Futures.unwrapped(failure);
        if (cause instanceof StoreException known) {
            return new WriteOutcome.Failed<>(known);
        }
        return new WriteOutcome.Failed<>(
                cause instanceof RejectedExecutionException
                        ? JournalThreads.closed()
                        : new StoreException(Kind.UNREACHABLE, "Writing failed unexpectedly: " + cause, cause));
    }
}
