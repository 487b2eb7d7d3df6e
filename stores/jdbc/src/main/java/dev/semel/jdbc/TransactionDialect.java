// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.claim.ClaimRef;
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

/** How one kind of database claims inside an open transaction: never waiting for another one, never ending this one. */
interface TransactionDialect {
    /**
     * The one that goes with a dialect.
     *
     * @throws dev.semel.claim.StoreException if this server cannot do it
     */
    static TransactionDialect of(Dialect dialect, Connection connection) throws SQLException {
        if (dialect instanceof PostgresDialect postgres) {
            return new PostgresTransactions(postgres);
        }
        if (dialect instanceof MariaDbDialect mariaDb) {
            return MariaDbTransactions.on(mariaDb, connection);
        }
        return new SqliteTransactions((SqliteDialect) dialect);
    }

    /**
     * Inserts under one name, or takes over; empty if another transaction that is still open is at this key. Refused with
     * a row that only leads to a record, it is {@link AliasedClaims} that goes on.
     */
    Optional<Verdict> acquire(Connection connection, Command command) throws SQLException;

    /** The statements for claims with several names; none of them waits for another transaction. */
    AliasStatements aliasStatements();

    /**
     * Locks these names until the transaction ends or is undone to a savepoint from before; false if another transaction
     * has one of them. Where there is nothing to lock but rows, writing them does it ({@link #isTaken}).
     */
    default boolean lock(Connection connection, List<ClaimRef> refs) throws SQLException {
        return true;
    }

    /** Whether a statement failed, and nothing else, because another transaction that is still open has its row. */
    default boolean isTaken(SQLException failure) {
        return false;
    }

    /**
     * Runs statements on rows that lanes write too, none of which waits for a lock: one that would have to fails, and {@link
     * #isTaken} says so. On PostgreSQL that failure undoes everything since the last savepoint.
     */
    default <R> R withoutWaiting(Connection connection, Connections.Work<R> work) throws SQLException {
        return work.run(connection);
    }

    /** Reads rows that are there as they are now, though this transaction's snapshot may be older. */
    default void readLatest(Connection connection, Collection<ClaimRef> refs, int largest, Map<ClaimRef, Snapshot> seen)
            throws SQLException {
        aliasStatements().read(connection, refs, largest, seen);
    }

    /** Whether the claim was there to be settled. */
    boolean settle(Connection connection, Command.Settle settlement) throws SQLException;

    /** How long a group's transaction waits for a lock of the effect, and how long it may idle. */
    Duration GROUP_BOUND = Duration.ofSeconds(10);

    /** Bounds and isolation of a group's transaction. */
    TransactionBounds bounds();

    /** Inserts claims that are done as soon as the transaction commits; says which of them are new. */
    Set<ClaimRef> insertDone(Connection connection, List<DoneClaim> claims) throws SQLException;
}
