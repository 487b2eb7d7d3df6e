// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc.sql;

import java.nio.ByteBuffer;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A PostgreSQL statement for any number of rows. Each parameter, written {@code :name::type[]}, is bound as one array
 * with one value per row, so batches of any size share one statement and one plan.
 */
public final class ArraySql {
    private static final Pattern PARAMETER = Pattern.compile(":([a-z_]+)::([a-z]+)\\[]");

    private static final Pattern UNNEST = Pattern.compile("unnest\\((.*?)\\)\\s+AS c", Pattern.DOTALL);

    /** The same, with the names of the columns. */
    private static final Pattern ROWS = Pattern.compile("unnest\\(([^()]*)\\)\\s+AS c \\(([^()]*)\\)", Pattern.DOTALL);

    private static final Pattern VALUES = Pattern.compile("\\(VALUES (\\(.*?\\))\\) AS c", Pattern.DOTALL);

    private static final int MAX_TOGETHER = 1_000;

    /** Few: the settings are those of a store, and there are few combinations of statements. */
    private static final Map<List<Object>, String> TOGETHER = new ConcurrentHashMap<>();

    private final String sql;
    private final String single;

    /** {@link #single} with a bound on lock waits, by that bound. A store has one. */
    private final Map<Long, String> bounded = new ConcurrentHashMap<>();

    private final List<String> names = new ArrayList<>();
    private final List<String> types = new ArrayList<>();

    /** The same parameters in other text. */
    private ArraySql(ArraySql other, String sql, String single) {
        this.sql = sql;
        this.single = single;
        this.names.addAll(other.names);
        this.types.addAll(other.types);
    }

    private ArraySql(String text) {
        Matcher matcher = PARAMETER.matcher(text);
        while (matcher.find()) {
            // The same object as the literal that a row was filled with, so that it is found without comparing
            // characters.
            names.add(matcher.group(1).intern());
            types.add(matcher.group(2));
        }
        String arrays = matcher.replaceAll("?::$2[]");
        this.sql = ROWS.matcher(arrays)
                .replaceAll(rows -> Matcher.quoteReplacement(selected(rows.group(1), rows.group(2))));
        String scalar = arrays.replace("= ANY (?::bytea[])", "= ?::bytea").replace("[]", "");
        this.single = UNNEST.matcher(scalar).replaceAll("(VALUES ($1)) AS c");
    }

    /**
     * The arrays as a select list. PostgreSQL would copy each array of {@code FROM unnest(a, b)} to a temporary table of its
     * own.
     */
    private static String selected(String arrays, String names) {
        String[] values = arrays.split(",", -1);
        String[] columns = names.split(",", -1);
        List<String> list = new ArrayList<>();
        for (int i = 0; i < values.length; i++) {
            list.add("unnest(%s) AS %s".formatted(values[i].strip(), columns[i].strip()));
        }
        return "(SELECT %s) AS c".formatted(String.join(", ", list));
    }

    public static ArraySql of(String text) {
        return new ArraySql(text);
    }

    /** This statement after another one without parameters. They are sent together. */
    public ArraySql after(String first) {
        return new ArraySql(this, first + ";" + sql, first + ";" + single);
    }

    /** This statement before another one without parameters. They are sent together. */
    public ArraySql followedBy(String last) {
        return new ArraySql(this, sql + ";" + last, single + ";" + last);
    }

    public PreparedStatement prepare(Connection connection, List<? extends NamedValues> rows) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        try {
            bind(connection, statement, 1, rows);
            return statement;
        } catch (SQLException | RuntimeException e) {
            statement.close();
            throw e;
        }
    }

    /** The same statement for one row, without arrays. */
    public PreparedStatement prepareOne(Connection connection, NamedValues row) throws SQLException {
        return prepareOne(connection, single, row);
    }

    /**
     * As {@link #prepareOne}, for a connection in auto-commit mode: the statement waits for a lock no longer than this. The
     * bound is part of the statement, which reads it before it locks a row, and ends with its commit.
     */
    public PreparedStatement prepareOneWaiting(Connection connection, Duration most, NamedValues row)
            throws SQLException {
        String text = bounded.computeIfAbsent(
                Math.max(1, most.toMillis()),
                millis -> VALUES.matcher(single).replaceFirst("""
                        (SELECT v.* FROM (SELECT set_config('lock_timeout', '%d', true) OFFSET 0) AS bound, (VALUES $1) AS v) AS c
                        """.strip().formatted(millis)));
        return prepareOne(connection, text, row);
    }

    private PreparedStatement prepareOne(Connection connection, String text, NamedValues row) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(text);
        try {
            for (int i = 0; i < names.size(); i++) {
                statement.setObject(i + 1, value(types.get(i), row.get(names.get(i))));
            }
            return statement;
        } catch (SQLException | RuntimeException e) {
            statement.close();
            throw e;
        }
    }

    /** Several statements in one, after a first one without parameters. They are sent together. */
    public static PreparedStatement prepareAll(
            Connection connection,
            String first,
            List<ArraySql> statements,
            List<? extends List<? extends NamedValues>> rows)
            throws SQLException {
        PreparedStatement statement = connection.prepareStatement(together(first, statements));
        try {
            int at = 1;
            for (int i = 0; i < statements.size(); i++) {
                at = statements.get(i).bind(connection, statement, at, rows.get(i));
            }
            return statement;
        } catch (SQLException | RuntimeException e) {
            statement.close();
            throw e;
        }
    }

    /** The same text object every time: the driver looks it up, and the hash of a long text is computed once. */
    private static String together(String first, List<ArraySql> statements) {
        List<Object> key = new ArrayList<>(statements);
        key.add(first);
        if (TOGETHER.size() >= MAX_TOGETHER) {
            TOGETHER.clear();
        }
        return TOGETHER.computeIfAbsent(key, absent -> {
            StringBuilder text = new StringBuilder(first);
            statements.forEach(one -> text.append(";").append(one.sql));
            return text.toString();
        });
    }

    private int bind(Connection connection, PreparedStatement statement, int from, List<? extends NamedValues> rows)
            throws SQLException {
        for (int i = 0; i < names.size(); i++) {
            statement.setArray(from + i, column(connection, types.get(i), names.get(i), rows));
        }
        return from + names.size();
    }

    private static @Nullable Object value(String type, @Nullable Object value) {
        if (type.equals("uuid") && value instanceof byte[] bytes) {
            ByteBuffer buffer = ByteBuffer.wrap(bytes);
            return new UUID(buffer.getLong(), buffer.getLong());
        }
        return value;
    }

    /** Arrays of these element types are sent in binary, which is faster for driver and server. */
    private static @Nullable Object[] typed(String type, int size) {
        return switch (type) {
            case "bytea" -> new byte[size][];
            case "text" -> new String[size];
            case "bigint" -> new Long[size];
            default -> new Object[size];
        };
    }

    private static Array column(Connection connection, String type, String name, List<? extends NamedValues> rows)
            throws SQLException {
        @Nullable Object[] values = typed(type, rows.size());
        for (int i = 0; i < values.length; i++) {
            values[i] = value(type, rows.get(i).get(name));
        }
        return connection.createArrayOf(type, values);
    }
}
