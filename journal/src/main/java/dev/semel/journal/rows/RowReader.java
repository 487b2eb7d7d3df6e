// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.rows;

import dev.semel.jdbc.sql.NamedSql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Reads one row of a result set. */
public interface RowReader<T> {
    T read(ResultSet rows) throws SQLException;

    /** All rows that a query returns. */
    static <T> List<T> list(Connection connection, NamedSql sql, RowValues values, RowReader<T> reader)
            throws SQLException {
        try (PreparedStatement statement = sql.prepare(connection, values);
                ResultSet rows = statement.executeQuery()) {
            List<T> found = new ArrayList<>();
            while (rows.next()) {
                found.add(reader.read(rows));
            }
            return found;
        }
    }

    /** The column {@code id}. */
    static UUID id(ResultSet rows) throws SQLException {
        return UUID.fromString(rows.getString("id"));
    }

    /** The columns {@code write_number} and {@code position}. */
    static Position position(ResultSet rows) throws SQLException {
        return new Position(rows.getLong("write_number"), rows.getLong("position"));
    }

    static Instant moment(long microsSince1970) {
        return Instant.EPOCH.plus(microsSince1970, ChronoUnit.MICROS);
    }
}
