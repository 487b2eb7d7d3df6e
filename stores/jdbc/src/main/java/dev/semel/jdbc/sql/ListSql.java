// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A statement with a part that is repeated for every row, at {@code {rows}}. The parts are parsed once: parsing the
 * whole statement for every batch took longer than the rest of the call.
 */
public final class ListSql {
    /** For how many numbers of rows the text is kept. */
    private static final int KEPT = 32;

    private final NamedSql before;
    private final NamedSql part;
    private final String separator;
    private final NamedSql after;

    /** By the number of rows. */
    private final Map<Integer, NamedSql> kept = new ConcurrentHashMap<>();

    private ListSql(NamedSql before, NamedSql part, String separator, NamedSql after) {
        this.before = before;
        this.part = part;
        this.separator = separator;
        this.after = after;
    }

    public static ListSql of(String text, String part, String separator) {
        String[] around = text.split("\\{rows}", -1);
        if (around.length != 2) {
            throw new IllegalArgumentException("A statement needs {rows} once: " + text);
        }
        return new ListSql(NamedSql.of(around[0]), NamedSql.of(part), separator, NamedSql.of(around[1]));
    }

    public static ListSql of(String text, String part) {
        return of(text, part, ", ");
    }

    /** Returns this statement with a suffix. */
    public ListSql followedBy(String more) {
        return new ListSql(before, part, separator, after.followedBy(NamedSql.of(more)));
    }

    /** Returns this statement with a prefix that has no parameters. */
    public ListSql after(String prefix) {
        return new ListSql(before.after(prefix), part, separator, after);
    }

    /** Prepares the statement for these rows. The n-th occurrence of a name is bound from the n-th row. */
    public PreparedStatement prepareAll(Connection connection, List<? extends NamedValues> rows) throws SQLException {
        return of(rows.size()).prepareAll(connection, rows);
    }

    private NamedSql of(int rows) {
        NamedSql known = kept.get(rows);
        if (known != null) {
            return known;
        }
        NamedSql made = made(rows);
        if (kept.size() < KEPT) {
            kept.put(rows, made);
        }
        return made;
    }

    private NamedSql made(int rows) {
        StringBuilder sql = new StringBuilder(before.sql());
        List<String> names = new ArrayList<>(before.names());
        for (int i = 0; i < rows; i++) {
            sql.append(i == 0 ? "" : separator).append(part.sql());
            names.addAll(part.names());
        }
        names.addAll(after.names());
        return new NamedSql(sql.append(after.sql()).toString(), names);
    }
}
