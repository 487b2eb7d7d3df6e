// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

import dev.semel.jdbc.sql.NamedSql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads one page of records within {@link PageBounds}. Drivers hold a whole result set in memory, so the database must not
 * send more than fits the page:
 *
 * <ol>
 *   <li>Where the database has a horizon, it is asked for first, in a statement of its own.
 *   <li>Rows are read with their sizes, and with their content if they are small: no larger than what is left of the page's
 *       bytes, divided by the number of rows that are asked for. A page of small rows is complete after this step.
 *   <li>The page ends before the row that would exceed its bytes. If larger rows are among those before, these rows are
 *       read once more, by their positions and with their content: no more bytes than the page may have, or one row.
 * </ol>
 *
 * <p>The statements of one page see the same rows: nobody changes the content of a record, and below the horizon, or where
 * records become visible in their order, none appears between two others. A record that is deleted meanwhile is left out.
 */
final class PageReader<T> {
    /** How many rows are measured by the first statement. A larger page is read by several statements. */
    static final int FIRST_ROWS = 128;

    /** How many rows are measured by each further one: some databases read the whole content to tell its size. */
    private static final int NEXT_ROWS = 512;

    private final Connection connection;
    private final @Nullable String horizon;
    private final PageSql sql;
    private final Values values;
    private final PageBounds bounds;
    private final Reads.Reader<T> reader;

    private final List<Placed<T>> shown = new ArrayList<>();
    private Position last;
    private int rows;
    private long bytes;
    private boolean full;

    /** @param values whose records these are, and whatever else the statements bind */
    PageReader(
            Connection connection,
            Reads.Words words,
            PageSql sql,
            Values values,
            Position after,
            PageBounds bounds,
            Reads.Reader<T> reader) {
        this.connection = connection;
        this.horizon = words.horizon();
        this.sql = sql;
        this.values = values;
        this.last = after;
        this.bounds = bounds;
        this.reader = reader;
    }

    Slice<T> read() throws SQLException {
        if (horizon != null) {
            NamedSql asked = NamedSql.of(horizon);
            values.put(
                    "horizon",
                    Reads.list(connection, asked, Values.none(), found -> found.getLong(1))
                            .get(0));
        }
        int measured = FIRST_ROWS;
        while (measure(Math.min(measured, bounds.rows() + 1 - rows))) {
            measured = NEXT_ROWS;
        }
        // What is there but may not be shown yet is looked for only at the end of what is shown.
        boolean unsettled = !full
                && horizon != null
                && !Reads.list(connection, sql.after(), after(), found -> found.getInt(1))
                        .isEmpty();
        return new Slice<>(shown, full, unsettled);
    }

    /** Adds up to so many rows to the page; whether there may be more that it has room for. */
    private boolean measure(int limit) throws SQLException {
        long share = Math.max(0, (bounds.bytes() - bytes) / limit);
        Position behind = null;
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
                    Position position = Reads.position(row);
                    if (behind == null && size <= share) {
                        shown.add(new Placed<>(reader.read(row), position));
                        last = position;
                    } else {
                        behind = position;
                    }
                }
            }
        }
        if (behind != null) {
            readWhole(behind);
        }
        return !full && found == limit;
    }

    /** Reads what was measured and is not shown yet, up to this position. */
    private void readWhole(Position upTo) throws SQLException {
        Values range = after().put("last_write", upTo.write()).put("last_position", upTo.number());
        shown.addAll(
                Reads.list(connection, sql.whole(), range, row -> new Placed<>(reader.read(row), Reads.position(row))));
        last = upTo;
    }

    private Values after() {
        return values.put("write", last.write()).put("position", last.number());
    }
}
