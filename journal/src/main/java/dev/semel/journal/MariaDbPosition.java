// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

import dev.semel.jdbc.sql.NamedSql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/**
 * The last position that is taken in a table of records, which is ours to move on until the commit, and the clock.
 *
 * @param now microseconds since 1970
 */
record MariaDbPosition(String name, long last, long now) {
    /** When a row that was placed is written. */
    static final String MOMENT = "TIMESTAMPADD(MICROSECOND, :now, '1970-01-01')";

    private static final NamedSql LOCK = NamedSql.of("""
            SELECT last_position, TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6)) AS now_micros
            FROM semel_positions WHERE name = :name FOR UPDATE
            """);

    /** MySQL does not know it. */
    private static final NamedSql LOCK_SOON = LOCK.after("SET STATEMENT innodb_lock_wait_timeout = 2 FOR ");

    private static final NamedSql ADVANCE =
            NamedSql.of("UPDATE semel_positions SET last_position = :position WHERE name = :name");

    /** Waits for as long as the transaction's bounds allow. */
    static MariaDbPosition lock(Connection connection, String name) throws SQLException {
        return lock(connection, LOCK, name);
    }

    /** On MariaDB: waits for two seconds, and then is busy. */
    static MariaDbPosition lockSoon(Connection connection, String name) throws SQLException {
        return lock(connection, LOCK_SOON, name);
    }

    private static MariaDbPosition lock(Connection connection, NamedSql sql, String name) throws SQLException {
        try (PreparedStatement statement = sql.prepare(connection, Values.none().put("name", name));
                ResultSet rows = statement.executeQuery()) {
            if (!rows.next()) {
                throw new SQLException(
                        "The table semel_positions has lost its row '%s': insert it, with the greatest position of that table"
                                .formatted(name),
                        "42000");
            }
            return new MariaDbPosition(name, rows.getLong("last_position"), rows.getLong("now_micros"));
        }
    }

    /** Gives rows their positions, in their order. */
    void place(Connection connection, List<Values> values) throws SQLException {
        long position = last;
        for (Values row : values) {
            row.put("position", ++position).put("now", now);
        }
        Values parameters = Values.none().put("name", name).put("position", position);
        try (PreparedStatement statement = ADVANCE.prepare(connection, parameters)) {
            statement.executeUpdate();
        }
    }
}
