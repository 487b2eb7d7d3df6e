// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.claim.SweepReport;
import dev.semel.jdbc.sql.Connections;
import dev.semel.jdbc.sql.Database;
import dev.semel.jdbc.sql.Transaction;
import dev.semel.jdbc.sql.TransactionBounds;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/** How one kind of database does what {@link JdbcClaimStore} asks, in as few round trips as it can. */
interface Dialect extends AliasStatements {
    /** How many times as long as a statement may take a transaction may idle. */
    int IDLE = 2;

    Database database();

    /** The folder of its schema files. */
    String folder();

    /** Whether there is a network in between that can fall silent. */
    boolean hasNetwork();

    /** The most bytes of a result that this server takes in one statement. */
    int largestResult(Connection connection) throws SQLException;

    /**
     * Applies a batch and commits it; the connection comes with auto-commit on and leaves so. Whatever a statement does
     * not tell is read afterwards, in a statement of its own. A batch that meets somebody else's lock for longer than
     * {@link Batch#lockWait()} fails as busy.
     */
    void apply(Connection connection, Batch batch, Duration statementTimeout) throws SQLException;

    /** One commit, each of whose statements sees what others have committed before it. */
    default <R> R inTransaction(Connection connection, Connections.Work<R> work, Duration statementTimeout)
            throws SQLException {
        return Transaction.run(connection, bounds(statementTimeout.dividedBy(2), statementTimeout), work);
    }

    /** Bounds for a transaction of several statements, each of which may take so long. */
    default TransactionBounds bounds(Duration lockWait, Duration statementTimeout) {
        return TransactionBounds.of(database(), lockWait, statementTimeout.multipliedBy(IDLE));
    }

    /**
     * One bounded sweep, committed. It looks at rows whose {@code due_at} has come, which is never later than the moment
     * from which there is something to do: a claim's TTL after it was made or taken over. Those that ran for a while, or
     * wait for a person, are put off.
     */
    SweepReport sweep(Connection connection, int limit, Duration statementTimeout) throws SQLException;

    /** What a join by {@code alias_of} needs to be told so that it uses the index; follows the table's name. */
    default String byAliasIndex() {
        return "";
    }

    /** What makes a query lock what it finds, and leave out what others have locked. */
    default String skippingLocked() {
        return "FOR UPDATE SKIP LOCKED";
    }

    /** The clock's moment, as an expression that {@code expires_at} is compared with. */
    String now();

    /** A moment's microseconds since 1970, as an expression. */
    String microsOf(String column);

    /** The moment so many microseconds after 1970, as an expression. */
    String ofMicros(String parameter);

    /** The clock's microseconds since 1970, as an expression. */
    String nowInMicros();

    /** Whether a statement of a migration failed only because an interrupted migration had already run it. */
    default boolean wasThere(SQLException failure) {
        return false;
    }

    /** Runs the migration under a lock that only one process at a time can have. */
    void migrating(Connection connection, MigrationSteps steps) throws SQLException;

    /** What is done under that lock. */
    interface MigrationSteps {
        void run() throws SQLException;
    }
}
