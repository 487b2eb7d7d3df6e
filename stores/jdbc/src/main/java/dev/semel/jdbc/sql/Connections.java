// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc.sql;

import dev.semel.claim.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Borrows connections, and gives them back as they were. Repeats, a bounded number of times and with jitter, what was
 * rolled back because of others: deadlocks, lock time-outs, serialisation failures.
 */
public final class Connections {
    private static final Logger LOG = LoggerFactory.getLogger(Connections.class);
    private static final int TRIES = 3;

    private final DataSource dataSource;
    private final boolean hasNetwork;
    private final Duration statementTimeout;

    public Connections(DataSource dataSource, boolean hasNetwork, Duration statementTimeout) {
        this.dataSource = dataSource;
        this.hasNetwork = hasNetwork;
        this.statementTimeout = statementTimeout;
    }

    /** Does the work with a connection in auto-commit mode, again if it was in others' way. */
    public <R> R run(Work<R> work) {
        return run(TRIES, work);
    }

    /** As {@link #run(Work)}, with another number of tries. */
    public <R> R run(int tries, Work<R> work) {
        for (int attempt = 1; ; attempt++) {
            try {
                return once(work);
            } catch (SQLException e) {
                StoreException failure = SqlFailures.translate(e);
                if (failure.kind() != StoreException.Kind.BUSY || attempt == tries) {
                    throw failure;
                }
                long micros = ThreadLocalRandom.current().nextLong(1_000, 5_000L << attempt);
                LockSupport.parkNanos(micros * 1_000);
            }
        }
    }

    private <R> R once(Work<R> work) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            return inAutoCommit(connection, fresh -> hasNetwork ? bounded(fresh, work) : work.run(fresh));
        }
    }

    /**
     * Does the work in auto-commit mode on a connection that was just handed out.
     *
     * @throws IllegalStateException if the connection may be in the middle of a transaction, which would be committed
     */
    public static <R> R inAutoCommit(Connection connection, Work<R> work) throws SQLException {
        if (connection.getAutoCommit()) {
            return work.run(connection);
        }
        ForeignTransaction.refuse(connection);
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
            // Longer than any statement may take: only a silent network gets here.
            int silence = (int) statementTimeout.plusSeconds(1).toMillis();
            connection.setNetworkTimeout(Runnable::run, silence);
            return work.run(connection);
        } finally {
            restore(connection, () -> connection.setNetworkTimeout(Runnable::run, before));
        }
    }

    /** Never throws: it must neither hide the work's failure nor turn what is committed into a failure. */
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

    /** What is done with a connection. */
    public interface Work<R> {
        R run(Connection connection) throws SQLException;
    }
}
