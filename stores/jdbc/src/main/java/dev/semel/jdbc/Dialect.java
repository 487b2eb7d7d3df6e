// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.claim.SweepReport;
import dev.semel.jdbc.sql.Connections;
import dev.semel.jdbc.sql.Database;
import dev.semel.jdbc.sql.Transaction;
import dev.semel.jdbc.sql.TransactionBounds;
import dev.semel.spi.ClaimStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** Executes what {@link JdbcClaimStore} asks on one kind of database, in as few round trips as possible. */
interface Dialect extends AliasStatements {
    /** A transaction may be idle for this many statement timeouts. */
    int IDLE = 2;

    Database database();

    /** The folder of the schema files. */
    String folder();

    /** Whether the database is reached over a network, which can fail silently. */
    boolean hasNetwork();

    /** As {@link ClaimStore#commitsInsertsApart}. */
    default boolean commitsInsertsApart() {
        return false;
    }

    /**
     * Rejects sessions whose reads may miss what another server of the same database has confirmed.
     *
     * @throws dev.semel.claim.StoreException with what to set
     */
    default void requireConsistentReads(Connection connection) throws SQLException {}

    /** The maximum number of bytes of a result that this server accepts in one statement. */
    int largestResult(Connection connection) throws SQLException;

    /**
     * Applies a batch and commits it. The connection is in auto-commit mode before and after. Results that a statement
     * does not return are read afterwards, in a separate statement. A batch that waits for a lock longer than {@link
     * CommandBatch#lockWait()} fails as busy.
     */
    void apply(Connection connection, CommandBatch batch, Duration statementTimeout) throws SQLException;

    /** Runs the work in one transaction, in which each statement sees earlier commits of others. */
    default <R> R inTransaction(Connection connection, Connections.Work<R> work, Duration statementTimeout)
            throws SQLException {
        return Transaction.run(connection, bounds(statementTimeout.dividedBy(2), statementTimeout), work);
    }

    /** Limits of a transaction with several statements that each have this timeout. */
    default TransactionBounds bounds(Duration lockWait, Duration statementTimeout) {
        return TransactionBounds.of(database(), lockWait, statementTimeout.multipliedBy(IDLE));
    }

    /**
     * Runs one sweep of limited size and commits it. It reads rows whose {@code due_at} has passed. That time is never
     * later than the first moment at which the row needs work: the TTL after the claim was made or taken over. Rows
     * that are not finished then, or are parked, are postponed.
     */
    SweepReport sweep(Connection connection, int limit, Duration statementTimeout) throws SQLException;

    /**
     * The pointers, to search them by {@code alias_of}: a table, or a query in brackets, with the columns {@code key_hash}, {@code
     * claim_nonce}, {@code secret_id} and {@code alias_of}.
     */
    default String pointers() {
        return "idempotency_keys";
    }

    /**
     * Deletes what else is stored about pointers, in the transaction that has deleted these rows. A row that stayed is locked by
     * it.
     */
    default void forgetPointers(Connection connection, List<ClaimParameters> rows) throws SQLException {}

    /** Whether a column is exactly a text, such as {@code :tenant}. A further condition would mislead PostgreSQL's planner. */
    default String sameText(String column, String text) {
        return column + " = " + text;
    }

    /** The clause that makes a query lock its rows and skip rows that others have locked. */
    default String skippingLocked() {
        return "FOR UPDATE SKIP LOCKED";
    }

    /** The current time as an SQL expression that can be compared with columns. */
    String now();

    /** The time at which a row of this table or alias expires, as an SQL expression; null if it does not expire. */
    String expires(String table);

    /** A parameter with the name of a status, as an SQL expression that can be stored in a row. */
    default String statusParameter(String name) {
        return ":" + name;
    }

    /** A column's microseconds since 1970, as an SQL expression. */
    String microsOf(String column);

    /** The time that is this many microseconds after 1970, as an SQL expression. */
    String ofMicros(String parameter);

    /** The current time in microseconds since 1970, as an SQL expression. */
    String nowInMicros();

    /** A parameter with the 16 bytes of an id, as an SQL expression that can be compared with a column. */
    default String idParameter(String name) {
        return ":" + name;
    }

    /** The end of an insert that adds its number to that of an existing row. */
    default String addingTo(String table, String key, String column) {
        return "ON CONFLICT (%2$s) DO UPDATE SET %3$s = %1$s.%3$s + excluded.%3$s".formatted(table, key, column);
    }

    /** The end of an insert that does nothing if a row with this key exists. */
    default String ignoringDuplicates(String key) {
        return "ON CONFLICT (" + key + ") DO NOTHING";
    }

    /** Whether a statement of a migration failed only because an interrupted migration had already applied it. */
    default boolean wasAlreadyApplied(SQLException failure) {
        return false;
    }

    /** Runs the migration under a lock that one process at a time can hold. */
    void migrating(Connection connection, MigrationSteps steps) throws SQLException;

    /** The statements that run under the lock. */
    interface MigrationSteps {
        void run() throws SQLException;
    }
}
