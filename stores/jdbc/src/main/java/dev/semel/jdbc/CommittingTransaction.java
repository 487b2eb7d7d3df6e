// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.TransactionProtocol;
import dev.semel.spi.Command;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** A transaction that Semel commits. Its claim is settled together with the commit, in one round trip on PostgreSQL. */
final class CommittingTransaction extends JdbcTransaction {
    private Command.@Nullable Settle settlement;

    CommittingTransaction(
            Connection connection, WorkStatements statements, AliasedTransactionalClaims aliased, int largestResult) {
        super(connection, statements, aliased, largestResult);
    }

    /** Remembers the settlement for {@link #commit}. */
    @Override
    public boolean settle(Command.Settle settled) {
        requireAccepted(settled);
        requireOpen();
        settlement = settled;
        return true;
    }

    /**
     * Settles the claim, if one was acquired, and commits.
     *
     * @throws SQLException if the commit failed, or its outcome is unknown
     * @throws TransactionAbortedException if the transaction failed before the commit
     * @throws IllegalStateException if the claim was not found, so that nothing was committed
     */
    void commit() throws SQLException {
        if (settlement == null) {
            connection().commit();
        } else if (!statements().settleAndCommit(settlement)) {
            throw TransactionProtocol.claimLost();
        }
    }
}
