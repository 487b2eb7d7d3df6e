// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.claim.AliasedKey;
import dev.semel.claim.ClaimKey;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.StoredResult;
import dev.semel.internal.Futures;
import dev.semel.lane.Lane;
import dev.semel.spi.Command;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Exactly once, for many callers in one commit: the rows that callers hand in while one batch is on its way go together
 * in the next, with their claims and their results, in a few statements. For effects that are rows of the same kind in
 * the same database, whose answer is known beforehand: ledger entries, events, messages of an outbox.
 *
 * <pre>{@code
 * GroupedClaims<Entry, String> ledger = GroupedClaims.on(claims, POST, (connection, entries) -> insertAll(...));
 * CompletionStage<Outcome<String>> outcome = ledger.submit(POST.key("acme", "order-17"), fingerprint, entry, "posted");
 * }</pre>
 *
 * <p>A bad row fails alone: its batch is halved until it is found, and its failure is settled as the operation says. If
 * it is not known whether a batch was committed, it is sent again with the same tokens, and what was committed is found
 * by them. Its keys are those of {@link TransactionalClaims}. Safe for use by many threads; close it at the end.
 *
 * @param <R> the row
 * @param <T> the answer
 */
public final class GroupedClaims<R, T extends @Nullable Object> implements AutoCloseable {
    /** While one is at its commit, the other writes. */
    private static final int LANES = 2;

    /** The most rows that wait for a batch, for the database or for another caller. Beyond it, callers are told so. */
    static final int MAX_UNDER_WAY = 10_000;

    private static final Duration CLOSING = Duration.ofSeconds(10);
    /** How many large results are read at once. */
    private static final int READERS = 2;

    private static final long FIRST_PAUSE = 2_000_000;
    private static final long LONGEST_PAUSE = 500_000_000;

    private final TransactionalClaims claims;
    private final Operation<T> operation;
    private final Executor callbacks;
    private final ExecutorService workers = Executors.newCachedThreadPool(daemons("semel-group"));
    private final ExecutorService readers = Executors.newFixedThreadPool(READERS, daemons("semel-group-reader"));
    private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, daemons("semel-group-timer"));
    private final AtomicInteger underWay = new AtomicInteger();
    private final Set<Runnable> waiting = ConcurrentHashMap.newKeySet();
    private final Set<Runnable> reading = ConcurrentHashMap.newKeySet();
    private final List<Lane<GroupEntry<R, T>, Group.Answer<T>>> lanes = new ArrayList<>();

    private GroupedClaims(
            TransactionalClaims claims, Operation<T> operation, GroupEffect<R> effect, Executor callbacks) {
        this.claims = Objects.requireNonNull(claims, "Claims must not be null");
        this.operation = Objects.requireNonNull(operation, "An operation must not be null");
        this.callbacks = Objects.requireNonNull(callbacks, "An executor must not be null");
        Group<R, T> group = new Group<>(claims, Objects.requireNonNull(effect, "An effect must not be null"));
        timer.setRemoveOnCancelPolicy(true);
        for (int i = 0; i < LANES; i++) {
            lanes.add(new Lane<>(
                    GroupEntry::ref,
                    entry -> entry.claim().bytes() + effect.bytes(entry.row()),
                    group::answers,
                    workers,
                    timer));
        }
    }

    /** Groups of this operation; futures complete on the common pool. */
    public static <R, T extends @Nullable Object> GroupedClaims<R, T> on(
            TransactionalClaims claims, Operation<T> operation, GroupEffect<R> effect) {
        return on(claims, operation, effect, ForkJoinPool.commonPool());
    }

    /** Groups of this operation; futures complete on this executor. */
    public static <R, T extends @Nullable Object> GroupedClaims<R, T> on(
            TransactionalClaims claims, Operation<T> operation, GroupEffect<R> effect, Executor callbacks) {
        return new GroupedClaims<>(claims, operation, effect, callbacks);
    }

    /** As {@link #submit(ClaimKey, Fingerprint, Object, Object)}, for keys without a fingerprint. */
    public CompletionStage<Outcome<T>> submit(ClaimKey key, R row, T result) {
        return submit(key, Fingerprint.NONE, row, result);
    }

    /**
     * Writes the row once. Completes after the commit; a duplicate gets the stored result, and waits for another caller
     * as long as the operation says ({@link Operation#waitingUpTo}), holding neither thread nor connection. If 10,000
     * rows are waiting already, it is {@link Outcome.Unavailable} at once, and nothing was written.
     *
     * @param result what this caller and every later one gets
     */
    public CompletionStage<Outcome<T>> submit(ClaimKey key, Fingerprint fingerprint, R row, T result) {
        return submit(new Request<>(operation, AliasedKey.of(key), fingerprint, result, null), row);
    }

    /**
     * As {@link #submit(ClaimKey, Fingerprint, Object, Object)}, with names, terms and a second claim of the row's own. Of
     * one commit with all others; but claims with aliases, or with a second one, are made one by one within it.
     */
    public CompletionStage<Outcome<T>> submit(Request<T> request, R row) {
        Objects.requireNonNull(row, "A row must not be null");
        if (underWay.incrementAndGet() > MAX_UNDER_WAY) {
            underWay.decrementAndGet();
            return CompletableFuture.completedFuture(new Outcome.Unavailable<>(
                    "the group is busy: %d rows are waiting for the database".formatted(MAX_UNDER_WAY), null));
        }
        try {
            return submitted(request, row).whenComplete((outcome, failure) -> underWay.decrementAndGet());
        } catch (RuntimeException | Error e) {
            underWay.decrementAndGet();
            throw e;
        }
    }

    private CompletionStage<Outcome<T>> submitted(Request<T> request, R row) {
        GroupEntry<R, T> entry = entry(request, row);
        long deadline = System.nanoTime()
                + claims.protocol().maxWaitOf(request.operation()).toNanos();
        return patiently(entry, deadline, FIRST_PAUSE).thenApplyAsync(outcome -> outcome, callbacks);
    }

    private GroupEntry<R, T> entry(Request<T> request, R row) {
        Command.Insert insert = claims.protocol().insert(request.operation(), request.key(), request.fingerprint());
        DoneClaim first = new DoneClaim(insert, stored(request.operation(), request.result()));
        Second<T> second = request.second();
        if (second == null) {
            return new GroupEntry<>(request, first, null, row);
        }
        Command.Insert beside =
                claims.protocol().insertLeased(second.operation(), AliasedKey.of(second.key()), Fingerprint.NONE);
        return new GroupEntry<>(
                request,
                first,
                new GroupEntry.Second(
                        new DoneClaim(beside, stored(second.operation(), request.result())),
                        new DoneClaim(insert, stored(request.operation(), second.ifTaken()))),
                row);
    }

    private StoredResult stored(Operation<T> as, T result) {
        StoredResult stored = claims.protocol().encoded(as, result);
        return stored.size() > claims.largestResult()
                ? StoredResult.tombstone("the store would not take the result")
                : stored;
    }

    private CompletableFuture<Outcome<T>> patiently(GroupEntry<R, T> entry, long deadline, long pause) {
        return laneOf(entry)
                .submit(entry)
                .thenCompose(this::made)
                .exceptionally(this::failed)
                .thenCompose(answer -> {
                    if (answer.failure() != null) {
                        return CompletableFuture.failedFuture(answer.failure());
                    }
                    Outcome<T> outcome = Objects.requireNonNull(answer.outcome());
                    long left = deadline - System.nanoTime();
                    return outcome instanceof Outcome.InProgress && left > 0
                            ? after(Math.min(pause, left))
                                    .thenCompose(due -> due
                                            ? patiently(entry, deadline, Math.min(2 * pause, LONGEST_PAUSE))
                                            : CompletableFuture.completedFuture(outcome))
                            : CompletableFuture.completedFuture(outcome);
                });
    }

    /** The answer, or, where it is not made yet because its result is large, the answer in its turn. */
    private CompletableFuture<Group.Answer<T>> made(Group.Answer<T> answer) {
        if (answer.later() == null) {
            return CompletableFuture.completedFuture(answer);
        }
        CompletableFuture<Group.Answer<T>> read = CompletableFuture.supplyAsync(answer.later(), readers);
        Runnable end = () -> read.completeExceptionally(new RejectedExecutionException("The group is closed"));
        reading.add(end);
        return read.whenComplete((whole, failure) -> reading.remove(end)).thenCompose(this::made);
    }

    private Group.Answer<T> failed(Throwable thrown) {
        Throwable failure = Futures.unwrapped(thrown);
        if (failure instanceof RejectedExecutionException) {
            return new Group.Answer<>(new Outcome.Unavailable<>("the group is closed", failure), null);
        }
        return new Group.Answer<>(null, new CompletionException(failure));
    }

    /** True after about this time; false as soon as this is closed, so that nobody is left waiting. */
    private CompletableFuture<Boolean> after(long nanos) {
        CompletableFuture<Boolean> due = new CompletableFuture<>();
        // Before it is scheduled: then either close() sees it, or the timer is closed and refuses it.
        Runnable end = () -> due.complete(false);
        waiting.add(end);
        due.whenComplete((ended, failure) -> waiting.remove(end));
        try {
            long jittered = ThreadLocalRandom.current().nextLong(nanos / 2, nanos + 1);
            timer.schedule(() -> due.complete(true), jittered, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException closed) {
            due.complete(false);
        }
        return due;
    }

    /** A key's lane is always the same, so that duplicates in this process queue up instead of meeting. */
    private Lane<GroupEntry<R, T>, Group.Answer<T>> laneOf(GroupEntry<R, T> entry) {
        return lanes.get(Math.floorMod(entry.ref().hashCode(), LANES));
    }

    /**
     * What a row is claimed by.
     *
     * @param operation whose scope, terms and codec are this row's; how failures are classified too
     * @param result what this caller and every later one gets
     * @param second another claim that is made in the same transaction, if any
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
     * A claim that the row needs besides its own. It is the one that {@code Semel} makes for the same key: whoever claims,
     * renews and settles it there excludes this row, and the other way round. If somebody else has made it, the row is not written, and its own claim
     * is done all the same; while somebody else is at it, the row is in progress.
     *
     * @param ifTaken the row's result then
     */
    public record Second<T extends @Nullable Object>(Operation<T> operation, ClaimKey key, T ifTaken) {
        public Second {
            Objects.requireNonNull(operation, "An operation must not be null");
            Objects.requireNonNull(key, "A key must not be null");
        }
    }

    /** Lets batches that are under way finish, up to ten seconds. */
    @Override
    public void close() {
        timer.shutdownNow();
        waiting.forEach(Runnable::run);
        workers.shutdown();
        try {
            if (!workers.awaitTermination(CLOSING.toMillis(), TimeUnit.MILLISECONDS)) {
                workers.shutdownNow();
            }
            // After the workers, which may still hand something to them.
            readers.shutdown();
            if (!readers.awaitTermination(CLOSING.toMillis(), TimeUnit.MILLISECONDS)) {
                readers.shutdownNow();
            }
        } catch (InterruptedException e) {
            workers.shutdownNow();
            readers.shutdownNow();
            Thread.currentThread().interrupt();
        }
        // Those whose turn never came.
        reading.forEach(Runnable::run);
    }

    private static ThreadFactory daemons(String name) {
        return work -> {
            Thread thread = new Thread(work, name);
            thread.setDaemon(true);
            return thread;
        };
    }
}
