// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.Outcome;
import dev.semel.claim.ClaimRef;
import dev.semel.claim.StoreException;
import dev.semel.spi.Snapshot;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Carries a batch of entries through: again with the same tokens while its fate is unknown, in halves when one of them is
 * bad, until every entry has its answer.
 */
final class Group<R, T extends @Nullable Object> {
    private static final int CONFLICTS = 4;
    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final TransactionalClaims claims;
    private final GroupEffect<R> effect;
    private final GroupCommit<R> commit;

    Group(TransactionalClaims claims, GroupEffect<R> effect) {
        this.claims = claims;
        this.effect = effect;
        this.commit = new GroupCommit<>(claims, effect);
    }

    /**
     * What one entry's caller gets: an outcome, or what is a bug.
     *
     * @param later makes the answer, where its result is too large to be held with those of the whole batch
     */
    record Answer<T extends @Nullable Object>(
            @Nullable Outcome<T> outcome,
            @Nullable RuntimeException failure,
            @Nullable Supplier<Answer<T>> later) {
        Answer(@Nullable Outcome<T> outcome, @Nullable RuntimeException failure) {
            this(outcome, failure, null);
        }
    }

    /** In the order of the entries, of which no two have the same key. */
    List<Answer<T>> answers(List<GroupEntry<R, T>> entries) {
        Map<ClaimRef, Answer<T>> answers = new HashMap<>();
        // By digest, so that two groups meet the same rows in the same order.
        carry(entries.stream().sorted(Comparator.comparing(GroupEntry::ref)).toList(), answers);
        List<Answer<T>> inOrder = new ArrayList<>(entries.size());
        for (GroupEntry<R, T> entry : entries) {
            Answer<T> answer = answers.get(entry.ref());
            inOrder.add(answer == null ? unavailable(null) : answer);
        }
        return inOrder;
    }

    private void carry(List<GroupEntry<R, T>> entries, Map<ClaimRef, Answer<T>> answers) {
        long results = entries.stream()
                .mapToLong(entry -> entry.claim().result().size())
                .sum();
        if (results > claims.largestResult() && entries.size() > 1) {
            halve(entries, answers);
            return;
        }
        long deadline = System.nanoTime() + LONGEST_NANOS;
        boolean inDoubt = false;
        int conflicts = 0;
        List<GroupEntry<R, T>> open = entries;
        for (int attempt = 1; ; attempt = Math.min(attempt + 1, 8)) {
            GroupCommit.Result result = commit.of(open);
            Exception cause = null;
            if (result instanceof GroupCommit.Result.Committed committed) {
                open = answered(open, committed, inDoubt, answers);
                if (open.isEmpty()) {
                    return;
                }
            } else if (result instanceof GroupCommit.Result.Bad
                    || (result instanceof GroupCommit.Result.Conflict && ++conflicts == CONFLICTS)) {
                halve(open, answers);
                return;
            } else if (result instanceof GroupCommit.Result.Away away) {
                inDoubt |= away.inDoubt();
                cause = away.cause();
            }
            if (System.nanoTime() - deadline > 0) {
                for (GroupEntry<R, T> entry : open) {
                    answers.put(entry.ref(), inDoubt ? unsettled(entry) : unavailable(cause));
                }
                return;
            }
            LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(500_000, 1_000_000L << attempt));
        }
    }

    private void halve(List<GroupEntry<R, T>> entries, Map<ClaimRef, Answer<T>> answers) {
        if (entries.size() == 1) {
            answers.put(entries.get(0).ref(), alone(entries.get(0)));
            return;
        }
        carry(entries.subList(0, entries.size() / 2), answers);
        carry(entries.subList(entries.size() / 2, entries.size()), answers);
    }

    /** Those who are not answered yet: after a doubt, whoever meets an open transaction may be meeting itself. */
    private List<GroupEntry<R, T>> answered(
            List<GroupEntry<R, T>> entries,
            GroupCommit.Result.Committed committed,
            boolean inDoubt,
            Map<ClaimRef, Answer<T>> answers) {
        GroupInserts.Made made = committed.made();
        List<GroupEntry<R, T>> open = new ArrayList<>();
        for (GroupEntry<R, T> entry : entries) {
            ClaimRef ref = entry.ref();
            Snapshot seen = made.seen().get(ref);
            if (made.fresh().contains(ref)) {
                answers.put(
                        ref,
                        done(
                                made.taken().contains(ref)
                                        ? ifTaken(entry)
                                        : entry.request().result()));
            } else if (seen != null && entry.isMine(seen)) {
                answers.put(ref, ownAnswer(entry, seen));
            } else if (made.alone().contains(ref)) {
                answers.put(ref, alone(entry));
            } else if (seen == null && inDoubt) {
                open.add(entry);
            } else {
                answers.put(ref, answer(entry, seen));
            }
        }
        return open;
    }

    private Answer<T> answer(GroupEntry<R, T> entry, @Nullable Snapshot seen) {
        if (seen != null && seen.resultOmitted()) {
            return new Answer<>(null, null, () -> answerAlone(entry));
        }
        return claims.protocol()
                .answer(entry.request().operation(), seen, entry.fingerprint())
                .map(outcome -> new Answer<T>(outcome, null))
                .orElseGet(() -> alone(entry));
    }

    /** Committed by a commit that was not answered: which of two results that was, only the claim itself can say. */
    private Answer<T> ownAnswer(GroupEntry<R, T> entry, Snapshot seen) {
        if (entry.second() == null) {
            return done(entry.request().result());
        }
        if (seen.resultOmitted()) {
            return new Answer<>(null, null, () -> ownAnswerAlone(entry));
        }
        Answer<T> stored = answer(entry, seen);
        return stored.outcome() instanceof Outcome.Succeeded<T> succeeded ? done(succeeded.value()) : stored;
    }

    /** With the result whole, because nothing else is read. */
    private Answer<T> answerAlone(GroupEntry<R, T> entry) {
        try {
            return answer(entry, commit.read(entry.ref()));
        } catch (StoreException e) {
            return unavailable(e);
        }
    }

    private Answer<T> ownAnswerAlone(GroupEntry<R, T> entry) {
        try {
            Snapshot seen = commit.read(entry.ref());
            return seen != null && entry.isMine(seen) ? ownAnswer(entry, seen) : unsettled(entry);
        } catch (StoreException e) {
            return unsettled(entry);
        }
    }

    private static <T extends @Nullable Object> Answer<T> done(T value) {
        return new Answer<>(new Outcome.Succeeded<>(value, false), null);
    }

    private static <T extends @Nullable Object> T ifTaken(GroupEntry<?, T> entry) {
        return Objects.requireNonNull(entry.request().second()).ifTaken();
    }

    /** A transaction of its own: for the bad one, whose failure is settled, and for what must be taken over. */
    private Answer<T> alone(GroupEntry<R, T> entry) {
        GroupedClaims.Request<T> request = entry.request();
        AtomicBoolean inProgress = new AtomicBoolean();
        try {
            Outcome<T> outcome = claims.inGroupsTransaction(
                    request.operation(),
                    request.key(),
                    request.fingerprint(),
                    () -> inProgress.getAndSet(false),
                    (connection, run) -> {
                        GroupedClaims.Second<T> second = request.second();
                        if (second != null) {
                            return withSecond(connection, entry, second, inProgress);
                        }
                        effect.apply(connection, List.of(entry.row()));
                        return request.result();
                    });
            return new Answer<>(outcome, null);
        } catch (RuntimeException e) {
            return new Answer<>(null, e);
        }
    }

    /**
     * What is thrown undoes the second claim as well, and leaves the first to be taken over.
     *
     * @param inProgress set if somebody else is at the second claim: then nothing was tried, and nothing may be kept
     */
    private T withSecond(
            Connection connection, GroupEntry<R, T> entry, GroupedClaims.Second<T> second, AtomicBoolean inProgress)
            throws Exception {
        T result = entry.request().result();
        Outcome<T> outcome = claims.executeLeased(connection, second.operation(), second.key(), inSecond -> {
            effect.apply(connection, List.of(entry.row()));
            return result;
        });
        if (outcome instanceof Outcome.Succeeded<T> succeeded) {
            return succeeded.replayed() ? second.ifTaken() : result;
        }
        if (outcome instanceof Outcome.Tombstone
                || (outcome instanceof Outcome.Failed<T> failed && failed.replayed())) {
            return second.ifTaken();
        }
        if (causeOf(outcome) instanceof Exception thrown) {
            throw thrown;
        }
        inProgress.set(true);
        throw new SecondInProgress();
    }

    /** What the effect threw, whatever class the second claim's operation gives it; null if it did not run. */
    private static @Nullable Throwable causeOf(Outcome<?> outcome) {
        if (outcome instanceof Outcome.Retryable<?> retryable) {
            return retryable.cause();
        }
        if (outcome instanceof Outcome.Failed<?> failed) {
            return failed.cause();
        }
        return outcome instanceof Outcome.Unknown<?> unknown ? unknown.cause() : null;
    }

    /** Somebody else is at the second claim. */
    private static final class SecondInProgress extends RuntimeException {
        private static final long serialVersionUID = 1;

        SecondInProgress() {
            super("Another caller is at the second claim", null, false, false);
        }
    }

    private static <R, T extends @Nullable Object> Answer<T> unsettled(GroupEntry<R, T> entry) {
        return new Answer<>(
                new Outcome.Unsettled<>(
                        entry.request().result(), null, false, "the database did not say whether it has committed"),
                null);
    }

    private static <T extends @Nullable Object> Answer<T> unavailable(@Nullable Exception cause) {
        return new Answer<>(new Outcome.Unavailable<>("the database did not answer", cause), null);
    }
}
