// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.rows;

import dev.semel.jdbc.sql.NamedSql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads one page within {@link PageBounds}. Drivers hold a whole result set in memory, so the database must not send more than
 * fits into the page:
 *
 * <ol>
 *   <li>If the database has a horizon, it is read first, in a separate statement.
 *   <li>Rows are read with their sizes. Small rows are read with their content; a row is small if it is no larger than the bytes
 *       left in the page, divided by the number of rows of the statement. A page of small rows is complete after this step.
 *   <li>The page ends before the row that would exceed its bytes. If larger rows come before that one, they are read again with
 *       their content, by their positions: no more bytes than the page may have, or one row.
 * </ol>
 *
 * <p>The statements of one page see the same rows. The content of a row never changes. Below the horizon no row appears between
 * two others; databases without a horizon make rows visible in their order. A row that is deleted in the meantime is left out.
 */
public final class PageReader<T> {
    /** The number of rows that the first statement measures. A larger page needs several statements. */
    public static final int FIRST_ROWS = 128;

    /** The number of rows that each further statement measures. Some databases read the whole content to measure it. */
    private static final int NEXT_ROWS = 512;

    private final Connection connection;
    private final @Nullable String horizon;
    private final PageSql sql;
    private final RowValues values;
    private final PageBounds bounds;
    private final RowReader<T> reader;

    private final List<PositionedRow<T>> shown = new ArrayList<>();
    private Position last;
    private int rows;
    private long bytes;
    private boolean full;

    /** @param values the owner of the rows, and other parameters of the statements */
    public PageReader(
            Connection connection,
            JournalDialect dialect,
            PageSql sql,
            RowValues values,
            Position after,
            PageBounds bounds,
            RowReader<T> reader) {
        this.connection = connection;
        this.horizon = dialect.horizon();
        this.sql = sql;
        this.values = values;
        this.last = after;
        this.bounds = bounds;
        this.reader = reader;
    }

    public PageRows<T> read() throws SQLException {
        if (horizon != null) {
            NamedSql query = NamedSql.of(horizon);
            values.put(
                    "horizon",
                    RowReader.list(connection, query, RowValues.none(), found -> found.getLong(1))
                            .get(0));
        }
        int measured = FIRST_ROWS;
        while (measure(Math.min(measured, bounds.rows() + 1 - rows))) {
            measured = NEXT_ROWS;
        }
        // Only a page that reaches the end of the settled rows can have unsettled rows after it.
        boolean unsettled = !full
                && horizon != null
                && !RowReader.list(connection, sql.after(), after(), found -> found.getInt(1))
                        .isEmpty();
        return new PageRows<>(shown, full, unsettled);
    }

    /** Adds up to {@code limit} rows to the page. Returns whether the page may have room for more. */
    private boolean measure(int limit) throws SQLException {
        long share = Math.max(0, (bounds.bytes() - bytes) / limit);
        Position unread = null;
        int found = 0;
        try (PreparedStatement statement = sql.sized()
                        .prepare(connection, after().put("limit", limit).put("share", share));
                ResultSet row = statement.executeQuery()) {
            while (!full && row.next()) {
                found++;
                long size = row.getLong("content_bytes");
                full = rows == bounds.rows() || (rows > 0 && bytes + size > bounds.bytes());
                if (!full) {
                    rows++;
                    bytes += size;
                    Position position = RowReader.position(row);
                    if (unread == null && size <= share) {
                        shown.add(new PositionedRow<>(reader.read(row), position));
                        last = position;
                    } else {
                        unread = position;
                    }
                }
            }
        }
        if (unread != null) {
            readWhole(unread);
        }
        return !full && found == limit;
    }

    /** Reads the rows that were measured but not read, up to this position. */
    private void readWhole(Position upTo) throws SQLException {
        RowValues range = after().put("last_write", upTo.write()).put("last_position", upTo.number());
        shown.addAll(RowReader.list(
                connection, sql.whole(), range, row -> new PositionedRow<>(reader.read(row), RowReader.position(row))));
        last = upTo;
    }

    private RowValues after() {
        return values.put("write", last.write()).put("position", last.number());
    }
}
