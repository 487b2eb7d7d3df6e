// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.rows;

import dev.semel.jdbc.sql.NamedSql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the position after which a page of the last rows begins. Reads only an index. */
public final class PageStart {
    private PageStart() {}

    /**
     * The position before the last rows, or the start if there are fewer.
     *
     * @param values the owner of the rows, and other parameters of the statements
     * @param end the position of the last row; null for the newest one
     * @param rows how many rows follow the position, up to the end
     */
    public static Position before(
            Connection connection,
            JournalDialect dialect,
            PageSql sql,
            RowValues values,
            @Nullable Position end,
            int rows)
            throws SQLException {
        String horizon = dialect.horizon();
        if (horizon != null) {
            values.put(
                    "horizon",
                    RowReader.list(connection, NamedSql.of(horizon), RowValues.none(), found -> found.getLong(1))
                            .get(0));
        }
        values.put("last_write", end == null ? Long.MAX_VALUE : end.write())
                .put("last_position", end == null ? Long.MAX_VALUE : end.number())
                .put("skipped", rows);
        List<Position> found = RowReader.list(connection, sql.back(), values, RowReader::position);
        return found.isEmpty() ? Position.START : found.get(0);
    }
}
