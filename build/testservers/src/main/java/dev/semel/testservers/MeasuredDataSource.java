// SPDX-License-Identifier: Apache-2.0
package dev.semel.testservers;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Wraps a data source and measures the bytes that every query returns, because drivers may hold all of them in memory. */
public final class MeasuredDataSource {
    private final DataSource measured;
    private final List<Long> queries = Collections.synchronizedList(new ArrayList<>());

    public MeasuredDataSource(DataSource dataSource) {
        this.measured = proxy(
                DataSource.class,
                dataSource,
                (name, arguments, answer) -> answer instanceof Connection opened ? connection(opened) : answer);
    }

    public DataSource dataSource() {
        return measured;
    }

    /** How many bytes each query returned since the last call of this method. */
    public List<Long> taken() {
        List<Long> taken = List.copyOf(queries);
        queries.clear();
        return taken;
    }

    private Connection connection(Connection connection) {
        return proxy(
                Connection.class,
                connection,
                (name, arguments, answer) ->
                        answer instanceof PreparedStatement prepared && isRepeatable(arguments[0].toString())
                                ? statement(prepared)
                                : answer);
    }

    /** Whether a statement returns the same rows again. On MariaDB, an insert returns rows that exist. */
    private static boolean isRepeatable(String sql) {
        return sql.stripLeading().startsWith("SELECT")
                || (sql.contains("ON DUPLICATE KEY UPDATE") && sql.contains("RETURNING"));
    }

    /** Runs a query twice: once to measure it, and once for its caller. */
    private PreparedStatement statement(PreparedStatement statement) {
        return proxy(PreparedStatement.class, statement, (name, arguments, answer) -> {
            if (!(answer instanceof ResultSet rows) || !name.equals("executeQuery")) {
                return answer;
            }
            long bytes = 0;
            try (rows) {
                int columns = rows.getMetaData().getColumnCount();
                while (rows.next()) {
                    for (int i = 1; i <= columns; i++) {
                        bytes += size(rows.getObject(i));
                    }
                }
            }
            queries.add(bytes);
            return statement.executeQuery();
        });
    }

    private static long size(@Nullable Object value) {
        if (value instanceof byte[] bytes) {
            return bytes.length;
        }
        return value == null ? 0 : value.toString().length();
    }

    private interface Change {
        @Nullable
        Object apply(String method, Object[] arguments, @Nullable Object answer) throws SQLException;
    }

    private static <T> T proxy(Class<T> type, T target, Change change) {
        return type.cast(Proxy.newProxyInstance(
                MeasuredDataSource.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    try {
                        return change.apply(method.getName(), arguments, method.invoke(target, arguments));
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }
}
