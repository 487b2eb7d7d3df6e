// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc.sql;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;

/**
 * A transaction of somebody else that is open on a connection which the data source hands out. It happens where a data
 * source takes part in the caller's transaction. Switching auto-commit on would commit it, and it would survive its own
 * rollback.
 *
 * <p>A pool may be configured with auto-commit off. Its connections have no open transaction, and are told apart by asking
 * the driver or the server. Where neither can tell, the connection is refused.
 */
final class ForeignTransaction {
    private ForeignTransaction() {}

    /**
     * Checks a connection that was just handed out.
     *
     * @throws IllegalStateException unless it is certain that no transaction is open
     */
    static void refuse(Connection connection) throws SQLException {
        if (!connection.getAutoCommit() && !isIdle(connection)) {
            throw new IllegalStateException(
                    "The data source handed out a connection with auto-commit off that may be in the middle of a"
                            + " transaction, and Semel must not commit it. Give Semel the pool itself, not a data source"
                            + " that takes part in transactions, such as Spring's TransactionAwareDataSourceProxy; to claim"
                            + " inside your own transaction, use TransactionalClaims.execute(connection, ...). If the pool"
                            + " is configured with auto-commit off, give Semel one that is not");
        }
    }

    private static boolean isIdle(Connection connection) throws SQLException {
        String product = connection.getMetaData().getDatabaseProductName().toUpperCase(Locale.ROOT);
        if (product.contains(Database.POSTGRESQL.name())) {
            return isIdleOnPostgres(connection);
        }
        return product.contains(Database.MARIADB.name()) && isIdleOnMariaDb(connection);
    }

    /** A query would begin a transaction; the driver knows without one. It is on the class path only at run time. */
    private static boolean isIdleOnPostgres(Connection connection) throws SQLException {
        try {
            Class<?> type = Class.forName("org.postgresql.core.BaseConnection");
            Object state = type.getMethod("getTransactionState").invoke(connection.unwrap(type));
            return "IDLE".equals(String.valueOf(state));
        } catch (ReflectiveOperationException e) {
            return false;
        }
    }

    /** Reading a variable begins no transaction. */
    private static boolean isIdleOnMariaDb(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT @@in_transaction")) {
            return row.next() && row.getInt(1) == 0;
        }
    }
}
