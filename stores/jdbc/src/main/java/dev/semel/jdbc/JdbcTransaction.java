// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.claim.StoreException;
import dev.semel.claim.StoredResult;
import dev.semel.spi.Command;
import dev.semel.spi.OpenTransaction;
import dev.semel.spi.Verdict;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/** A connection on which the caller has begun a transaction. */
class JdbcTransaction implements OpenTransaction {
    private final Connection connection;
    private final WorkStatements statements;
    private final AliasedTransactionalClaims aliased;
    private final int largestResult;

    JdbcTransaction(
            Connection connection, WorkStatements statements, AliasedTransactionalClaims aliased, int largestResult) {
        this.connection = connection;
        this.statements = statements;
        this.aliased = aliased;
        this.largestResult = largestResult;
    }

    Connection connection() {
        return connection;
    }

    @Override
    public Optional<Verdict> acquire(Command command) {
        return translated(() -> withSavepoint(acquired(command, statements::acquire)));
    }

    /**
     * A key with one digest and no pointer row needs one statement. Everything else goes through {@link
     * AliasedTransactionalClaims}. The savepoint of the work may be missing.
     */
    final Optional<Verdict> acquired(Command command, Acquiring alone) throws SQLException {
        if (!(command instanceof Command.Insert insert)) {
            return alone.acquire(command);
        }
        if (insert.aliases().isEmpty()) {
            Optional<Verdict> verdict = alone.acquire(insert);
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

    /** Sets the savepoint of the work if the claim is acquired. */
    final Optional<Verdict> withSavepoint(Optional<Verdict> verdict) throws SQLException {
        if (verdict.isPresent() && verdict.get() instanceof Verdict.Applied) {
            statements.ensureSavepoint();
        }
        return verdict;
    }

    @Override
    public void undoWork() {
        translated(() -> {
            statements.undo();
            return true;
        });
    }

    @Override
    public boolean settle(Command.Settle settlement) {
        requireAccepted(settlement);
        requireOpen();
        return translated(() -> statements.settle(settlement));
    }

    /** Checks the size before the settlement is sent: a failed statement would abort the transaction. */
    final void requireAccepted(Command.Settle settlement) {
        StoredResult result = settlement.result();
        if (result != null && result.size() > largestResult) {
            throw new StoreException(
                    StoreException.Kind.REJECTED,
                    "The result has %d bytes, but this database accepts at most %d in one statement"
                            .formatted(result.size(), largestResult));
        }
    }

    /** Checks that the work has left the transaction open. Asks only the driver. */
    final void requireOpen() {
        translated(() -> {
            if (connection.isClosed()) {
                throw TransactionAbortedException.closed(null);
            }
            if (connection.getAutoCommit()) {
                throw TransactionAbortedException.ended(null);
            }
            return true;
        });
    }

    final WorkStatements statements() {
        return statements;
    }

    static <R> R translated(Statements<R> statements) {
        try {
            return statements.run();
        } catch (SQLException e) {
            throw TransactionAbortedException.of(e);
        }
    }

    interface Statements<R> {
        R run() throws SQLException;
    }

    /** Acquires a claim with one digest. */
    interface Acquiring {
        Optional<Verdict> acquire(Command command) throws SQLException;
    }
}
