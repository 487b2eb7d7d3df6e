// SPDX-License-Identifier: Apache-2.0
package dev.semel.spi;

import java.util.Optional;

/**
 * A transaction of the caller's that is open, as {@link TransactionProtocol} sees it. Made by a store, for one call; it
 * never commits, rolls back or closes anything of the caller's. Whatever makes the transaction useless is thrown.
 */
public interface OpenTransaction {
    /**
     * Inserts or takes over inside the transaction, without waiting for any other transaction.
     *
     * @return the verdict; empty if another transaction that is still open is at this key
     */
    Optional<Verdict> acquire(Command command);

    /**
     * Settles what was acquired.
     *
     * @return false if the claim is not there any more
     * @throws dev.semel.claim.StoreException of kind REJECTED if the result is too large; the transaction goes on
     */
    boolean settle(Command.Settle settlement);

    /** Marks the place to which the work's changes can be undone. */
    Mark mark();

    /** A place in the transaction. */
    interface Mark {
        /** Undoes what was done since; the transaction goes on. */
        void undo();

        /** Keeps what was done since. Fails if the work has ended the transaction on its own. */
        void keep();
    }
}
