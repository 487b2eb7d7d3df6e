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
import dev.semel.lane.Environment;
import dev.semel.spi.Command;
import dev.semel.spi.OpenTransaction;
import dev.semel.spi.Snapshot;
import dev.semel.spi.Verdict;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Point 12 of the protocol: claim, work and settlement inside the caller's transaction, committed together or not at all.
 * The decisions are those of {@link ClaimProtocol}. But no caller waits, there is no lease, and a claim that is not
 * committed does not exist.
 *
 * <p>For authors of stores. Applications use {@code dev.semel.jdbc.TransactionalClaims}.
 */
public final class TransactionProtocol {
    /** When a duplicate may try again after it met an open transaction, whose end is not known. */
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private static final int ROUNDS = 8;
    private static final long FIRST_PAUSE = 2_000_000;
    private static final long MAX_PAUSE = 500_000_000;

    private final KeyDigests keyDigests;
    private final NestingGuard guard = new NestingGuard();

    public TransactionProtocol(Secrets secrets) {
        this.keyDigests = new KeyDigests(secrets);
    }

    /** The reference of the claim on this key by the current secret. It differs from that of a leased claim on the same key. */
    public ClaimRef refOf(Operation<?> operation, ClaimKey key) {
        return digestsOf(ClaimMode.TRANSACTIONAL, operation, AliasedKey.of(key)).ref();
    }

    private ClaimDigests digestsOf(ClaimMode mode, Operation<?> operation, AliasedKey key) {
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
        return ClaimDigests.of(keyDigests, mode, key);
    }

    /** The command that claims a free key, with its digests by every active secret and for every alias. */
    public Command.Insert insert(Operation<?> operation, AliasedKey key, Fingerprint fingerprint) {
        return insert(ClaimMode.TRANSACTIONAL, operation, key, fingerprint);
    }

    /**
     * As {@link #insert}, for the claim that {@link Semel} makes for the same key. Only for short transactions of the store
     * itself: a lane may have to wait for such a transaction, so it must never be the application's.
     */
    public Command.Insert insertLeased(Operation<?> operation, AliasedKey key, Fingerprint fingerprint) {
        return insert(ClaimMode.LEASED, operation, key, fingerprint);
    }

    private Command.Insert insert(ClaimMode mode, Operation<?> operation, AliasedKey key, Fingerprint fingerprint) {
        ClaimDigests digests = digestsOf(mode, operation, key);
        return new Command.Insert(
                digests.ref(),
                operation.scope(),
                digests.first().secretId(),
                OwnerToken.random(),
                RecordId.random(),
                fingerprint,
                operation.terms(),
                digests.freshAliases(Environment.SYSTEM));
    }

    /** The stored form of a result; a tombstone if it cannot be encoded. */
    public <T extends @Nullable Object> StoredResult encoded(Operation<T> operation, T value) {
        return Settlements.encoded(operation::encode, value);
    }

    /** How long a duplicate of this operation waits for the running one's answer. */
    public Duration maxWaitOf(Operation<?> operation) {
        return operation.maxWait();
    }

    /**
     * The outcome for a caller whose work does not run.
     *
     * @param seen the committed claim; null if the claim belongs to a transaction that is still open
     * @return empty if the claim may be taken over
     */
    public <T extends @Nullable Object> Optional<Outcome<T>> answer(
            Operation<T> operation, @Nullable Snapshot seen, Fingerprint fingerprint) {
        if (seen == null) {
            return Optional.of(new Outcome.InProgress<>(RETRY_AFTER));
        }
        return Decision.about(seen, fingerprint) instanceof Decision.Answer answer
                ? Optional.of(Replay.of(operation, answer.outcome()))
                : Optional.empty();
    }

    /**
     * Claims, runs and settles. The caller commits, or rolls back to undo all of it.
     *
     * @throws IllegalStateException if this thread is already running the same key
     */
    public <T extends @Nullable Object> Outcome<T> execute(
            OpenTransaction transaction,
            Operation<T> operation,
            AliasedKey key,
            Fingerprint fingerprint,
            Work<T> work) {
        return execute(transaction, operation, insert(operation, key, fingerprint), work);
    }

    /** As {@link #execute}, for the claim that {@link Semel} makes for the same key; see {@link #insertLeased}. */
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
        Set<ClaimRef> refs = refs(insert);
        guard.requireNotRunning(operation.scope(), refs);
        ClaimOutcome claimed = claim(transaction, operation, insert);
        if (!(claimed instanceof ClaimOutcome.Granted granted)) {
            return Replay.of(operation, claimed);
        }
        Claim claim = granted.claim();
        int cap = operation.attemptCap().orElse(Integer.MAX_VALUE);
        if (claim.attempt() > cap) {
            String reason = "given up after %d attempts".formatted(cap);
            StoredResult stored = Operation.failure(reason);
            settle(transaction, claim, Status.FAILED, stored, reason);
            return new Outcome.Failed<>(stored, null, true);
        }
        // The record may be another one than the digests of the key.
        refs.add(claim.ref());
        return run(transaction, operation, claim, refs, work);
    }

    private static Set<ClaimRef> refs(Command.Insert insert) {
        Set<ClaimRef> refs = new LinkedHashSet<>();
        refs.add(insert.ref());
        insert.aliases().forEach(alias -> refs.add(alias.ref()));
        return refs;
    }

    /**
     * Repeats the attempt while another caller's transaction is in progress, for as long as duplicates of this operation wait.
     * Each attempt is a transaction of its own, so only this thread is held in between.
     */
    public <T extends @Nullable Object> Outcome<T> retryWhileInProgress(
            Operation<T> operation, Supplier<Outcome<T>> attempt) {
        long deadline = System.nanoTime() + operation.maxWait().toNanos();
        for (long pause = FIRST_PAUSE; ; pause = Math.min(2 * pause, MAX_PAUSE)) {
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
                return new ClaimOutcome.InProgress(RETRY_AFTER);
            }
            if (verdict.get() instanceof Verdict.Errored errored) {
                throw errored.cause();
            }
            if (verdict.get() instanceof Verdict.Applied applied) {
                // Its lease does not matter, because the claim ends with the transaction.
                return new ClaimOutcome.Granted(Claim.of(
                        applied, insert.scope(), command.token(), origin, operation.terms(), System.nanoTime()));
            }
            Snapshot seen = ((Verdict.Refused) verdict.get()).claim();
            if (seen == null) {
                // The claim existed a moment ago and has been swept since. Claim the key anew.
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
                return new ClaimOutcome.Unknown("an earlier run committed before it ended, so its effect is unknown");
            }
            boolean own = seen.ref().equals(insert.ref()) && insert.aliases().isEmpty();
            command = seen.absent() && !own
                    ? insert
                    : new Command.TakeOver(
                            seen.ref(),
                            seen.token(),
                            OwnerToken.random(),
                            seen.absent() ? RecordId.random() : null,
                            insert.fingerprint(),
                            insert.terms());
        }
        return new ClaimOutcome.Unavailable("the claim's owner changed repeatedly while it was read", null);
    }

    /** @param refs every digest that leads to the claim */
    private <T extends @Nullable Object> Outcome<T> run(
            OpenTransaction transaction, Operation<T> operation, Claim claim, Set<ClaimRef> refs, Work<T> work) {
        T value;
        TransactionContext context = new TransactionContext(claim, operation.rejecting());
        NestingGuard.Running running = guard.enter(refs);
        try {
            value = work.run(context);
        } catch (Throwable e) {
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            return failed(transaction, operation, claim, e);
        } finally {
            running.close();
        }
        Rejection rejection = context.rejecting().rejection();
        if (rejection != null) {
            settle(transaction, claim, Status.FAILED, rejection.stored(), "rejected: " + rejection.code());
            return new Outcome.Rejected<>(rejection, false);
        }
        settle(transaction, claim, Status.SUCCEEDED, encoded(operation, value), null);
        return new Outcome.Succeeded<>(value, false);
    }

    /** Undoes the changes of the work and settles the failure, which is stored if the caller commits. */
    private static <T extends @Nullable Object> Outcome<T> failed(
            OpenTransaction transaction, Operation<T> operation, Claim claim, Throwable failure) {
        FailureClass failureClass = Failures.classOf(operation, claim, failure);
        String reason = Settlements.reason("threw " + failure.getClass().getName());
        StoredResult stored =
                failureClass == FailureClass.FINAL ? Settlements.encoded(operation::encodeFailure, failure) : null;
        try {
            transaction.undoWork();
            settle(transaction, claim, Failures.statusOf(failureClass), stored, reason);
        } catch (RuntimeException e) {
            // The transaction cannot be used any more, because of what the work threw.
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
            settled = transaction.settle(
                    new Command.Settle(claim.ref(), claim.token(), status, Settlements.REJECTED, reason));
        }
        if (!settled) {
            throw claimLost();
        }
    }

    /** What is thrown if the claim is no longer in its transaction when it is settled. */
    public static IllegalStateException claimLost() {
        return new IllegalStateException(
                "The claim is no longer in its transaction, because the work has ended the transaction: roll back, and"
                        + " do not commit or roll back inside the work");
    }
}
