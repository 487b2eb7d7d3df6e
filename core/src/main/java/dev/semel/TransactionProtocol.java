// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.claim.AliasedKey;
import dev.semel.claim.ClaimKey;
import dev.semel.claim.ClaimRef;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.OwnerToken;
import dev.semel.claim.RecordId;
import dev.semel.claim.Status;
import dev.semel.claim.StoreException;
import dev.semel.claim.StoredResult;
import dev.semel.key.ClaimMode;
import dev.semel.key.KeyDigests;
import dev.semel.key.Secrets;
import dev.semel.lane.Backoff;
import dev.semel.spi.Command;
import dev.semel.spi.OpenTransaction;
import dev.semel.spi.Snapshot;
import dev.semel.spi.Verdict;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Point 12 of the protocol: claim, work and settlement inside a transaction of the caller's, so that all of it is
 * committed together or not at all. The same decisions as in {@link ClaimProtocol}; what differs is that nobody waits, that
 * there is no lease, and that a claim which is not committed is nobody's.
 *
 * <p>For those who write a store. Applications use {@code dev.semel.jdbc.TransactionalClaims}.
 */
public final class TransactionProtocol {
    /** What a duplicate is told who meets an open transaction: nobody knows when that ends. */
    private static final Duration ASK_AGAIN = Duration.ofSeconds(1);

    private static final int ROUNDS = 8;
    private static final long FIRST_PAUSE = 2_000_000;
    private static final long LONGEST_PAUSE = 500_000_000;
    private static final StoredResult TOO_MUCH = StoredResult.tombstone("the store would not take the result");

    private final KeyDigests digests;

    /** What the current thread is in the middle of. */
    private final ThreadLocal<Set<ClaimRef>> running = ThreadLocal.withInitial(HashSet::new);

    public TransactionProtocol(Secrets secrets) {
        this.digests = new KeyDigests(secrets);
    }

    /** Where the claim on this key is, by the current secret: never where a leased claim on the same key is. */
    public ClaimRef refOf(Operation<?> operation, ClaimKey key) {
        return namesOf(ClaimMode.TRANSACTIONAL, operation, AliasedKey.of(key)).ref();
    }

    private ClaimDigests namesOf(ClaimMode mode, Operation<?> operation, AliasedKey key) {
        if (!key.key().scope().equals(operation.scope())) {
            throw new IllegalArgumentException(
                    "The key's scope is %s, but the operation's is %s: make the key with operation.key(tenant, key)"
                            .formatted(key.key().scope(), operation.scope()));
        }
        if (operation.shadow()) {
            throw new IllegalArgumentException(
                    "Operation %s is in shadow mode, which runs duplicates: use Semel.execute for it"
                            .formatted(operation.scope()));
        }
        return ClaimDigests.of(digests, mode, key);
    }

    /** The command that claims what nobody has claimed, by any live secret and by any of these names. */
    public Command.Insert insert(Operation<?> operation, AliasedKey key, Fingerprint fingerprint) {
        return insert(ClaimMode.TRANSACTIONAL, operation, key, fingerprint);
    }

    /**
     * As {@link #insert}, where {@link Semel} claims the same key: for short transactions of the store's own. A lane may have
     * to wait for such a transaction, so it must never be a user's.
     */
    public Command.Insert insertLeased(Operation<?> operation, AliasedKey key, Fingerprint fingerprint) {
        return insert(ClaimMode.LEASED, operation, key, fingerprint);
    }

    private Command.Insert insert(ClaimMode mode, Operation<?> operation, AliasedKey key, Fingerprint fingerprint) {
        ClaimDigests names = namesOf(mode, operation, key);
        return new Command.Insert(
                names.ref(),
                operation.scope(),
                names.first().secretId(),
                OwnerToken.random(),
                RecordId.random(),
                fingerprint,
                operation.terms(),
                names.freshAliases());
    }

    /** The form in which a result is stored; a tombstone if it has none. */
    public <T extends @Nullable Object> StoredResult encoded(Operation<T> operation, T value) {
        return Settlements.encoded(operation.codec()::encode, value);
    }

    /** How long a duplicate of this operation waits for another caller's answer. */
    public Duration patienceOf(Operation<?> operation) {
        return operation.patience();
    }

    /**
     * What a caller gets whose work does not run.
     *
     * @param seen the claim that is there; null if there is none that is committed, so that somebody is at it
     * @return empty if the claim may be taken over
     */
    public <T extends @Nullable Object> Optional<Outcome<T>> answer(
            Operation<T> operation, @Nullable Snapshot seen, Fingerprint fingerprint) {
        if (seen == null) {
            return Optional.of(new Outcome.InProgress<>(ASK_AGAIN));
        }
        return Decision.about(seen, fingerprint) instanceof Decision.Answer answer
                ? Optional.of(Replay.of(operation, answer.outcome()))
                : Optional.empty();
    }

    /**
     * Claims, runs and settles; the caller commits, or rolls back, and then nothing has happened.
     *
     * @throws IllegalStateException if the same key is already being run by this thread
     */
    public <T extends @Nullable Object> Outcome<T> execute(
            OpenTransaction transaction,
            Operation<T> operation,
            AliasedKey key,
            Fingerprint fingerprint,
            Work<T> work) {
        return execute(transaction, operation, insert(operation, key, fingerprint), work);
    }

    /** As {@link #execute}, where {@link Semel} claims the same key; see {@link #insertLeased}. */
    public <T extends @Nullable Object> Outcome<T> executeLeased(
            OpenTransaction transaction,
            Operation<T> operation,
            AliasedKey key,
            Fingerprint fingerprint,
            Work<T> work) {
        return execute(transaction, operation, insertLeased(operation, key, fingerprint), work);
    }

    private <T extends @Nullable Object> Outcome<T> execute(
            OpenTransaction transaction, Operation<T> operation, Command.Insert insert, Work<T> work) {
        if (running.get().contains(insert.ref())) {
            throw new IllegalStateException(
                    "This key (scope %s, digest %s) is being run by this very thread: a key nested in itself can never"
                                    .formatted(operation.scope(), insert.ref().digest())
                            + " finish; use another key for the inner call");
        }
        ClaimOutcome claimed = claim(transaction, operation, insert);
        if (!(claimed instanceof ClaimOutcome.Granted granted)) {
            return Replay.of(operation, claimed);
        }
        Claim claim = granted.claim();
        int cap = operation.attemptCap().orElse(Integer.MAX_VALUE);
        if (claim.attempt() > cap) {
            settle(transaction, claim, Status.FAILED, null, "given up after %d attempts".formatted(cap));
            return new Outcome.Failed<>(null, null, true);
        }
        return run(transaction, operation, claim, insert.ref(), work);
    }

    /**
     * Tries again, for as long as duplicates of this operation wait, while another caller is at it. Each attempt is a
     * transaction of its own, so that nothing is held in between but this thread.
     */
    public <T extends @Nullable Object> Outcome<T> patiently(Operation<T> operation, Supplier<Outcome<T>> attempt) {
        long deadline = System.nanoTime() + operation.patience().toNanos();
        for (long pause = FIRST_PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
            Outcome<T> outcome = attempt.get();
            long left = deadline - System.nanoTime();
            if (!(outcome instanceof Outcome.InProgress)
                    || left <= 0
                    || Thread.currentThread().isInterrupted()) {
                return outcome;
            }
            LockSupport.parkNanos(Math.min(left, Backoff.jittered(pause)));
        }
    }

    private ClaimOutcome claim(OpenTransaction transaction, Operation<?> operation, Command.Insert insert) {
        Command command = insert;
        Claim.Origin origin = Claim.Origin.FIRST;
        for (int round = 0; round < ROUNDS; round++) {
            Optional<Verdict> verdict = transaction.acquire(command);
            if (verdict.isEmpty()) {
                return new ClaimOutcome.InProgress(ASK_AGAIN);
            }
            if (verdict.get() instanceof Verdict.Errored errored) {
                throw errored.cause();
            }
            if (verdict.get() instanceof Verdict.Applied applied) {
                // What it knows of its lease does not matter: it ends with the transaction.
                return new ClaimOutcome.Granted(Claim.of(
                        applied, insert.scope(), command.token(), origin, operation.terms(), System.nanoTime()));
            }
            Snapshot seen = ((Verdict.Refused) verdict.get()).claim();
            if (seen == null) {
                // It was there a moment ago and is gone: swept in between. Claim it anew.
                command = insert;
                origin = Claim.Origin.FIRST;
                continue;
            }
            Decision decision = Decision.about(seen, insert.fingerprint());
            if (decision instanceof Decision.Answer answer) {
                return answer.outcome();
            }
            origin = ((Decision.TakeOver) decision).origin();
            if (origin == Claim.Origin.RECONCILE) {
                return new ClaimOutcome.Unknown(
                        "an earlier work committed in the middle, and nobody knows what it did");
            }
            command = new Command.TakeOver(
                    seen.ref(),
                    seen.token(),
                    OwnerToken.random(),
                    RecordId.random(),
                    insert.fingerprint(),
                    insert.terms());
        }
        return new ClaimOutcome.Unavailable("the claim kept changing hands while it was being read", null);
    }

    /** The claim may be by another secret than the key's name, by which the thread knows what it is running. */
    private <T extends @Nullable Object> Outcome<T> run(
            OpenTransaction transaction, Operation<T> operation, Claim claim, ClaimRef name, Work<T> work) {
        OpenTransaction.Mark mark = transaction.mark();
        T value;
        running.get().add(name);
        try {
            value = work.run(new TransactionContext(claim));
        } catch (Throwable e) {
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            return failed(transaction, mark, operation, claim, e);
        } finally {
            running.get().remove(name);
            if (running.get().isEmpty()) {
                running.remove();
            }
        }
        mark.keep();
        settle(transaction, claim, Status.SUCCEEDED, encoded(operation, value), null);
        return new Outcome.Succeeded<>(value, false);
    }

    /** The work's changes are undone; that it failed is kept, if the caller commits. */
    private static <T extends @Nullable Object> Outcome<T> failed(
            OpenTransaction transaction,
            OpenTransaction.Mark mark,
            Operation<T> operation,
            Claim claim,
            Throwable failure) {
        FailureClass failureClass = Failures.classOf(operation, claim, failure);
        String reason = Settlements.reason("threw " + failure.getClass().getName());
        StoredResult stored =
                failureClass == FailureClass.FINAL ? Settlements.encoded(operation::encodeFailure, failure) : null;
        try {
            mark.undo();
            settle(transaction, claim, Failures.statusOf(failureClass), stored, reason);
        } catch (RuntimeException e) {
            // The transaction is beyond use, and what the work threw is why.
            if (failure instanceof Error error) {
                error.addSuppressed(e);
                throw error;
            }
            e.addSuppressed(failure);
            throw e;
        }
        if (failure instanceof Error error) {
            throw error;
        }
        return switch (failureClass) {
            case RETRYABLE -> new Outcome.Retryable<>(failure);
            case FINAL -> new Outcome.Failed<>(stored, failure, false);
            case UNKNOWN -> new Outcome.Unknown<>(reason, failure);
        };
    }

    private static void settle(
            OpenTransaction transaction,
            Claim claim,
            Status status,
            @Nullable StoredResult result,
            @Nullable String reason) {
        boolean settled;
        try {
            settled = transaction.settle(new Command.Settle(claim.ref(), claim.token(), status, result, reason));
        } catch (StoreException e) {
            if (e.kind() != StoreException.Kind.REJECTED || result == null) {
                throw e;
            }
            settled = transaction.settle(new Command.Settle(claim.ref(), claim.token(), status, TOO_MUCH, reason));
        }
        if (!settled) {
            throw new IllegalStateException(
                    "The claim is gone from its own transaction: the work, or the database because of it, has ended the"
                            + " transaction. Roll back, and let the work neither commit nor roll back");
        }
    }
}
