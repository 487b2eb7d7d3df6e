// SPDX-License-Identifier: Apache-2.0
package dev.semel.spi;

import java.util.Optional;

/**
 * The caller's open transaction, as {@code TransactionProtocol} uses it. A store creates it for one call. It never commits,
 * rolls back or closes the caller's transaction. A failure that makes the transaction unusable is thrown.
 *
 * <p>The savepoint of the work has no method of its own, so that a store can set it together with the claim, and release it
 * together with the settlement: each round trip that is saved holds locks for a shorter time.
 */
public interface OpenTransaction {
    /**
     * Inserts or takes over inside the transaction, without waiting for any other transaction. If the command is applied, a
     * savepoint is set behind it, for the work.
     *
     * @return the verdict; empty if another open transaction holds this key
     */
    Optional<Verdict> acquire(Command command);

    /** Undoes all changes since the claim was acquired. The transaction goes on. */
    void undoWork();

    /**
     * Settles the acquired claim and keeps the changes since. Fails if the work has ended the transaction. A store that commits
     * the transaction itself may do so, and settle, only with that commit.
     *
     * @return false if the claim no longer exists in the transaction
     * @throws dev.semel.claim.StoreException of kind REJECTED if the result is too large; the transaction goes on
     */
    boolean settle(Command.Settle settlement);
}
