// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.spi.Command;
import dev.semel.spi.OpenTransaction;
import dev.semel.spi.Verdict;
import java.sql.Connection;
import java.sql.SQLException;
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
        Mark before = transaction.mark();
        try {
            Optional<Verdict> verdict = dialect.withoutWaiting(connection, unwaiting -> transaction.acquire(command));
            before.keep();
            return verdict;
        } catch (SQLException e) {
            throw TransactionAbortedException.of(e);
        } catch (TransactionAbortedException e) {
            if (!(e.getCause() instanceof SQLException cause && dialect.isTaken(cause))) {
                throw e;
            }
            before.undo();
            return Optional.empty();
        }
    }

    @Override
    public boolean settle(Command.Settle settlement) {
        return transaction.settle(settlement);
    }

    @Override
    public Mark mark() {
        return transaction.mark();
    }
}
