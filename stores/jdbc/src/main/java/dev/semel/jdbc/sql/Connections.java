// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc.sql;

import dev.semel.lane.Backoff;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Borrows connections and returns them unchanged. Retries work that was rolled back because of other transactions
 * (deadlocks, lock timeouts, serialization failures), with jitter and up to a maximum number of attempts.
 */
public final class Connections {
    private static final Logger LOG = LoggerFactory.getLogger(Connections.class);
    private static final int TRIES = 3;

    /** If these are used up, the whole batch fails and not only one of its commands, because the outcome is unknown. */
    private static final int COMMIT_TRIES = 12;

    private static final long FIRST_PAUSE_NANOS = 2_500_000;

    private final DataSource dataSource;
    private final boolean hasNetwork;
    private final Duration statementTimeout;

    public Connections(DataSource dataSource, boolean hasNetwork, Duration statementTimeout) {
        this.dataSource = dataSource;
        this.hasNetwork = hasNetwork;
        this.statementTimeout = statementTimeout;
    }

    /** Runs the work on a connection in auto-commit mode, and retries it after conflicts. */
    public <R> R run(Work<R> work) {
        return run(TRIES, work);
    }

    /** As {@link #run(Work)}, with another maximum number of attempts. */
    public <R> R run(int tries, Work<R> work) {
        for (int attempt = 1; ; attempt++) {
            try {
                return once(work);
            } catch (SQLException e) {
                int most = SqlFailures.hasFailedCommit(e) ? Math.max(tries, COMMIT_TRIES) : tries;
                if (!SqlFailures.isSentAgain(e) || attempt >= most) {
                    throw SqlFailures.translate(e);
                }
                LockSupport.parkNanos(Backoff.afterAttempt(attempt, FIRST_PAUSE_NANOS));
            }
        }
    }

    private <R> R once(Work<R> work) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            try {
                return inAutoCommit(connection, fresh -> hasNetwork ? bounded(fresh, work) : work.run(fresh));
            } catch (SQLException e) {
                dropIfStranded(connection, e);
                throw e;
            }
        }
    }

    /**
     * Closes a connection that is of no more use, although its pool may not notice: to a server that accepts no writes, such as a
     * former primary; or one that the driver reports as broken. The pool then opens another one, which may lead to the new primary.
     */
    public static void dropIfStranded(Connection connection, @Nullable Throwable failure) {
        if (!(failure instanceof SQLException known)
                || !(SqlFailures.isStranded(known) || SqlFailures.isDriversOwn(known))) {
            return;
        }
        LOG.debug("Connection dropped, so that another one is opened", known);
        TransactionBounds.abort(connection);
        try {
            // With several hosts in its URL, MariaDB's driver does not count an aborted connection as closed.
            connection.unwrap(Connection.class).close();
            // HikariCP drops a connection that has reported SQLState 08, as this does. Otherwise it would lend it
            // again.
            connection.clearWarnings();
        } catch (SQLException | RuntimeException expected) {
            LOG.trace("The dropped connection is closed", expected);
        }
    }

    /**
     * Runs the work in auto-commit mode on a connection that was just borrowed.
     *
     * @throws IllegalStateException if the connection may be in a transaction, which would be committed
     */
    public static <R> R inAutoCommit(Connection connection, Work<R> work) throws SQLException {
        if (connection.getAutoCommit()) {
            return work.run(connection);
        }
        BorrowedConnectionCheck.requireIdle(connection);
        connection.setAutoCommit(true);
        try {
            return work.run(connection);
        } finally {
            restore(connection, () -> connection.setAutoCommit(false));
        }
    }

    private <R> R bounded(Connection connection, Work<R> work) throws SQLException {
        int before = connection.getNetworkTimeout();
        try {
            // Longer than any statement may take, so only a silent network exceeds it.
            int silence = (int) statementTimeout.plusSeconds(1).toMillis();
            connection.setNetworkTimeout(Runnable::run, silence);
            return work.run(connection);
        } finally {
            restore(connection, () -> connection.setNetworkTimeout(Runnable::run, before));
        }
    }

    /** Never throws, so that it neither hides the work's failure nor turns a committed transaction into a failure. */
    private static void restore(Connection connection, Restoring restoring) {
        try {
            if (!connection.isClosed()) {
                restoring.run();
            }
        } catch (SQLException e) {
            LOG.debug("Connection aborted because it could not be restored", e);
            TransactionBounds.abort(connection);
        }
    }

    private interface Restoring {
        void run() throws SQLException;
    }

    /** Work on a connection. */
    public interface Work<R> {
        R run(Connection connection) throws SQLException;
    }
}
