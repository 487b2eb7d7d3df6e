// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.jdbc.sql.Database;
import dev.semel.jdbc.sql.SchemaTable;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Looks up which tables and columns exist. Queries the catalog, because drivers log statements that fail. */
final class DatabaseCatalog {
    private static final String SEQUENCE =
            "SELECT 1 FROM pg_class WHERE oid = to_regclass('%s')::oid AND relkind = 'S'";

    private DatabaseCatalog() {}

    /** Whether a table, view or sequence of this name exists. */
    static boolean exists(Connection connection, Database database, String table) throws SQLException {
        return found(
                connection,
                table,
                switch (database) {
                    case POSTGRESQL -> "SELECT 1 WHERE to_regclass(?) IS NOT NULL";
                    case MARIADB, MYSQL ->
                        "SELECT 1 FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = ?";
                    case SQLITE -> "SELECT 1 FROM sqlite_schema WHERE lower(name) = ? AND type IN ('table', 'view')";
                });
    }

    /** Whether this name is taken where tables are created. PostgreSQL's search path may also find it elsewhere. */
    static boolean isTaken(Connection connection, Database database, String table) throws SQLException {
        return database == Database.POSTGRESQL ? found(connection, table, """
                        SELECT 1 FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
                        WHERE n.nspname = current_schema() AND c.relname = ?
                        """) : exists(connection, database, table);
    }

    private static boolean found(Connection connection, String table, String sql) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, table);
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next();
            }
        }
    }

    /** Whether the query returns a row. */
    static boolean isProved(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            return rows.next();
        }
    }

    /** The required columns that a table lacks; empty if the table does not exist. */
    static Optional<List<String>> missingColumns(Connection connection, Database database, SchemaTable table)
            throws SQLException {
        if (!exists(connection, database, table.name())) {
            return Optional.empty();
        }
        Set<String> there = new HashSet<>();
        if (database == Database.POSTGRESQL && isProved(connection, SEQUENCE.formatted(table.name()))) {
            // A sequence always has the same columns, and users that call it through a function may lack the right to
            // read it.
            return Optional.of(List.of());
        }
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT * FROM %s WHERE 1 = 0".formatted(table.name()))) {
            ResultSetMetaData columns = rows.getMetaData();
            for (int i = 1; i <= columns.getColumnCount(); i++) {
                there.add(columns.getColumnName(i).toLowerCase(Locale.ROOT));
            }
        }
        return Optional.of(table.columns().stream()
                .filter(column -> !there.contains(column))
                .toList());
    }
}
