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
    private static final Pattern PREPARES = Pattern.compile("[?&]useServerPrepStmts(=true)?(&|$)");

    private PreparedSizes() {}

    /** For how many rows a statement about this many has places. */
    static int of(Connection connection, int rows) throws SQLException {
        String url = connection.getMetaData().getURL();
        return url != null && PREPARES.matcher(url).find() ? padded(rows) : rows;
    }

    /** Prepares a statement with places for these rows or more. The last row is then in it several times, which must change nothing. */
    static PreparedStatement prepare(Connection connection, ListSql sql, List<? extends NamedValues> rows)
            throws SQLException {
        return sql.prepareAll(connection, filled(rows, of(connection, rows.size())));
    }

    /** The next power of two, or the middle between two of them. */
    static int padded(int rows) {
        int power = Integer.highestOneBit(rows);
        if (rows == power) {
            return rows;
        }
        int middle = power + power / 2;
        return rows <= middle ? middle : 2 * power;
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
