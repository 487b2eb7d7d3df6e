// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc.sql;

import java.sql.Connection;
import java.sql.SQLException;

/** Runs several statements in one transaction, on a connection in auto-commit mode. */
public final class Transaction {
    private Transaction() {}

    /** Throws what the work or the commit throws. Ending the transaction never throws. */
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
