// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Begins and ends Semel's own transactions with time limits that the server enforces: how long a statement waits for a
 * lock, and how long the transaction may be idle. Without them, a host that vanishes before its commit, without closing
 * its connection, could hold its locks for hours. Connections belong to the user's pool and are returned unchanged.
 *
 * <p>On PostgreSQL the limits end with the transaction. MariaDB and MySQL have no such setting, so session variables
 * are changed and restored. {@code wait_timeout} limits the idle time: it ends the session, and with it the transaction. MySQL
 * has no other timeout for idle transactions. There, the isolation level is such a variable too: statements that depend on it
 * can read the session's level, but not one that was set for a single transaction.
 */
public final class TransactionBounds {
    private static final Logger LOG = LoggerFactory.getLogger(TransactionBounds.class);

    private static final String READ_COMMITTED = "SET TRANSACTION ISOLATION LEVEL READ COMMITTED";

    private static final String POSTGRES = """
            SET LOCAL lock_timeout = %d; SET LOCAL idle_in_transaction_session_timeout = %d""";

    private static final String MARIADB = """
            SET @semel_lock_wait = @@SESSION.innodb_lock_wait_timeout, @semel_idle = @@SESSION.wait_timeout,
                SESSION innodb_lock_wait_timeout = %d, SESSION wait_timeout = %d""";

    private static final String MARIADB_RESTORE = """
            SET SESSION innodb_lock_wait_timeout = @semel_lock_wait, SESSION wait_timeout = @semel_idle""";

    private static final String MYSQL = """
            SET @semel_lock_wait = @@SESSION.innodb_lock_wait_timeout, @semel_idle = @@SESSION.wait_timeout,
                @semel_isolation = @@SESSION.transaction_isolation, SESSION innodb_lock_wait_timeout = %d,
                SESSION wait_timeout = %d, SESSION transaction_isolation = 'READ-COMMITTED'""";

    private static final String MYSQL_RESTORE = MARIADB_RESTORE + ", SESSION transaction_isolation = @semel_isolation";

    private static final TransactionBounds NONE = new TransactionBounds(List.of(), List.of(), List.of());

    private final List<String> before;
    private final List<String> first;
    private final List<String> after;

    private TransactionBounds(List<String> before, List<String> first, List<String> after) {
        this.before = before;
        this.first = first;
        this.after = after;
    }

    /** No limits, and the pool's isolation level. */
    public static TransactionBounds none() {
        return NONE;
    }

    /**
     * Transactions at READ COMMITTED, in which each statement sees earlier commits of others.
     *
     * @param lockWait how long a statement waits for a lock. MariaDB and MySQL count whole seconds, so at least one
     *     second there. Zero means no wait, except on MySQL, which then waits for one second
     * @param idle how long the client may send nothing; at least one second on MariaDB and MySQL
     */
    public static TransactionBounds of(Database database, Duration lockWait, Duration idle) {
        return switch (database) {
            case POSTGRESQL ->
                new TransactionBounds(List.of(), List.of(READ_COMMITTED + "; " + postgres(lockWait, idle)), List.of());
            case MARIADB ->
                new TransactionBounds(
                        List.of(
                                READ_COMMITTED,
                                MARIADB.formatted(lockWait.isZero() ? 0 : seconds(lockWait), seconds(idle))),
                        List.of(),
                        List.of(MARIADB_RESTORE));
            case MYSQL ->
                new TransactionBounds(
                        List.of(MYSQL.formatted(seconds(lockWait), seconds(idle))), List.of(), List.of(MYSQL_RESTORE));
            case SQLITE -> NONE;
        };
    }

    /** As {@link #of} on PostgreSQL, with the pool's isolation level. */
    public static TransactionBounds onPostgresKeepingIsolation(Duration lockWait, Duration idle) {
        return new TransactionBounds(List.of(), List.of(postgres(lockWait, idle)), List.of());
    }

    private static long seconds(Duration duration) {
        return Math.max(1, duration.toSeconds());
    }

    private static String postgres(Duration lockWait, Duration idle) {
        return POSTGRES.formatted(Math.max(1, lockWait.toMillis()), Math.max(1, idle.toMillis()));
    }

    /** Begins a transaction on a connection in auto-commit mode. Call {@link #end} even if this fails. */
    public void begin(Connection connection) throws SQLException {
        execute(connection, before);
        connection.setAutoCommit(false);
        execute(connection, first);
    }

    /**
     * Rolls back unless committed, and restores the connection. Never throws, so that it does not replace the caller's
     * result. A connection that cannot be restored is aborted, so that its open transaction is never committed.
     */
    public void end(Connection connection, boolean committed) {
        try {
            if (connection.isClosed()) {
                return;
            }
            // The work may have switched auto-commit on: there is nothing to roll back then, and drivers refuse to.
            if (!committed && !connection.getAutoCommit()) {
                connection.rollback();
            }
            connection.setAutoCommit(true);
            execute(connection, after);
        } catch (SQLException e) {
            LOG.debug("Connection aborted because it could not be restored after a transaction", e);
            abort(connection);
        }
    }

    static void abort(Connection connection) {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException e) {
            LOG.debug("Connection could not be aborted", e);
        }
    }

    /** Executes the statements as a batch, which drivers send together. */
    private static void execute(Connection connection, List<String> statements) throws SQLException {
        if (statements.isEmpty()) {
            return;
        }
        try (Statement statement = connection.createStatement()) {
            if (statements.size() == 1) {
                statement.execute(statements.get(0));
                return;
            }
            for (String sql : statements) {
                statement.addBatch(sql);
            }
            statement.executeBatch();
        }
    }
}
