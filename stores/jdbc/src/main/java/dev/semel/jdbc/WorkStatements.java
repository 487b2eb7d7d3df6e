// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.spi.Command;
import dev.semel.spi.Verdict;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The statements before and after the work of one claim, in its transaction. Each of them is a round trip of its own. */
class WorkStatements {
    private final Connection connection;
    private final TransactionDialect dialect;
    private @Nullable Savepoint savepoint;

    WorkStatements(Connection connection, TransactionDialect dialect) {
        this.connection = connection;
        this.dialect = dialect;
    }

    /** As {@link TransactionDialect#acquire}. May also set the savepoint of the work behind the claim. */
    Optional<Verdict> acquire(Command command) throws SQLException {
        return dialect.acquire(connection, command);
    }

    /** Sets the savepoint of the work behind the claim, unless it is set. */
    void ensureSavepoint() throws SQLException {
        savepoint = connection.setSavepoint();
    }

    /** Undoes the changes of the work. */
    void undo() throws SQLException {
        connection.rollback(Objects.requireNonNull(savepoint, "No claim was acquired"));
        savepoint = null;
    }

    /**
     * Keeps the changes of the work and settles the claim. Fails if the work has ended the transaction. Returns whether the
     * claim was found.
     */
    boolean settle(Command.Settle settlement) throws SQLException {
        if (savepoint != null) {
            connection.releaseSavepoint(savepoint);
            savepoint = null;
        }
        return dialect.settle(connection, settlement);
    }

    /**
     * Settles and commits. Returns false if the claim was not found, so that nothing was committed.
     *
     * @throws SQLException if the commit failed, or its outcome is unknown
     * @throws TransactionAbortedException if the transaction failed before the commit
     */
    boolean settleAndCommit(Command.Settle settlement) throws SQLException {
        boolean settled;
        try {
            settled = settle(settlement);
        } catch (SQLException e) {
            throw TransactionAbortedException.of(e);
        }
        if (settled) {
            connection.commit();
        }
        return settled;
    }
}
