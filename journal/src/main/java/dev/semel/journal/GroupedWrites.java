// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

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
 * Group commit: the rows that callers hand in while one batch is on its way go together in the next. A batch is carried
 * through: the same rows again, with the same ids, while their fate is unknown or others are in the way; in halves when
 * one of them is bad, until every row has its answer. Nobody is answered before the commit.
 *
 * @param <E> a row
 * @param <S> what is there for it
 */
final class GroupedWrites<E extends GroupRow, S> {
    /** Many small statements are slow, and so is one that is huge; databases bound what they take at once. */
    private static final long MAX_BYTES = LedgerEntry.MAX_SIZE;

    private static final int MAX_ROWS = 1_000;

    /** Beyond it, callers are told to come back later: memory must not grow with a database that is away. */
    private static final int MAX_WAITING = 100_000;

    private final AtomicInteger waiting = new AtomicInteger();

    private final Function<List<E>, List<S>> write;
    private final Duration patience;
    private final List<Lane<E, Answer<S>>> lanes;
    private final JournalThreads threads;

    /** @param write writes a batch and commits it; fails with a {@link StoreException} */
    GroupedWrites(Function<List<E>, List<S>> write, int lanes, Duration patience, JournalThreads threads) {
        this.write = write;
        this.patience = patience;
        this.threads = threads;
        this.lanes = IntStream.range(0, lanes)
                .mapToObj(lane -> new Lane<E, Answer<S>>(
                        GroupRow::key, GroupRow::size, this::carried, threads.writers(), threads.timer()))
                .toList();
    }

    /** What one row's caller gets. */
    sealed interface Answer<S> {
        /** If the database would not take a row, others may fare better; if it did not answer, it would not answer them. */
        default boolean isRejected() {
            return this instanceof Failed<S> failed && failed.cause().kind() == Kind.REJECTED;
        }

        record There<S>(S stored) implements Answer<S> {}

        record Failed<S>(StoreException cause) implements Answer<S> {}
    }

    /** Never fails. */
    CompletableFuture<Answer<S>> submit(E row) {
        if (waiting.incrementAndGet() > MAX_WAITING) {
            waiting.decrementAndGet();
            return CompletableFuture.completedFuture(
                    new Answer.Failed<>(new StoreException(Kind.BUSY, "Too many records wait for the database")));
        }
        CompletableFuture<Answer<S>> answer = threads.tracked(
                lanes.get(Math.floorMod(row.key().hashCode(), lanes.size())).submit(row));
        if (!answer.isDone()) {
            // Whatever happens to the lane: nobody waits for ever. It takes back what has not left.
            answer.completeOnTimeout(silent(), patience.toMillis() * 2, TimeUnit.MILLISECONDS);
        }
        return answer.whenComplete((done, failure) -> waiting.decrementAndGet()).exceptionally(GroupedWrites::failed);
    }

    /**
     * Rows of one caller, in transactions of their own, one after the other. No two of them have the same key.
     *
     * @param told is told what came of each row, one after the other, before the next rows are written: what is there for all
     *     of them may be more than can be held
     */
    CompletableFuture<?> submitAll(List<E> rows, BiFunction<E, Answer<S>, CompletableFuture<?>> told) {
        CompletableFuture<?> result = CompletableFuture.completedFuture(null);
        for (List<E> chunk : chunks(rows)) {
            result = result.thenCompose(
                    before -> submitChunk(chunk).thenCompose(answers -> toldAll(chunk, answers, told)));
        }
        return result;
    }

    private CompletableFuture<?> toldAll(
            List<E> chunk, List<Answer<S>> answers, BiFunction<E, Answer<S>, CompletableFuture<?>> told) {
        CompletableFuture<?> result = CompletableFuture.completedFuture(null);
        for (int i = 0; i < chunk.size(); i++) {
            E row = chunk.get(i);
            Answer<S> answer = answers.get(i);
            result = result.thenCompose(before -> told.apply(row, answer));
        }
        return result;
    }

    private CompletableFuture<List<Answer<S>>> submitChunk(List<E> chunk) {
        return threads.write(() -> carried(chunk)).exceptionally(failure -> {
            Answer<S> failed = failed(failure);
            return chunk.stream().map(row -> failed).toList();
        });
    }

    /** Parts that a database takes at once. */
    static <E extends GroupRow> List<List<E>> chunks(List<E> rows) {
        List<List<E>> chunks = new ArrayList<>();
        int from = 0;
        long bytes = 0;
        for (int i = 0; i < rows.size(); i++) {
            bytes += rows.get(i).size();
            if (i > from && (bytes > MAX_BYTES || i - from == MAX_ROWS)) {
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

    /** In the order of the rows. */
    private List<Answer<S>> carried(List<E> rows) {
        List<Answer<S>> answers = new ArrayList<>(rows.size());
        long deadline = System.nanoTime() + patience.toNanos();
        chunks(rows).forEach(chunk -> answers.addAll(carried(chunk, deadline)));
        return answers;
    }

    private List<Answer<S>> carried(List<E> rows, long deadline) {
        for (int attempt = 1; ; attempt = Math.min(attempt + 1, 8)) {
            try {
                List<S> stored = write.apply(rows);
                return stored.stream()
                        .<Answer<S>>map(one -> new Answer.There<>(one))
                        .toList();
            } catch (StoreException e) {
                if (e.kind() == Kind.REJECTED && rows.size() > 1) {
                    List<Answer<S>> answers = new ArrayList<>(carried(rows.subList(0, rows.size() / 2), deadline));
                    answers.addAll(carried(rows.subList(rows.size() / 2, rows.size()), deadline));
                    return answers;
                }
                long pause = ThreadLocalRandom.current().nextLong(1_000_000, 2_000_000L << attempt);
                if (e.kind() == Kind.REJECTED || threads.closing() || System.nanoTime() + pause - deadline > 0) {
                    return rows.stream()
                            .<Answer<S>>map(row -> new Answer.Failed<>(e))
                            .toList();
                }
                LockSupport.parkNanos(pause);
            }
        }
    }

    private static <S> Answer<S> silent() {
        return new Answer.Failed<>(new StoreException(Kind.UNREACHABLE, "The database did not answer in time"));
    }

    private static <S> Answer<S> failed(Throwable failure) {
        Throwable cause = Futures.unwrapped(failure);
        if (cause instanceof StoreException known) {
            return new Answer.Failed<>(known);
        }
        return new Answer.Failed<>(
                cause instanceof RejectedExecutionException
                        ? JournalThreads.closed()
                        : new StoreException(Kind.UNREACHABLE, "Writing failed unexpectedly: " + cause, cause));
    }
}
