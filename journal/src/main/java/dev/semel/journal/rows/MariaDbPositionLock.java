// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.rows;

import dev.semel.jdbc.sql.NamedSql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/**
 * The lock on a table's last position. It is held until the transaction ends, so positions become visible in their order.
 *
 * @param now the database's clock, in microseconds since 1970
 */
public record MariaDbPositionLock(String table, long last, long now) {
    /** The time at which a row is written. */
    public static final String MOMENT = "TIMESTAMPADD(MICROSECOND, :now, '1970-01-01')";

    private static final NamedSql LOCK = NamedSql.of("""
            SELECT last_position, TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6)) AS now_micros
            FROM semel_positions WHERE name = :name FOR UPDATE
            """);

    private static final NamedSql LOCK_SOON = LOCK.after("SET STATEMENT innodb_lock_wait_timeout = 2 FOR ");

    private static final NamedSql ADVANCE =
            NamedSql.of("UPDATE semel_positions SET last_position = :position WHERE name = :name");

    /** Waits for the lock as long as the bounds of the transaction allow. */
    public static MariaDbPositionLock lock(Connection connection, String table) throws SQLException {
        return lock(connection, LOCK, table);
    }

    /** Waits for the lock up to two seconds, on MariaDB. */
    static MariaDbPositionLock lockSoon(Connection connection, String table) throws SQLException {
        return lock(connection, LOCK_SOON, table);
    }

    private static MariaDbPositionLock lock(Connection connection, NamedSql sql, String table) throws SQLException {
        try (PreparedStatement statement =
                        sql.prepare(connection, RowValues.none().put("name", table));
                ResultSet rows = statement.executeQuery()) {
            if (!rows.next()) {
                throw new SQLException(
                        "The table semel_positions has no row '%s': insert it, with the greatest position of that table"
                                .formatted(table),
                        "42000");
            }
            return new MariaDbPositionLock(table, rows.getLong("last_position"), rows.getLong("now_micros"));
        }
    }

    /** Assigns the next positions to these rows, in their order. */
    public void place(Connection connection, List<RowValues> rows) throws SQLException {
        long position = last;
        for (RowValues row : rows) {
            row.put("position", ++position).put("now", now);
        }
        RowValues parameters = RowValues.none().put("name", table).put("position", position);
        try (PreparedStatement statement = ADVANCE.prepare(connection, parameters)) {
            statement.executeUpdate();
        }
    }
}
