// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.jdbc.sql.Database;
import dev.semel.jdbc.sql.SchemaTable;
import dev.semel.jdbc.sql.SchemaTable.UniqueKey;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The unique indexes of a table in the database's catalog, including the primary key. */
final class UniqueIndexCheck {
    /** Without deferrable indexes, because ON CONFLICT does not accept them. */
    private static final String POSTGRESQL = """
            SELECT c.relname AS index_name, a.attname AS column_name, i.indisvalid AS usable,
                   pg_get_expr(i.indpred, i.indrelid) AS condition
            FROM pg_index AS i
            JOIN pg_class AS c ON c.oid = i.indexrelid
            CROSS JOIN LATERAL unnest(i.indkey) WITH ORDINALITY AS k (attnum, nth)
            LEFT JOIN pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = k.attnum
            WHERE i.indrelid = to_regclass(?) AND i.indisunique AND i.indimmediate AND k.nth <= i.indnkeyatts
            """;

    /** An index over a prefix of a column does not count. */
    private static final String MARIADB = """
            SELECT index_name AS index_name, CASE WHEN sub_part IS NULL THEN column_name END AS column_name, 1 AS usable,
                   NULL AS `condition`
            FROM information_schema.statistics
            WHERE table_schema = DATABASE() AND table_name = ? AND non_unique = 0
            """;

    private static final String SQLITE = """
            SELECT l.name AS index_name, i.name AS column_name, 1 AS usable,
                   CASE WHEN l.partial THEN (SELECT s.sql FROM sqlite_schema AS s WHERE s.name = l.name) END AS condition
            FROM pragma_index_list(?1) AS l JOIN pragma_index_info(l.name) AS i WHERE l."unique"
            UNION ALL
            SELECT 'the primary key', t.name, 1, NULL FROM pragma_table_info(?1) AS t WHERE t.pk > 0
            """;

    private final Map<String, Found> byName = new LinkedHashMap<>();

    private UniqueIndexCheck() {}

    private static final class Found {
        private final Set<String> columns = new HashSet<>();
        private final boolean usable;
        private final @Nullable String condition;

        Found(boolean usable, @Nullable String condition) {
            this.usable = usable;
            this.condition = condition;
        }

        boolean isOver(UniqueKey key) {
            return columns.equals(Set.copyOf(key.columns())) && (condition == null || leavesOutNulls(condition, key));
        }

        private static boolean leavesOutNulls(String condition, UniqueKey key) {
            String plain = condition
                    .toLowerCase(Locale.ROOT)
                    .replaceAll("[()\"`\\s]+", " ")
                    .strip();
            return !key.notNull().isEmpty()
                    && plain.replaceFirst(".* where ", "").equals(key.notNull() + " is not null");
        }
    }

    static UniqueIndexCheck of(Connection connection, Database database, SchemaTable table) throws SQLException {
        String sql = switch (database) {
            case POSTGRESQL -> POSTGRESQL;
            case MARIADB, MYSQL -> MARIADB;
            case SQLITE -> SQLITE;
        };
        UniqueIndexCheck indexes = new UniqueIndexCheck();
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, table.name());
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    indexes.add(rows);
                }
            }
        }
        return indexes;
    }

    private void add(ResultSet rows) throws SQLException {
        String name = rows.getString("index_name");
        Found index = byName.get(name);
        if (index == null) {
            index = new Found(rows.getBoolean("usable"), rows.getString("condition"));
            byName.put(name, index);
        }
        String column = rows.getString("column_name");
        // Expressions and prefixes have no column name. An index over one is not the required index.
        index.columns.add(column == null ? "" : column.toLowerCase(Locale.ROOT));
    }

    /** Returns the problem and the statement that fixes it; empty if the index exists. */
    Optional<String> problem(Database database, SchemaTable table, UniqueKey key) {
        List<String> unusable = new ArrayList<>();
        for (Map.Entry<String, Found> index : byName.entrySet()) {
            if (index.getValue().isOver(key)) {
                if (index.getValue().usable) {
                    return Optional.empty();
                }
                unusable.add(index.getKey());
            }
        }
        boolean partial = !key.notNull().isEmpty() && (database == Database.POSTGRESQL || database == Database.SQLITE);
        String make = "CREATE UNIQUE INDEX %s ON %s (%s)%s;"
                .formatted(
                        key.index(),
                        table.name(),
                        String.join(", ", key.columns()),
                        partial ? " WHERE %s IS NOT NULL".formatted(key.notNull()) : "");
        String what = unusable.isEmpty()
                ? "lacks its unique index %s on (%s)".formatted(key.index(), String.join(", ", key.columns()))
                : "has the unique index %s, but it is invalid".formatted(unusable.get(0));
        String drop = unusable.isEmpty() ? "" : "DROP INDEX %s; ".formatted(unusable.get(0));
        return Optional.of(
                "The table %s %s, so rows could be stored twice. Remove duplicate rows, if any, then run: %s%s"
                        .formatted(table.name(), what, drop, make));
    }
}
