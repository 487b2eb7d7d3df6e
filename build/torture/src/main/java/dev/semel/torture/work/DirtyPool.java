// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.work;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.ThreadLocalRandom;
import javax.sql.DataSource;

/**
 * A pool that sometimes hands out a connection in the wrong state: with auto-commit off, with a transaction in which somebody
 * has written a row, or with another isolation. Such a row must never be committed.
 */
final class DirtyPool extends SimpleDataSource {
    private static final int ONE_IN = 60;

    private final DataSource pool;
    private volatile boolean healed;

    DirtyPool(DataSource pool) {
        this.pool = pool;
    }

    /** From now on every connection is clean. */
    void heal() {
        healed = true;
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection connection = pool.getConnection();
        ThreadLocalRandom random = ThreadLocalRandom.current();
        if (healed || random.nextInt(ONE_IN) != 0) {
            return connection;
        }
        try {
            switch (random.nextInt(3)) {
                case 0 -> connection.setAutoCommit(false);
                case 1 -> openTransaction(connection);
                default -> connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
            }
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
        return connection;
    }

    private static void openTransaction(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate("INSERT INTO torture_uncommitted (note) VALUES ('not yours')");
        }
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        return pool.unwrap(type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        return pool.isWrapperFor(type);
    }
}
