// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A PostgreSQL statement for any number of rows at once: each parameter, written {@code :name::type[]}, is bound as one
 * array with a value a row, so that a batch of any size is the same statement with the same plan.
 */
final class ArraySql {
    private static final Pattern PARAMETER = Pattern.compile(":([a-z_]+)::([a-z]+)\\[]");

    private final String sql;
    private final List<String> names = new ArrayList<>();
    private final List<String> types = new ArrayList<>();

    private ArraySql(String text) {
        Matcher matcher = PARAMETER.matcher(text);
        while (matcher.find()) {
            names.add(matcher.group(1));
            types.add(matcher.group(2));
        }
        this.sql = matcher.replaceAll("?::$2[]");
    }

    static ArraySql of(String text) {
        return new ArraySql(text);
    }

    PreparedStatement prepare(Connection connection, List<Parameters> rows) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        try {
            for (int i = 0; i < names.size(); i++) {
                statement.setArray(i + 1, column(connection, types.get(i), names.get(i), rows));
            }
            return statement;
        } catch (SQLException | RuntimeException e) {
            statement.close();
            throw e;
        }
    }

    private static Array column(Connection connection, String type, String name, List<Parameters> rows)
            throws SQLException {
        @Nullable Object[] values = type.equals("bytea") ? new byte[rows.size()][] : new Object[rows.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = rows.get(i).get(name);
        }
        return connection.createArrayOf(type, values);
    }
}
