// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.jdbc.sql.ListSql;
import dev.semel.jdbc.sql.NamedValues;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The sizes of statements about many rows, on MariaDB and MySQL. A driver that prepares statements on the server needs few
 * different ones, so there they have places for more rows than the batch has.
 */
final class PreparedSizes {
    /**
     * The maximum number of rows of an insert that the driver keeps prepared: it keeps statements of less than 8,192 characters.
     * It prepares a longer one again for every batch, which costs the database a sixth of its time.
     */
    static final int MOST = 64;

    private static final Pattern PREPARES = Pattern.compile("[?&]useServerPrepStmts(=true)?(&|$)");

    private PreparedSizes() {}

    /** For how many rows a statement about this many has places. */
    static int of(Connection connection, int rows) throws SQLException {
        return prepares(connection) ? padded(rows) : rows;
    }

    /** These rows in one part, or in several if the driver would not keep the statement about all of them. */
    static <T> List<List<T>> parts(Connection connection, List<T> rows) throws SQLException {
        if (rows.size() <= MOST || !prepares(connection)) {
            return List.of(rows);
        }
        List<List<T>> parts = new ArrayList<>();
        for (int from = 0; from < rows.size(); from += MOST) {
            parts.add(rows.subList(from, Math.min(from + MOST, rows.size())));
        }
        return parts;
    }

    private static boolean prepares(Connection connection) throws SQLException {
        String url = connection.getMetaData().getURL();
        return url != null && PREPARES.matcher(url).find();
    }

    /** Prepares a statement with places for these rows or more. The last row is then in it several times, which must change nothing. */
    static PreparedStatement prepare(Connection connection, ListSql sql, List<? extends NamedValues> rows)
            throws SQLException {
        return sql.prepareAll(connection, filled(rows, of(connection, rows.size())));
    }

    /** The next of the sizes: four between each power of two and the next, because the database also works on the rows that fill. */
    static int padded(int rows) {
        int step = rows <= 4 ? 1 : Integer.highestOneBit(rows - 1) / 4;
        return (rows + step - 1) / step * step;
    }

    /** The same rows, and the last one again until there are this many. */
    static <T> List<T> filled(List<? extends T> rows, int places) {
        List<T> filled = new ArrayList<>(rows);
        while (filled.size() < places) {
            filled.add(rows.get(rows.size() - 1));
        }
        return filled;
    }
}
