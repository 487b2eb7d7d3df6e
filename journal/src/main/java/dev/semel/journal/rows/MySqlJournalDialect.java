// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.rows;

import dev.semel.jdbc.sql.MySqlLockWait;
import dev.semel.jdbc.sql.TransactionBounds;
import java.sql.Connection;
import java.sql.SQLException;

/** MySQL: as MariaDB, but a limit for a single wait is a session variable that is restored. */
final class MySqlJournalDialect extends MariaDbJournalDialect {
    private static final int SOON_SECONDS = 2;

    MySqlJournalDialect(TransactionBounds bounds) {
        super(bounds);
    }

    @Override
    public MariaDbPositionLock lockSoon(Connection connection, String table) throws SQLException {
        return MySqlLockWait.atMost(SOON_SECONDS, connection, bounded -> MariaDbPositionLock.lock(bounded, table));
    }
}
