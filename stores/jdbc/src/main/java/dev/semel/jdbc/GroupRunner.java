// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.Outcome;
import dev.semel.claim.ClaimRef;
import dev.semel.claim.StoreException;
import dev.semel.lane.Backoff;
import dev.semel.lane.Halving;
import dev.semel.lane.Workers;
import dev.semel.spi.Snapshot;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs a batch of rows until every row is answered. A transaction with unknown outcome is sent again with the same tokens;
 * a batch that fails because of one row is split in halves.
 *
 * <p>An answer is a future, because a large result is read later, not while those of the whole batch are in memory.
 */
final class GroupRunner<R, T extends @Nullable Object> {
    private static final int MAX_CONFLICTS = 4;
    private static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long FIRST_PAUSE_NANOS = 500_000;

    private final TransactionalClaims claims;
    private final GroupEffect<R> effect;
    private final GroupTransaction<R> transaction;
    private final Workers readers;

    /** @param readers where large results are read */
    GroupRunner(TransactionalClaims claims, GroupEffect<R> effect, Workers readers) {
        this.claims = claims;
        this.effect = effect;
        this.transaction = new GroupTransaction<>(claims, effect);
        this.readers = readers;
    }

    /** Returns the answers in the order of the rows. No two rows have the same key. */
    List<CompletableFuture<Outcome<T>>> answers(List<SubmittedRow<R, T>> rows) {
        Map<ClaimRef, CompletableFuture<Outcome<T>>> answers = new HashMap<>();
        // Sorted by digest, so that all groups lock rows in the same order.
        List<SubmittedRow<R, T>> sorted =
                rows.stream().sorted(Comparator.comparing(SubmittedRow::ref)).toList();
        Halving.answers(sorted, part -> attempt(part, answers));
        return answersTo(rows, answers);
    }

    private static <R, T extends @Nullable Object> List<CompletableFuture<Outcome<T>>> answersTo(
            List<SubmittedRow<R, T>> rows, Map<ClaimRef, CompletableFuture<Outcome<T>>> answers) {
        return rows.stream()
                .map(row -> Objects.requireNonNull(answers.get(row.ref()), "A row has no answer"))
                .toList();
    }

    /** Answers the rows of this part that have no answer yet. Empty if the part has to be split. */
    private Optional<List<CompletableFuture<Outcome<T>>>> attempt(
            List<SubmittedRow<R, T>> part, Map<ClaimRef, CompletableFuture<Outcome<T>>> answers) {
        List<SubmittedRow<R, T>> open =
                part.stream().filter(row -> !answers.containsKey(row.ref())).toList();
        if (open.size() > 1 && resultBytes(open) > claims.largestResult()) {
            return Optional.empty();
        }
        long deadline = System.nanoTime() + MAX_NANOS;
        boolean inDoubt = false;
        int conflicts = 0;
        for (int attempt = 1; !open.isEmpty(); attempt++) {
            GroupTransaction.Result result = transaction.run(open);
            Exception cause = null;
            if (result instanceof GroupTransaction.Result.Committed committed) {
                open = unanswered(open, committed.rows(), inDoubt, answers);
            } else if (result instanceof GroupTransaction.Result.Unavailable unavailable) {
                inDoubt |= unavailable.inDoubt();
                cause = unavailable.cause();
            } else if (result instanceof GroupTransaction.Result.Rejected || ++conflicts == MAX_CONFLICTS) {
                if (open.size() > 1) {
                    return Optional.empty();
                }
                answers.put(open.get(0).ref(), inOwnTransaction(open.get(0)));
                open = List.of();
            }
            if (!open.isEmpty() && System.nanoTime() - deadline > 0) {
                for (SubmittedRow<R, T> row : open) {
                    answers.put(row.ref(), inDoubt ? unsettled(row) : unavailable(cause));
                }
                open = List.of();
            }
            if (!open.isEmpty()) {
                LockSupport.parkNanos(Backoff.afterAttempt(attempt, FIRST_PAUSE_NANOS));
            }
        }
        return Optional.of(answersTo(part, answers));
    }

    private static long resultBytes(List<? extends SubmittedRow<?, ?>> rows) {
        return rows.stream().mapToLong(row -> row.claim().result().size()).sum();
    }

    /**
     * Answers rows of a committed transaction and returns those that have to be sent again: after a commit with unknown
     * outcome, a claim in progress may be our own earlier attempt.
     */
    private List<SubmittedRow<R, T>> unanswered(
            List<SubmittedRow<R, T>> rows,
            Map<ClaimRef, RowResult> results,
            boolean inDoubt,
            Map<ClaimRef, CompletableFuture<Outcome<T>>> answers) {
        List<SubmittedRow<R, T>> open = new ArrayList<>();
        for (SubmittedRow<R, T> row : rows) {
            RowResult result = results.get(row.ref());
            if (result == null && inDoubt) {
                open.add(row);
            } else {
                answers.put(row.ref(), answer(row, result));
            }
        }
        return open;
    }

    private CompletableFuture<Outcome<T>> answer(SubmittedRow<R, T> row, @Nullable RowResult result) {
        if (result instanceof RowResult.Written) {
            return succeeded(row.request().result());
        }
        if (result instanceof RowResult.SecondTaken) {
            return succeeded(Objects.requireNonNull(row.request().second()).ifTaken());
        }
        if (result instanceof RowResult.NeedsOwnTransaction) {
            return inOwnTransaction(row);
        }
        Snapshot claim = result instanceof RowResult.Existing existing ? existing.claim() : null;
        return claim != null && row.isMine(claim) ? ownAnswer(row, claim) : duplicateAnswer(row, claim);
    }

    private CompletableFuture<Outcome<T>> duplicateAnswer(SubmittedRow<R, T> row, @Nullable Snapshot claim) {
        if (claim != null && claim.resultOmitted()) {
            return later(() -> readDuplicateAnswer(row));
        }
        return claims.protocol()
                .answer(row.request().operation(), claim, row.fingerprint())
                .<CompletableFuture<Outcome<T>>>map(CompletableFuture::completedFuture)
                .orElseGet(() -> inOwnTransaction(row));
    }

    /** The row was committed by a commit without an answer. With a second claim, only the claim shows which result it has. */
    private CompletableFuture<Outcome<T>> ownAnswer(SubmittedRow<R, T> row, Snapshot claim) {
        if (row.second() == null) {
            return succeeded(row.request().result());
        }
        if (claim.resultOmitted()) {
            return later(() -> readOwnAnswer(row));
        }
        return duplicateAnswer(row, claim)
                .thenApply(outcome -> outcome instanceof Outcome.Succeeded<T> succeeded
                        ? new Outcome.Succeeded<>(succeeded.value(), false)
                        : outcome);
    }

    private CompletableFuture<Outcome<T>> later(Supplier<CompletableFuture<Outcome<T>>> read) {
        return readers.call(read).thenCompose(answer -> answer);
    }

    /** Reads one claim alone, so its result is not omitted. */
    private CompletableFuture<Outcome<T>> readDuplicateAnswer(SubmittedRow<R, T> row) {
        try {
            return duplicateAnswer(row, transaction.read(row.ref()));
        } catch (StoreException e) {
            return unavailable(e);
        }
    }

    private CompletableFuture<Outcome<T>> readOwnAnswer(SubmittedRow<R, T> row) {
        try {
            Snapshot claim = transaction.read(row.ref());
            return claim != null && row.isMine(claim) ? ownAnswer(row, claim) : unsettled(row);
        } catch (StoreException e) {
            return unsettled(row);
        }
    }

    /** For a row that fails, so that its failure is settled, and for claims that have to be taken over. */
    private CompletableFuture<Outcome<T>> inOwnTransaction(SubmittedRow<R, T> row) {
        GroupedClaims.Request<T> request = row.request();
        AtomicBoolean inProgress = new AtomicBoolean();
        try {
            return CompletableFuture.completedFuture(claims.inGroupTransaction(
                    request.operation(),
                    request.key(),
                    request.fingerprint(),
                    () -> inProgress.getAndSet(false),
                    (connection, run) -> {
                        row.report().runs(run.attempt());
                        GroupedClaims.Second<T> second = request.second();
                        if (second != null) {
                            return withSecond(connection, row, second, inProgress);
                        }
                        effect.apply(connection, List.of(row.row()));
                        return request.result();
                    }));
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /**
     * Writes the row under its second claim. An exception also undoes the second claim, and the first can be taken over.
     *
     * @param inProgress set if another caller has the second claim in progress; the whole transaction must then be undone
     */
    private T withSecond(
            Connection connection, SubmittedRow<R, T> row, GroupedClaims.Second<T> second, AtomicBoolean inProgress)
            throws Exception {
        T result = row.request().result();
        Outcome<T> outcome = claims.executeLeased(connection, second.operation(), second.key(), inSecond -> {
            row.report().secondRuns(inSecond.attempt());
            effect.apply(connection, List.of(row.row()));
            return result;
        });
        if (outcome instanceof Outcome.Succeeded<T> succeeded && !succeeded.replayed()) {
            return result;
        }
        if (outcome.isReplayed()) {
            return second.ifTaken();
        }
        if (causeOf(outcome) instanceof Exception thrown) {
            throw thrown;
        }
        inProgress.set(true);
        throw new SecondInProgress();
    }

    /** The exception of the effect, however the second claim's operation classifies it; null if the effect did not run. */
    private static @Nullable Throwable causeOf(Outcome<?> outcome) {
        if (outcome instanceof Outcome.Retryable<?> retryable) {
            return retryable.cause();
        }
        if (outcome instanceof Outcome.Failed<?> failed) {
            return failed.cause();
        }
        return outcome instanceof Outcome.Unknown<?> unknown ? unknown.cause() : null;
    }

    /** Another caller has the second claim in progress. */
    private static final class SecondInProgress extends RuntimeException {
        private static final long serialVersionUID = 1;

        SecondInProgress() {
            super("Another caller has the second claim in progress", null, false, false);
        }
    }

    private static <T extends @Nullable Object> CompletableFuture<Outcome<T>> succeeded(T value) {
        return CompletableFuture.completedFuture(new Outcome.Succeeded<>(value, false));
    }

    private static <R, T extends @Nullable Object> CompletableFuture<Outcome<T>> unsettled(SubmittedRow<R, T> row) {
        return CompletableFuture.completedFuture(new Outcome.Unsettled<>(
                row.request().result(), null, false, "the database did not confirm the commit"));
    }

    private static <T extends @Nullable Object> CompletableFuture<Outcome<T>> unavailable(@Nullable Exception cause) {
        return CompletableFuture.completedFuture(new Outcome.Unavailable<>("the database did not answer", cause));
    }
}
