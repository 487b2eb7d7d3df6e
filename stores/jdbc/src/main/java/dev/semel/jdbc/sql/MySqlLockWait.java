// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Limits how long statements wait for a lock on MySQL, which has no {@code SET STATEMENT}: the session's variable is changed for
 * these statements and restored. MySQL counts whole seconds, and its minimum is one.
 */
public final class MySqlLockWait {
    private static final String LIMIT = """
            SET @semel_claim_wait = @@SESSION.innodb_lock_wait_timeout, SESSION innodb_lock_wait_timeout = %d""";

    private static final String RESTORE = "SET SESSION innodb_lock_wait_timeout = @semel_claim_wait";

    private MySqlLockWait() {}

    /** Runs statements, each of which waits for a lock at most so long. Not inside itself. */
    public static <R> R atMost(int seconds, Connection connection, Connections.Work<R> statements) throws SQLException {
        execute(connection, LIMIT.formatted(seconds));
        R result;
        try {
            result = statements.run(connection);
        } catch (SQLException | RuntimeException e) {
            try {
                execute(connection, RESTORE);
            } catch (SQLException broken) {
                e.addSuppressed(broken);
            }
            throw e;
        }
        execute(connection, RESTORE);
        return result;
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
