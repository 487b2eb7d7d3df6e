// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.jdbc.sql.ArraySql;
import dev.semel.spi.Command;
import dev.semel.spi.Verdict;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;

/**
 * PostgreSQL: the savepoint of the work is set in the round trip of the claim, and released in that of the settlement, which
 * also commits Semel's own transactions. After a statement that fails, the server executes none of those sent with it.
 *
 * <p>All savepoints have the same name, because the texts of the statements are then the same. The name means the last one that
 * was set, so a claim inside the work of another one has a savepoint of another name ({@link TransactionDialect.Stage#NESTED}): if
 * its settlement fails, it is not released, and the work around it is still undone to its own.
 */
final class PostgresWork extends WorkStatements {
    private static final String SAVEPOINT = "SAVEPOINT semel_work";
    private static final String RELEASE = "RELEASE SAVEPOINT semel_work";
    private static final String UNDO = "ROLLBACK TO SAVEPOINT semel_work";

    private static final ArraySql CLAIM = PostgresTransactions.CLAIM.followedBy(SAVEPOINT);
    private static final ArraySql BEGIN_AND_CLAIM = CLAIM.after("BEGIN");
    private static final ArraySql SETTLE = PostgresSql.SETTLE_COUNTED.after(RELEASE);
    private static final ArraySql SETTLE_AND_COMMIT =
            PostgresSql.SETTLE_OR_FAIL.after(RELEASE).followedBy("COMMIT");

    private static final String UNKNOWN_SETTING = "42704";

    private final Connection connection;
    private final PostgresTransactions transactions;
    private final boolean releasesAtOnce;
    private boolean begun;
    private boolean hasSavepoint;

    PostgresWork(Connection connection, PostgresTransactions transactions, TransactionDialect.Stage stage) {
        super(connection, transactions);
        this.connection = connection;
        this.transactions = transactions;
        this.begun = stage == TransactionDialect.Stage.BEGUN;
        // In a fresh transaction of Semel nothing but the claim uses it, so it may stay.
        this.releasesAtOnce = begun;
    }

    @Override
    Optional<Verdict> acquire(Command command) throws SQLException {
        if (!(command instanceof Command.Insert insert)) {
            return super.acquire(command);
        }
        Optional<Verdict> applied = begun || connection.isReadOnly()
                ? PostgresTransactions.inserted(connection, CLAIM, insert)
                : insertedFirst(insert);
        begun = true;
        hasSavepoint = applied.isPresent();
        if (hasSavepoint) {
            return applied;
        }
        if (releasesAtOnce) {
            execute(RELEASE);
        }
        return transactions.refused(connection, insert);
    }

    /**
     * Begins the transaction, too. Auto-commit is on meanwhile, because the driver would send BEGIN as a message that the server
     * answers before it reads the next one: that answer wakes this thread once more. Nothing was sent, so nothing is committed.
     */
    private Optional<Verdict> insertedFirst(Command.Insert insert) throws SQLException {
        connection.setAutoCommit(true);
        Optional<Verdict> applied;
        try {
            applied = PostgresTransactions.inserted(connection, BEGIN_AND_CLAIM, insert);
        } catch (SQLException | RuntimeException e) {
            try {
                connection.setAutoCommit(false);
            } catch (SQLException broken) {
                e.addSuppressed(broken);
            }
            throw e;
        }
        connection.setAutoCommit(false);
        return applied;
    }

    @Override
    void ensureSavepoint() throws SQLException {
        if (!hasSavepoint) {
            execute(SAVEPOINT);
            hasSavepoint = true;
        }
    }

    @Override
    void undo() throws SQLException {
        execute(UNDO);
    }

    @Override
    boolean settle(Command.Settle settlement) throws SQLException {
        try (PreparedStatement statement = SETTLE.prepareOne(connection, ClaimParameters.of(settlement))) {
            statement.execute();
            statement.getMoreResults();
            return statement.getUpdateCount() == 1;
        }
    }

    @Override
    boolean settleAndCommit(Command.Settle settlement) throws SQLException {
        try (PreparedStatement statement = SETTLE_AND_COMMIT.prepareOne(connection, ClaimParameters.of(settlement))) {
            statement.execute();
            return true;
        } catch (SQLException e) {
            if (isClaimLost(e)) {
                return false;
            }
            if (TransactionAbortedException.isEarlier(e) || isStillOpen()) {
                throw TransactionAbortedException.of(e);
            }
            throw e;
        }
    }

    /** By the SQLState, too: messages of constraints contain data, which may be anything. */
    private static boolean isClaimLost(SQLException failure) {
        String message = failure.getMessage();
        return UNKNOWN_SETTING.equals(failure.getSQLState())
                && message != null
                && message.contains(PostgresSql.CLAIM_LOST);
    }

    /** Whether the transaction has failed and waits for its rollback. A commit, also one that fails, ends it. */
    private boolean isStillOpen() {
        try {
            execute("SELECT");
            return false;
        } catch (SQLException e) {
            return TransactionAbortedException.isEarlier(e);
        }
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
