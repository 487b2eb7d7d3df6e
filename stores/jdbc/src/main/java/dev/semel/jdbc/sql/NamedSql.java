// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A statement with named parameters, written {@code :name}. */
public final class NamedSql {
    private static final Pattern NAME = Pattern.compile("(?<!:):([a-z_]+)");

    private final String sql;
    private final List<String> names;

    /** For each parameter, how often its name occurs before it. Null until it is needed. */
    private volatile int @Nullable [] occurrences;

    NamedSql(String sql, List<String> names) {
        this.sql = sql;
        this.names = names;
    }

    public static NamedSql of(String text) {
        List<String> names = NAME.matcher(text)
                .results()
                .map((MatchResult match) -> match.group(1))
                .toList();
        return new NamedSql(NAME.matcher(text).replaceAll("?"), names);
    }

    /** Returns this statement with a prefix that has no parameters. */
    public NamedSql after(String prefix) {
        return new NamedSql(prefix + sql, names);
    }

    /** Returns this statement with another one as its suffix. */
    NamedSql followedBy(NamedSql more) {
        List<String> all = new ArrayList<>(names);
        all.addAll(more.names);
        return new NamedSql(sql + more.sql, all);
    }

    String sql() {
        return sql;
    }

    List<String> names() {
        return names;
    }

    public PreparedStatement prepare(Connection connection) throws SQLException {
        return connection.prepareStatement(sql);
    }

    /** Binds by name. */
    public PreparedStatement bind(PreparedStatement statement, NamedValues parameters) throws SQLException {
        for (int i = 0; i < names.size(); i++) {
            statement.setObject(i + 1, parameters.get(names.get(i)));
        }
        return statement;
    }

    /** For statements with repeated parts. The n-th occurrence of a name is bound from the n-th row. */
    public PreparedStatement prepareAll(Connection connection, List<? extends NamedValues> rows) throws SQLException {
        int[] occurrence = occurrences();
        PreparedStatement statement = prepare(connection);
        try {
            for (int i = 0; i < names.size(); i++) {
                statement.setObject(i + 1, rows.get(occurrence[i]).get(names.get(i)));
            }
            return statement;
        } catch (SQLException | RuntimeException e) {
            statement.close();
            throw e;
        }
    }

    private int[] occurrences() {
        int[] known = occurrences;
        if (known == null) {
            Map<String, Integer> counts = new HashMap<>();
            known = names.stream()
                    .mapToInt(name -> counts.merge(name, 1, Integer::sum) - 1)
                    .toArray();
            occurrences = known;
        }
        return known;
    }

    public PreparedStatement prepare(Connection connection, NamedValues parameters) throws SQLException {
        PreparedStatement statement = prepare(connection);
        try {
            return bind(statement, parameters);
        } catch (SQLException | RuntimeException e) {
            statement.close();
            throw e;
        }
    }
}
