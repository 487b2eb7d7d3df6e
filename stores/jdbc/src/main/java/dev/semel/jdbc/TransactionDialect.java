// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.StoreException;
import dev.semel.jdbc.sql.Connections;
import dev.semel.jdbc.sql.TransactionBounds;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import dev.semel.spi.Verdict;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Claims inside an open transaction on one kind of database. It never waits for other transactions, on MySQL never longer than
 * a second, and never ends this one.
 */
interface TransactionDialect {
    /**
     * Returns the transaction dialect for a dialect.
     *
     * @throws StoreException if this server does not support claims inside a transaction
     */
    static TransactionDialect of(Dialect dialect, Connection connection) throws SQLException {
        if (dialect instanceof PostgresDialect postgres) {
            return new PostgresTransactions(postgres);
        }
        if (dialect instanceof MySqlDialect mySql) {
            return MySqlTransactions.on(mySql, connection);
        }
        if (dialect instanceof MariaDbDialect mariaDb) {
            return MariaDbTransactions.on(mariaDb, connection);
        }
        if (dialect instanceof SqliteDialect sqlite) {
            return new SqliteTransactions(sqlite);
        }
        throw new StoreException(
                StoreException.Kind.REJECTED,
                "Claims inside a transaction are not supported on this database: use PostgreSQL, MariaDB, MySQL or SQLite");
    }

    /**
     * Inserts a claim with one digest, or takes one over. Empty if another open transaction holds this key. If the
     * verdict is refused by a pointer row, {@link AliasedTransactionalClaims} continues.
     */
    Optional<Verdict> acquire(Connection connection, Command command) throws SQLException;

    /** What was sent in a transaction before its claim. */
    enum Stage {
        /** Nothing: it is Semel's own, and auto-commit was switched off. */
        FRESH,
        /** Other statements, perhaps: it is the caller's, or has bounds. */
        BEGUN,
        /** The claim of work that goes on afterwards. Its savepoint must be another one. */
        NESTED
    }

    /** The statements before and after the work of one claim in a transaction. */
    default WorkStatements workOn(Connection connection, Stage stage) {
        return new WorkStatements(connection, this);
    }

    /** The statements for claims with several digests. None of them waits for another transaction. */
    AliasStatements aliasStatements();

    /**
     * Locks these digests until the transaction ends or is rolled back to an earlier savepoint. False if another
     * transaction holds one of them. Databases that can only lock rows do so when they write them ({@link #isTaken}).
     */
    default boolean lock(Connection connection, List<ClaimRef> refs) throws SQLException {
        return true;
    }

    /** Whether a statement failed because another open transaction holds its row, and undid only itself. */
    default boolean isTaken(SQLException failure) {
        return false;
    }

    /**
     * Runs statements on rows that the engine also writes. A statement that would wait for a lock fails, and {@link
     * #isTaken} recognizes that failure. On PostgreSQL the failure undoes everything after the last savepoint.
     */
    default <R> R withoutWaiting(Connection connection, Connections.Work<R> work) throws SQLException {
        return work.run(connection);
    }

    /** Reads the latest committed version of existing rows, even if this transaction's snapshot is older. */
    default void readLatest(Connection connection, Collection<ClaimRef> refs, int largest, Map<ClaimRef, Snapshot> seen)
            throws SQLException {
        aliasStatements().read(connection, refs, largest, seen);
    }

    /** Returns whether the claim was found and settled. */
    boolean settle(Connection connection, Command.Settle settlement) throws SQLException;

    /** How long a group's transaction waits for a lock of the effect, and how long it may be idle. */
    Duration GROUP_BOUND = Duration.ofSeconds(10);

    /** Bounds and isolation level of a group's transaction. */
    TransactionBounds bounds();

    /** As {@link #bounds}, without those that {@link #insertSettled} sets itself, for a transaction that begins with it. */
    default TransactionBounds boundsBeforeInserts() {
        return bounds();
    }

    /** Inserts claims that are already settled. They take effect with the commit. Returns those that are new. */
    Set<ClaimRef> insertSettled(Connection connection, List<SettledClaim> claims) throws SQLException;
}
