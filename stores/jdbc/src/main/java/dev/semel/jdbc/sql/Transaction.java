// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc.sql;

import java.sql.Connection;
import java.sql.SQLException;

/** Several statements, one commit, on a connection in auto-commit mode. */
public final class Transaction {
    private Transaction() {}

    public static <R> R run(Connection connection, Connections.Work<R> work) throws SQLException {
        connection.setAutoCommit(false);
        boolean committed = false;
        try {
            R result = work.run(connection);
            connection.commit();
            committed = true;
            return result;
        } finally {
            end(connection, committed);
        }
    }

    private static void end(Connection connection, boolean committed) throws SQLException {
        if (connection.isClosed()) {
            return;
        }
        if (!committed) {
            connection.rollback();
        }
        connection.setAutoCommit(true);
    }
}
