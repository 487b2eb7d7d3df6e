// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc.sql;

import dev.semel.claim.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/**
 * Borrows connections, and gives them back as they were. Repeats, a bounded number of times and with jitter, what was
 * rolled back because of others: deadlocks, lock time-outs, serialisation failures.
 */
public final class Connections {
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
            boolean autoCommit = connection.getAutoCommit();
            if (!autoCommit) {
                connection.setAutoCommit(true);
            }
            int before = hasNetwork ? connection.getNetworkTimeout() : 0;
            try {
                if (hasNetwork) {
                    // Longer than any statement may take: only a silent network gets here.
                    int silence = (int) statementTimeout.plusSeconds(1).toMillis();
                    connection.setNetworkTimeout(Runnable::run, silence);
                }
                return work.run(connection);
            } finally {
                if (!connection.isClosed()) {
                    if (hasNetwork) {
                        connection.setNetworkTimeout(Runnable::run, before);
                    }
                    if (!autoCommit) {
                        connection.setAutoCommit(false);
                    }
                }
            }
        }
    }

    /** What is done with a connection. */
    public interface Work<R> {
        R run(Connection connection) throws SQLException;
    }
}
