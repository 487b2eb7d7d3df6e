// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.rows;

import dev.semel.claim.StoreException;
import dev.semel.claim.StoreException.Kind;
import dev.semel.lane.Backoff;
import dev.semel.lane.Batching;
import dev.semel.lane.Halving;
import dev.semel.lane.Lanes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Group commit: rows that callers submit while a batch is being written form the next batch. A batch is retried with the same
 * rows and ids while its outcome is unknown or the database is busy. If the database rejects a batch, it is split in halves
 * until only the bad rows fail. No caller gets an answer before the commit.
 *
 * @param <E> a row
 * @param <S> what the database holds for a row's key
 */
public final class GroupedWrites<E extends GroupRow, S> {
    private static final int MAX_ROWS = 1_000;
    private static final long FIRST_PAUSE_NANOS = 1_000_000;

    /** Further rows are refused as busy, so that memory does not grow while the database is unavailable. */
    private static final int MAX_WAITING = 100_000;

    private final AtomicInteger waiting = new AtomicInteger();

    private final Function<List<E>, List<S>> write;
    private final Duration maxWait;
    private final Lanes<E, WriteOutcome<S>> lanes;
    private final JournalThreads threads;

    /** @param write writes a batch and commits it; fails with a {@link StoreException} */
    GroupedWrites(Function<List<E>, List<S>> write, int lanes, Duration maxWait, JournalThreads threads) {
        this.write = write;
        this.maxWait = maxWait;
        this.threads = threads;
        this.lanes = new Lanes<>(
                lanes,
                Batching.<E>by(GroupRow::key).sized(GroupRow::size),
                this::writeAll,
                threads.writers(),
                threads.timer());
    }

    /** Writes a row in the next batch. The future never fails. */
    public CompletableFuture<WriteOutcome<S>> submit(E row) {
        if (waiting.incrementAndGet() > MAX_WAITING) {
            waiting.decrementAndGet();
            return CompletableFuture.completedFuture(new WriteOutcome.Failed<>(
                    new StoreException(Kind.BUSY, "%d rows already wait for the database".formatted(MAX_WAITING))));
        }
        // Bounds the wait even if the lane never answers. A row that is still in the queue is removed from it.
        CompletableFuture<WriteOutcome<S>> outcome;
        try {
            outcome = threads.deadlines().bound(maxWait.multipliedBy(2), lanes.submit(row));
        } catch (RuntimeException | Error e) {
            waiting.decrementAndGet();
            throw e;
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
        chunks(rows).forEach(chunk -> outcomes.addAll(Halving.answers(chunk, part -> write(part, deadline))));
        return outcomes;
    }

    /** Retries until the deadline. Returns nothing if the database rejects the rows and they should be split. */
    private Optional<List<WriteOutcome<S>>> write(List<E> rows, long deadline) {
        for (int attempt = 1; ; attempt++) {
            try {
                return Optional.of(write.apply(rows).stream()
                        .<WriteOutcome<S>>map(stored -> new WriteOutcome.Stored<>(stored))
                        .toList());
            } catch (StoreException e) {
                boolean rejected = e.kind() == Kind.REJECTED;
                if (rejected && rows.size() > 1) {
                    return Optional.empty();
                }
                long pause = Backoff.afterAttempt(attempt, FIRST_PAUSE_NANOS);
                if (rejected || threads.closing() || System.nanoTime() + pause - deadline > 0) {
                    return Optional.of(rows.stream()
                            .<WriteOutcome<S>>map(row -> new WriteOutcome.Failed<>(e))
                            .toList());
                }
                LockSupport.parkNanos(pause);
            }
        }
    }

    private static <S> WriteOutcome<S> failed(Throwable failure) {
        return new WriteOutcome.Failed<>(JournalThreads.failure(failure));
    }
}
