// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.TransactionProtocol;
import dev.semel.claim.AliasedKey;
import dev.semel.claim.ClaimKey;
import dev.semel.claim.ClaimRef;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.StoreException;
import dev.semel.key.Secrets;
import dev.semel.lane.Backoff;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Executes work exactly once if its effects are items of DynamoDB: claim, result and up to {@value TransactionItems#MAX_ITEMS} items
 * of your own tables are one {@code TransactWriteItems}. Without that write nothing has happened.
 *
 * <pre>{@code
 * Outcome<String> outcome = transactions.execute(TRANSFER, TRANSFER.key("acme", "order-17"), fingerprint,
 *         TransactionItems.of("done", debit, credit, entry));
 * }</pre>
 *
 * <p>A duplicate is one read, and writes nothing. Items can have conditions. If one does not hold, the outcome is {@link
 * Outcome.Retryable} with an {@link ItemRefusedException} that says which one, and the key can be used again. Its claim is stored as
 * retryable, so that no earlier request that is still under way can have an effect.
 *
 * <p>The key is the same as that of {@code Semel} for this operation: a claim that an engine is running is {@link Outcome.InProgress}
 * here, and a result that is written here is replayed there. Tables must be in the account and region of the claims, and not Semel's.
 *
 * <p>Results of more than 4 KiB are written just before the transaction, and deleted if it fails. Thread-safe. Blocks.
 */
public final class DynamoTransactions {
    private static final int TRIES = 8;
    private static final long PAUSE_NANOS = 4_000_000;

    private final DynamoCalls calls;
    private final DynamoReads reads;
    private final DynamoCommands commands;
    private final DynamoChunks chunks;
    private final DynamoCommit commit;
    private final TransactionProtocol protocol;

    private DynamoTransactions(DynamoClaimStore store, Secrets secrets) {
        this.calls = store.calls();
        this.reads = store.reads();
        this.commands = store.commands();
        this.chunks = store.chunks();
        this.commit = new DynamoCommit(calls, reads, chunks, commands.settlements());
        this.protocol = new TransactionProtocol(secrets);
    }

    /**
     * Returns transactions with claims in the table of this store.
     *
     * @param secrets those of the engine, if the application has one; several while a secret is rotated
     */
    public static DynamoTransactions on(DynamoClaimStore store, Secrets secrets) {
        return new DynamoTransactions(store, secrets);
    }

    /** As {@link #execute(Operation, ClaimKey, Fingerprint, TransactionItems)}, for keys without a fingerprint. */
    public <T extends @Nullable Object> Outcome<T> execute(
            Operation<T> operation, ClaimKey key, TransactionItems<T> items) {
        return execute(operation, key, Fingerprint.NONE, items);
    }

    /** Writes these items, the claim and its result, unless the key has been used. */
    public <T extends @Nullable Object> Outcome<T> execute(
            Operation<T> operation, ClaimKey key, Fingerprint fingerprint, TransactionItems<T> items) {
        items.requireOutside(calls.table());
        return execute(operation, key, fingerprint, run -> items);
    }

    /**
     * Runs the work if the key is free, and writes the items that it returns, the claim and the result.
     *
     * <p>The work is run again if the claim's rows change before they are written. After a lost answer the same request is sent again,
     * and recognized. {@link Outcome.Unavailable} means that nothing was written. {@link Outcome.Unsettled} means that it is not
     * known whether everything or nothing was written; call again to learn it.
     *
     * <p>A duplicate waits as long as the operation allows ({@link Operation#waitingUpTo}) for an engine that runs the key. If the
     * work throws, nothing of it is written, and its failure is stored as by {@code Semel}.
     *
     * @throws IllegalArgumentException if the items and the digests of the key are too many for one transaction
     */
    public <T extends @Nullable Object> Outcome<T> execute(
            Operation<T> operation, ClaimKey key, Fingerprint fingerprint, ItemsWork<T> work) {
        return execute(operation, AliasedKey.of(key), fingerprint, work);
    }

    /** As {@link #execute(Operation, ClaimKey, Fingerprint, ItemsWork)}, once for all callers that use any of these keys. */
    public <T extends @Nullable Object> Outcome<T> execute(
            Operation<T> operation, AliasedKey key, Fingerprint fingerprint, ItemsWork<T> work) {
        return protocol.retryWhileInProgress(operation, () -> retried(operation, key, fingerprint, work));
    }

    private <T extends @Nullable Object> Outcome<T> retried(
            Operation<T> operation, AliasedKey key, Fingerprint fingerprint, ItemsWork<T> work) {
        StoreException last = null;
        for (int attempt = 1; attempt <= TRIES; attempt++) {
            DynamoTransaction transaction = new DynamoTransaction(calls, reads, commands);
            try {
                Outcome<T> outcome = protocol.executeLeased(
                        transaction, operation, key, fingerprint, run -> taken(transaction, work.run(run)));
                Outcome<T> ended = transaction.isSettled() ? committed(transaction, outcome) : outcome;
                if (ended != null) {
                    return ended;
                }
            } catch (StoreException e) {
                // Of a read before anything was written.
                last = e;
                if (e.kind() == StoreException.Kind.REJECTED) {
                    break;
                }
            }
            LockSupport.parkNanos(Backoff.afterAttempt(attempt, PAUSE_NANOS));
        }
        return new Outcome.Unavailable<>(
                last == null ? "the claim's owner changed repeatedly" : "the claim could not be read", last);
    }

    /** Work that rejects may return nothing. */
    @SuppressWarnings("NullAway") // The value of rejected work is not used.
    private static <T extends @Nullable Object> T taken(
            DynamoTransaction transaction, @Nullable TransactionItems<T> items) {
        return items == null ? null : transaction.take(items);
    }

    /** Null if the claim's rows have changed, so that nothing was written. */
    private <T extends @Nullable Object> @Nullable Outcome<T> committed(
            DynamoTransaction transaction, Outcome<T> outcome) {
        DynamoCommit.End end = commit.commit(transaction);
        if (end instanceof DynamoCommit.End.Done) {
            deleteReplaced(transaction);
            return outcome;
        }
        if (end instanceof DynamoCommit.End.Refused refused) {
            return new Outcome.Retryable<>(refused.why());
        }
        if (end instanceof DynamoCommit.End.Unknown unknown) {
            return new Outcome.Unsettled<>(
                    valueOf(outcome),
                    failureOf(outcome),
                    false,
                    "DynamoDB did not confirm the write: " + unknown.why().getMessage());
        }
        if (end instanceof DynamoCommit.End.Failed failed) {
            return failed.why().kind() == StoreException.Kind.REJECTED
                    ? new Outcome.Retryable<>(failed.why())
                    : new Outcome.Unavailable<>("the transaction could not be written", failed.why());
        }
        return null;
    }

    private static <T extends @Nullable Object> @Nullable T valueOf(Outcome<T> outcome) {
        return outcome instanceof Outcome.Succeeded<T> succeeded ? succeeded.value() : null;
    }

    private static @Nullable Throwable failureOf(Outcome<?> outcome) {
        if (outcome instanceof Outcome.Retryable<?> retryable) {
            return retryable.cause();
        }
        return outcome instanceof Outcome.Failed<?> failed ? failed.cause() : null;
    }

    /** The large result of a claim that had expired. If that fails, the sweep deletes it. */
    private void deleteReplaced(DynamoTransaction transaction) {
        DynamoRow before = transaction.grant().before();
        if (before != null) {
            DynamoFutures.await(chunks.deleteOf(before).exceptionally(failure -> null));
        }
    }

    /** The reference of this key's claim under the current secret, to look it up. */
    public ClaimRef refOf(Operation<?> operation, ClaimKey key) {
        return protocol.insertLeased(operation, AliasedKey.of(key), Fingerprint.NONE)
                .ref();
    }
}
