// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc.sql;

import java.sql.Connection;
import java.sql.SQLException;

/** Several statements and one commit, on a connection in auto-commit mode. */
public final class Transaction {
    private Transaction() {}

    /** What the work throws, or the commit, is what the caller hears: ending the transaction adds nothing. */
    public static <R> R run(Connection connection, TransactionBounds bounds, Connections.Work<R> work)
            throws SQLException {
        boolean committed = false;
        try {
            bounds.begin(connection);
            R result = work.run(connection);
            connection.commit();
            committed = true;
            return result;
        } finally {
            bounds.end(connection, committed);
        }
    }
}
