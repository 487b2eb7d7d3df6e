// SPDX-License-Identifier: Apache-2.0
package dev.semel.spi;

import java.util.Optional;

/**
 * The caller's open transaction, as {@code TransactionProtocol} uses it. A store creates it for one call. It never commits,
 * rolls back or closes the caller's transaction. A failure that makes the transaction unusable is thrown.
 */
public interface OpenTransaction {
    /**
     * Inserts or takes over inside the transaction, without waiting for any other transaction.
     *
     * @return the verdict; empty if another open transaction holds this key
     */
    Optional<Verdict> acquire(Command command);

    /**
     * Settles the acquired claim.
     *
     * @return false if the claim no longer exists in the transaction
     * @throws dev.semel.claim.StoreException of kind REJECTED if the result is too large; the transaction goes on
     */
    boolean settle(Command.Settle settlement);

    /** Marks a point in the transaction to which the changes of the work can be undone. */
    Mark mark();

    /** A point in the transaction. */
    interface Mark {
        /** Undoes all changes since the mark. The transaction goes on. */
        void undo();

        /** Keeps the changes since the mark. Fails if the work has ended the transaction. */
        void keep();
    }
}
