// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.Operation.InTransaction;
import org.jspecify.annotations.Nullable;

/** Decides what happens if work is executed inside a transaction of the caller. */
final class TransactionGuard {
    private final @Nullable CallerTransactions transactions;

    TransactionGuard(@Nullable CallerTransactions transactions) {
        this.transactions = transactions;
    }

    /**
     * The transactions that execute this operation, or null if the engine itself does.
     *
     * @throws IllegalStateException if the operation must not run inside the caller's transaction, or cannot join it
     */
    @Nullable
    CallerTransactions executing(Operation<?> operation) {
        if (operation.inTransaction() == InTransaction.JOIN) {
            if (transactions == null) {
                throw new IllegalStateException(
                        "Operation %s joins the caller's transaction, but this engine knows none: build it with callerTransactions(...), or use TransactionalClaims.execute with your connection"
                                .formatted(operation.scope()));
            }
            return transactions;
        }
        if (operation.inTransaction() == InTransaction.REFUSE && transactions != null && transactions.isActive()) {
            throw new IllegalStateException(
                    ("Operation %s was called inside an open transaction. If that transaction rolled back after the settlement, the"
                                    + " claim would say that the work was done, and its effect would be missing. Call it outside"
                                    + " the transaction (with Spring, put @Idempotent on the @Transactional method or on its"
                                    + " caller), or choose on the operation: joinTransaction() commits claim, effect and result"
                                    + " together; outsideTransaction() is for effects outside this database (with @Idempotent:"
                                    + " transaction = JOIN or OUTSIDE)")
                            .formatted(operation.scope()));
        }
        return null;
    }

    /** As {@link #executing}, for asynchronous work, which cannot join a transaction because that belongs to one thread. */
    void requireOutside(Operation<?> operation) {
        if (executing(operation) != null) {
            throw new IllegalStateException(
                    "Operation %s joins the caller's transaction, which belongs to one thread: use execute, or outsideTransaction()"
                            .formatted(operation.scope()));
        }
    }
}
