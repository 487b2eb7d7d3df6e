// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Command;
import dev.semel.claim.Verdict;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
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
        return new SqliteTransactions();
    }

    /** Inserts or takes over; empty if another transaction that is still open is at this key. */
    Optional<Verdict> acquire(Connection connection, Command command) throws SQLException;

    /** Whether the claim was there to be settled. */
    boolean settle(Connection connection, Command.Settle settlement) throws SQLException;

    /** Sets the isolation of the transaction that begins next, if this database's default does not suit. */
    default void beforeBegin(Connection connection) throws SQLException {}

    /** Inserts claims that are done as soon as the transaction commits; says which of them are new. */
    Set<ClaimRef> insertDone(Connection connection, List<DoneClaim> claims) throws SQLException;
}
