// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.spi.Command;
import dev.semel.spi.OpenTransaction;
import dev.semel.spi.Verdict;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.Optional;

/** A short transaction of this module on a claim that the engine also writes. It never waits for the engine's locks. */
final class LeasedTransaction implements OpenTransaction {
    private final Connection connection;
    private final JdbcTransaction transaction;
    private final TransactionDialect dialect;

    LeasedTransaction(Connection connection, JdbcTransaction transaction, TransactionDialect dialect) {
        this.connection = connection;
        this.transaction = transaction;
        this.dialect = dialect;
    }

    @Override
    public Optional<Verdict> acquire(Command command) {
        return JdbcTransaction.translated(() -> {
            Savepoint before = connection.setSavepoint();
            Optional<Verdict> verdict;
            try {
                verdict = dialect.withoutWaiting(
                        connection,
                        unwaiting -> transaction.acquired(command, alone -> dialect.acquire(unwaiting, alone)));
            } catch (SQLException e) {
                if (!dialect.isTaken(e)) {
                    throw e;
                }
                connection.rollback(before);
                return Optional.empty();
            }
            connection.releaseSavepoint(before);
            return transaction.withSavepoint(verdict);
        });
    }

    @Override
    public void undoWork() {
        transaction.undoWork();
    }

    @Override
    public boolean settle(Command.Settle settlement) {
        return transaction.settle(settlement);
    }
}
