// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

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
final class Transactions {
    private static final Logger LOG = LoggerFactory.getLogger(JdbcClaimStore.class);
    private static final int TRIES = 3;

    private final DataSource dataSource;
    private final Dialect dialect;
    private final Duration statementTimeout;

    Transactions(DataSource dataSource, Dialect dialect, Duration statementTimeout) {
        this.dataSource = dataSource;
        this.dialect = dialect;
        this.statementTimeout = statementTimeout;
    }

    /** In one transaction; the answer is given after its commit. */
    <R> R write(Work<R> work) {
        return repeated(connection -> {
            connection.setAutoCommit(false);
            try {
                dialect.begin(connection, statementTimeout);
                R result = work.run(connection);
                connection.commit();
                return result;
            } catch (SQLException | RuntimeException e) {
                rollBack(connection, e);
                throw e;
            } finally {
                restore(connection);
            }
        });
    }

    /** Statements that only read, each on its own. */
    <R> R read(Work<R> work) {
        return repeated(work);
    }

    private <R> R repeated(Work<R> work) {
        for (int attempt = 1; ; attempt++) {
            try {
                return once(work);
            } catch (SQLException e) {
                StoreException failure = SqlFailures.translate(e);
                if (failure.kind() != StoreException.Kind.BUSY || attempt == TRIES) {
                    throw failure;
                }
                long micros = ThreadLocalRandom.current().nextLong(1_000, 5_000L << attempt);
                LockSupport.parkNanos(micros * 1_000);
            }
        }
    }

    private <R> R once(Work<R> work) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            int before = dialect.hasNetwork() ? connection.getNetworkTimeout() : 0;
            try {
                if (dialect.hasNetwork()) {
                    // Longer than any statement may take: only a silent network gets here.
                    int silence = (int) statementTimeout.plusSeconds(1).toMillis();
                    connection.setNetworkTimeout(Runnable::run, silence);
                }
                return work.run(connection);
            } finally {
                if (dialect.hasNetwork() && !connection.isClosed()) {
                    connection.setNetworkTimeout(Runnable::run, before);
                }
            }
        }
    }

    private static void rollBack(Connection connection, Exception because) {
        try {
            connection.rollback();
        } catch (SQLException e) {
            because.addSuppressed(e);
        }
    }

    /** After a commit a failure here must not look like one of the commit; the pool will find the connection dead. */
    private static void restore(Connection connection) {
        try {
            connection.setAutoCommit(true);
        } catch (SQLException e) {
            LOG.debug("A connection could not be restored after its transaction", e);
        }
    }

    /** What is done with a connection. */
    interface Work<R> {
        R run(Connection connection) throws SQLException;
    }
}
