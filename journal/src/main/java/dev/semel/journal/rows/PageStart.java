// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.rows;

import dev.semel.jdbc.sql.NamedSql;
import dev.semel.journal.page.PageBack;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds where a page of the last rows begins. Reads only an index. */
public final class PageStart {
    private PageStart() {}

    /**
     * Where the last rows begin.
     *
     * @param values the owner of the rows, and other parameters of the statements
     * @param end the position of the last row; null for the newest one
     * @param rows how many rows at most
     */
    public static PageBack of(
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
                .put("limit", rows + 1);
        List<Position> found = RowReader.list(connection, sql.back(), values, RowReader::position);
        return found.size() > rows
                ? new PageBack(Optional.of(found.get(rows).cursor()), rows)
                : new PageBack(Optional.empty(), found.size());
    }
}
