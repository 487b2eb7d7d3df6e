// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.StoreCall;
import dev.semel.TransactionEvents;
import dev.semel.claim.AliasedKey;
import dev.semel.claim.ClaimKey;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.StoredResult;
import dev.semel.internal.Futures;
import dev.semel.lane.Backoff;
import dev.semel.lane.Batching;
import dev.semel.lane.DaemonThreads;
import dev.semel.lane.Lanes;
import dev.semel.lane.Pauses;
import dev.semel.lane.Workers;
import dev.semel.spi.Command;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Writes rows of many callers exactly once, in one commit. Rows that are submitted while a batch is written are collected
 * into the next batch and written with their claims and results in a few statements. For effects that are rows of one kind
 * in the same database, whose result is known beforehand: ledger entries, events, messages of an outbox.
 *
 * <pre>{@code
 * GroupedClaims<Entry, String> ledger = GroupedClaims.on(claims, POST, (connection, entries) -> insertAll(...));
 * CompletionStage<Outcome<String>> outcome = ledger.submit(POST.key("acme", "order-17"), fingerprint, entry, "posted");
 * }</pre>
 *
 * <p>A bad row fails alone: its batch is split in halves until the row is found, and its failure is settled as the
 * operation defines. If the outcome of a commit is unknown, the batch is sent again with the same tokens, which show
 * whether it was committed. The keys are those of {@link TransactionalClaims}. Thread-safe; close it at the end.
 *
 * @param <R> the row
 * @param <T> the result
 */
public final class GroupedClaims<R, T extends @Nullable Object> implements AutoCloseable {
    /** Two, so that one batch is written while the other one is committed. */
    private static final int LANES = 2;

    /** The maximum number of rows that wait for a batch, for the database or for another caller. Further rows are rejected. */
    static final int MAX_PENDING = 10_000;

    /** How long {@link #close} waits. */
    private static final Duration CLOSING = Duration.ofSeconds(10);

    /** The max large results that are read at the same time. */
    private static final int READERS = 2;

    private static final long FIRST_PAUSE_NANOS = 2_000_000;
    private static final long MAX_PAUSE_NANOS = 500_000_000;

    private final TransactionalClaims claims;
    private final Operation<T> operation;
    private final Executor callbacks;
    private final TransactionEvents events;
    private final Workers workers = Workers.cached("semel-group");
    private final Workers readers = Workers.fixed("semel-group-reader", READERS);
    private final ScheduledExecutorService timer = DaemonThreads.timer("semel-group-timer");
    private final Pauses pauses = new Pauses(timer);
    private final AtomicInteger pending = new AtomicInteger();
    private final Lanes<SubmittedRow<R, T>, CompletableFuture<Outcome<T>>> lanes;

    private GroupedClaims(
            TransactionalClaims claims,
            Operation<T> operation,
            GroupEffect<R> effect,
            Executor callbacks,
            TransactionEvents events) {
        this.events = Objects.requireNonNull(events, "Events must not be null");
        this.claims = Objects.requireNonNull(claims, "Claims must not be null");
        this.operation = Objects.requireNonNull(operation, "An operation must not be null");
        this.callbacks = Objects.requireNonNull(callbacks, "An executor must not be null");
        GroupRunner<R, T> runner =
                new GroupRunner<>(claims, Objects.requireNonNull(effect, "An effect must not be null"), readers);
        this.lanes = new Lanes<>(
                LANES,
                Batching.<SubmittedRow<R, T>>by(SubmittedRow::ref)
                        .sized(row -> row.claim().bytes() + effect.bytes(row.row())),
                rows -> observed(rows, runner),
                workers,
                timer);
    }

    /** Creates groups of this operation. Futures complete on the common pool. */
    public static <R, T extends @Nullable Object> GroupedClaims<R, T> on(
            TransactionalClaims claims, Operation<T> operation, GroupEffect<R> effect) {
        return on(claims, operation, effect, ForkJoinPool.commonPool());
    }

    /** Creates groups of this operation. Futures complete on this executor. */
    public static <R, T extends @Nullable Object> GroupedClaims<R, T> on(
            TransactionalClaims claims, Operation<T> operation, GroupEffect<R> effect, Executor callbacks) {
        return on(claims, operation, effect, callbacks, TransactionEvents.NONE);
    }

    /**
     * Creates groups of this operation. Futures complete on this executor.
     *
     * @param events is told of each caller's claim, second claim and outcome, and of each batch
     */
    public static <R, T extends @Nullable Object> GroupedClaims<R, T> on(
            TransactionalClaims claims,
            Operation<T> operation,
            GroupEffect<R> effect,
            Executor callbacks,
            TransactionEvents events) {
        return new GroupedClaims<>(claims, operation, effect, callbacks, events);
    }

    /** As {@link #submit(ClaimKey, Fingerprint, Object, Object)}, for keys without a fingerprint. */
    public CompletionStage<Outcome<T>> submit(ClaimKey key, R row, T result) {
        return submit(key, Fingerprint.NONE, row, result);
    }

    /**
     * Writes the row once. The future completes after the commit. A duplicate receives the stored result. While another
     * caller is in progress, it waits as long as the operation allows ({@link Operation#waitingUpTo}), without a thread or
     * a connection. If 10,000 rows are already waiting, the outcome is {@link Outcome.Unavailable} and nothing is written.
     *
     * @param result the result for this caller and all duplicates
     */
    public CompletionStage<Outcome<T>> submit(ClaimKey key, Fingerprint fingerprint, R row, T result) {
        return submit(new Request<>(operation, AliasedKey.of(key), fingerprint, result, null), row);
    }

    /**
     * As {@link #submit(ClaimKey, Fingerprint, Object, Object)}, with aliases, another operation or a second claim. The row
     * is committed together with others, but a claim with aliases or a second claim needs statements of its own.
     */
    public CompletionStage<Outcome<T>> submit(Request<T> request, R row) {
        Objects.requireNonNull(row, "A row must not be null");
        if (pending.incrementAndGet() > MAX_PENDING) {
            pending.decrementAndGet();
            Outcome<T> busy = new Outcome.Unavailable<>(
                    "the group is busy: %d rows are already waiting".formatted(MAX_PENDING), null);
            if (events.hasListeners()) {
                Operation<T> asked = request.operation();
                events.answered(asked, claims.refOf(asked, request.key().key()), 0, busy);
            }
            return CompletableFuture.completedFuture(busy);
        }
        try {
            return answered(request, row).whenComplete((outcome, failure) -> pending.decrementAndGet());
        } catch (RuntimeException | Error e) {
            pending.decrementAndGet();
            throw e;
        }
    }

    private CompletionStage<Outcome<T>> answered(Request<T> request, R row) {
        SubmittedRow<R, T> submitted = submitted(request, row);
        long deadline = System.nanoTime()
                + claims.protocol().maxWaitOf(request.operation()).toNanos();
        return answered(submitted, deadline, FIRST_PAUSE_NANOS)
                .thenApplyAsync(outcome -> reported(submitted, outcome), callbacks);
    }

    private Outcome<T> reported(SubmittedRow<R, T> row, Outcome<T> outcome) {
        if (!events.hasListeners()) {
            return outcome;
        }
        Request<T> request = row.request();
        events.answered(request.operation(), row.ref(), row.report().attempt(), outcome);
        Second<T> second = request.second();
        SubmittedRow.SecondClaim secondClaim = row.second();
        if (second != null
                && secondClaim != null
                && outcome instanceof Outcome.Succeeded<T> succeeded
                && !succeeded.replayed()) {
            boolean taken = Objects.equals(succeeded.value(), second.ifTaken());
            events.answered(
                    second.operation(),
                    secondClaim.claim().insert().ref(),
                    row.report().secondAttempt(),
                    new Outcome.Succeeded<>(succeeded.value(), taken));
        }
        return outcome;
    }

    /** Makes a batch's call and reports it. Without listeners, no clock is read. */
    private List<CompletableFuture<Outcome<T>>> observed(List<SubmittedRow<R, T>> rows, GroupRunner<R, T> runner) {
        if (!events.hasListeners()) {
            return runner.answers(rows);
        }
        long started = System.nanoTime();
        boolean answered = false;
        try {
            List<CompletableFuture<Outcome<T>>> answers = runner.answers(rows);
            answered = answers.stream().noneMatch(GroupedClaims::isUnavailable);
            return answers;
        } finally {
            Duration waited = Duration.ofNanos(started - rows.get(0).report().submitted());
            Duration took = Duration.ofNanos(System.nanoTime() - started);
            events.called(new StoreCall(StoreCall.Kind.APPLY, rows.size(), waited, took, answered));
        }
    }

    private static boolean isUnavailable(CompletableFuture<? extends Outcome<?>> answer) {
        if (!answer.isDone() || answer.isCompletedExceptionally()) {
            return false;
        }
        Outcome<?> outcome = answer.join();
        return outcome instanceof Outcome.Unavailable || outcome instanceof Outcome.Unsettled;
    }

    private SubmittedRow<R, T> submitted(Request<T> request, R row) {
        Command.Insert insert = claims.protocol().insert(request.operation(), request.key(), request.fingerprint());
        SettledClaim first = new SettledClaim(insert, stored(request.operation(), request.result()));
        Second<T> second = request.second();
        if (second == null) {
            return new SubmittedRow<>(request, first, null, row, new RowReport());
        }
        Command.Insert secondInsert =
                claims.protocol().insertLeased(second.operation(), AliasedKey.of(second.key()), Fingerprint.NONE);
        return new SubmittedRow<>(
                request,
                first,
                new SubmittedRow.SecondClaim(
                        new SettledClaim(secondInsert, stored(second.operation(), request.result())),
                        new SettledClaim(insert, stored(request.operation(), second.ifTaken()))),
                row,
                new RowReport());
    }

    private StoredResult stored(Operation<T> as, T result) {
        StoredResult stored = claims.protocol().encoded(as, result);
        return stored.size() > claims.largestResult()
                ? StoredResult.tombstone("the store rejected the result")
                : stored;
    }

    /** Submits the row again, after growing pauses, while another caller is in progress. */
    private CompletableFuture<Outcome<T>> answered(SubmittedRow<R, T> row, long deadline, long pause) {
        if (events.hasListeners()) {
            row.report().submitted(System.nanoTime());
        }
        return lanes.submit(row)
                .thenCompose(answer -> answer)
                .exceptionally(GroupedClaims::unavailableIfClosed)
                .thenCompose(outcome -> {
                    long left = deadline - System.nanoTime();
                    if (!(outcome instanceof Outcome.InProgress) || left <= 0) {
                        return CompletableFuture.completedFuture(outcome);
                    }
                    return pauses.after(Backoff.jittered(Math.min(pause, left)))
                            .thenCompose(open -> open
                                    ? answered(row, deadline, Math.min(2 * pause, MAX_PAUSE_NANOS))
                                    : CompletableFuture.completedFuture(outcome));
                });
    }

    private static <T extends @Nullable Object> Outcome<T> unavailableIfClosed(Throwable thrown) {
        Throwable failure = Futures.unwrapped(thrown);
        if (failure instanceof RejectedExecutionException) {
            return new Outcome.Unavailable<>("the group is closed", failure);
        }
        throw new CompletionException(failure);
    }

    /**
     * The claims of a row.
     *
     * @param operation defines the scope, the terms, the codec and the classification of failures
     * @param result the result for this caller and all duplicates
     * @param second a second claim that is made in the same transaction, if any
     */
    public record Request<T extends @Nullable Object>(
            Operation<T> operation,
            AliasedKey key,
            Fingerprint fingerprint,
            T result,
            @Nullable Second<T> second) {
        public Request {
            Objects.requireNonNull(operation, "An operation must not be null");
            Objects.requireNonNull(key, "A key must not be null");
            Objects.requireNonNull(fingerprint, "A fingerprint must not be null");
        }
    }

    /**
     * A second claim that the row needs. It is the claim that {@code Semel} makes for the same key, so the row and the
     * engine's callers exclude each other. If the second claim is already settled, the row is not written, and its own
     * claim is settled with {@code ifTaken}. While the second claim is in progress, so is the row.
     *
     * @param ifTaken the row's result if the second claim is already settled
     */
    public record Second<T extends @Nullable Object>(Operation<T> operation, ClaimKey key, T ifTaken) {
        public Second {
            Objects.requireNonNull(operation, "An operation must not be null");
            Objects.requireNonNull(key, "A key must not be null");
        }
    }

    /** Rejects new rows and waits up to ten seconds for running batches. Every caller is answered. */
    @Override
    public void close() {
        timer.shutdownNow();
        pauses.close();
        workers.end(CLOSING);
        // After the workers, which may still submit reads.
        readers.end(CLOSING);
    }
}
