// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.claim.StoreException;
import dev.semel.claim.StoredResult;
import dev.semel.spi.Command;
import dev.semel.spi.OpenTransaction;
import dev.semel.spi.Verdict;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.Optional;

/** A connection on which the caller has begun a transaction. */
final class JdbcTransaction implements OpenTransaction {
    private final Connection connection;
    private final TransactionDialect dialect;
    private final AliasedTransactionalClaims aliased;
    private final int largestResult;

    JdbcTransaction(
            Connection connection, TransactionDialect dialect, AliasedTransactionalClaims aliased, int largestResult) {
        this.connection = connection;
        this.dialect = dialect;
        this.aliased = aliased;
        this.largestResult = largestResult;
    }

    @Override
    public Optional<Verdict> acquire(Command command) {
        return translated(() ->
                command instanceof Command.Insert insert ? inserted(insert) : dialect.acquire(connection, command));
    }

    /**
     * A key with one digest and no pointer row needs one statement. Everything else goes through {@link
     * AliasedTransactionalClaims}.
     */
    private Optional<Verdict> inserted(Command.Insert insert) throws SQLException {
        if (insert.aliases().isEmpty()) {
            Optional<Verdict> verdict = dialect.acquire(connection, insert);
            boolean leadsElsewhere = verdict.isPresent()
                    && verdict.get() instanceof Verdict.Refused refused
                    && refused.claim() != null
                    && refused.claim().aliasOf() != null;
            if (!leadsElsewhere) {
                return verdict;
            }
        }
        return aliased.acquireAlone(connection, insert);
    }

    @Override
    public boolean settle(Command.Settle settlement) {
        StoredResult result = settlement.result();
        if (result != null && result.size() > largestResult) {
            // Checked before sending: a failed statement would abort the transaction.
            throw new StoreException(
                    StoreException.Kind.REJECTED,
                    "The result has %d bytes, but this database accepts at most %d in one statement"
                            .formatted(result.size(), largestResult));
        }
        return translated(() -> dialect.settle(connection, settlement));
    }

    @Override
    public Mark mark() {
        Savepoint savepoint = translated(connection::setSavepoint);
        return new Mark() {
            @Override
            public void undo() {
                translated(() -> {
                    connection.rollback(savepoint);
                    return savepoint;
                });
            }

            @Override
            public void keep() {
                translated(() -> {
                    connection.releaseSavepoint(savepoint);
                    return savepoint;
                });
            }
        };
    }

    private static <R> R translated(Statements<R> statements) {
        try {
            return statements.run();
        } catch (SQLException e) {
            throw TransactionAbortedException.of(e);
        }
    }

    private interface Statements<R> {
        R run() throws SQLException;
    }
}
