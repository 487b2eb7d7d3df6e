// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc.sql;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;

/**
 * Detects a transaction of the application that is open on a borrowed connection. This happens if the data source takes
 * part in the caller's transaction. Switching auto-commit on would commit that transaction, and a later rollback would
 * have no effect.
 *
 * <p>A pool may be configured with auto-commit off; its connections have no open transaction. The driver or the server
 * tells the two cases apart. If neither can, the connection is rejected.
 */
final class BorrowedConnectionCheck {
    /** A bit of the status in MySQL's protocol. */
    private static final int IN_TRANSACTION = 1;

    private BorrowedConnectionCheck() {}

    /**
     * Checks a connection that was just borrowed.
     *
     * @throws IllegalStateException if a transaction is or may be open
     */
    static void requireIdle(Connection connection) throws SQLException {
        if (!connection.getAutoCommit() && !isIdle(connection)) {
            throw new IllegalStateException(
                    "The data source returned a connection with auto-commit off that may be in the middle of a"
                            + " transaction, and Semel must not commit it. Give Semel the pool itself, not a data source"
                            + " that takes part in transactions, such as Spring's TransactionAwareDataSourceProxy. To claim"
                            + " inside your own transaction, use TransactionalClaims.execute(connection, ...). If the pool"
                            + " is configured with auto-commit off, give Semel one with auto-commit on");
        }
    }

    private static boolean isIdle(Connection connection) throws SQLException {
        String product = connection.getMetaData().getDatabaseProductName().toUpperCase(Locale.ROOT);
        if (product.contains(Database.POSTGRESQL.name())) {
            return isIdleOnPostgres(connection);
        }
        if (product.contains(Database.MARIADB.name())) {
            return isIdleOnMariaDb(connection);
        }
        return product.contains(Database.MYSQL.name()) && isIdleOnMySql(connection);
    }

    /** Asks the driver, because a query would begin a transaction. The driver is only on the run-time class path. */
    private static boolean isIdleOnPostgres(Connection connection) throws SQLException {
        try {
            Class<?> type = Class.forName("org.postgresql.core.BaseConnection");
            Object state = type.getMethod("getTransactionState").invoke(connection.unwrap(type));
            return "IDLE".equals(String.valueOf(state));
        } catch (ReflectiveOperationException e) {
            return false;
        }
    }

    /** Reads a variable, which does not begin a transaction. */
    private static boolean isIdleOnMariaDb(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT @@in_transaction")) {
            return row.next() && row.getInt(1) == 0;
        }
    }

    /** MySQL has no such variable, but each of its answers says it. MariaDB's driver keeps the last one. */
    private static boolean isIdleOnMySql(Connection connection) throws SQLException {
        try {
            Class<?> type = Class.forName("org.mariadb.jdbc.Connection");
            Object context = type.getMethod("getContext").invoke(connection.unwrap(type));
            Class<?> contexts = Class.forName("org.mariadb.jdbc.client.Context");
            int status = (int) contexts.getMethod("getServerStatus").invoke(context);
            return (status & IN_TRANSACTION) == 0;
        } catch (ReflectiveOperationException e) {
            return false;
        }
    }
}
