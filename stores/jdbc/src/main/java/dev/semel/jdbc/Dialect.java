// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Command;
import dev.semel.claim.Snapshot;
import dev.semel.claim.SweepReport;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * How one kind of database does what {@link JdbcClaimStore} asks. Commands come sorted by digest, with at most one a
 * claim. What a statement leaves behind is put into {@code seen}; what it does not tell, the store reads afterwards.
 */
interface Dialect {
    /** The folder of its schema files. */
    String folder();

    /** Whether there is a network in between that can fall silent. */
    boolean hasNetwork();

    /** The most bytes of a result that this server takes in one statement. */
    int largestResult(Connection connection) throws SQLException;

    /** Opens a transaction in which each statement sees what was committed before it, with bounded waits. */
    void begin(Connection connection, Duration statementTimeout) throws SQLException;

    void insert(Connection connection, List<Command.Insert> inserts, Map<ClaimRef, Snapshot> seen) throws SQLException;

    void takeOver(Connection connection, List<Command.TakeOver> takeOvers, Map<ClaimRef, Snapshot> seen)
            throws SQLException;

    void renew(Connection connection, List<Command.Renew> renewals, Map<ClaimRef, Snapshot> seen) throws SQLException;

    void settle(Connection connection, List<Command.Settle> settlements, Map<ClaimRef, Snapshot> seen)
            throws SQLException;

    void read(Connection connection, Collection<ClaimRef> refs, Map<ClaimRef, Snapshot> seen) throws SQLException;

    SweepReport sweep(Connection connection, int limit) throws SQLException;

    /** For {@link Browsing}: one claim, by {@code :key_hash} and {@code :tenant}. */
    NamedSql findStatement();

    /** A tenant's claims in one state, newest first, from behind a position. */
    NamedSql pageStatement();

    /** How many claims a tenant has, by state. */
    NamedSql countStatement();

    /** Runs the migration under a lock that only one process at a time can have. */
    void migrating(Connection connection, MigrationSteps steps) throws SQLException;

    /** What is done under that lock. */
    interface MigrationSteps {
        void run() throws SQLException;
    }
}
