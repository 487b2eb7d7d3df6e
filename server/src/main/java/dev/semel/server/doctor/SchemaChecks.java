// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.doctor;

import dev.semel.jdbc.JdbcClaimStore;
import dev.semel.jdbc.Schema;
import dev.semel.jdbc.SchemaException;
import dev.semel.jdbc.sql.Database;
import dev.semel.journal.Journal;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;

/** Tables, indexes and the backlog of the cleanup. */
final class SchemaChecks {
    private static final long MAX_BACKLOG = 10_000;
    private static final int MAX_COUNTED = 1_000_000;

    private SchemaChecks() {}

    static List<Finding> of(DataSource source, Database database) {
        List<Finding> all = new ArrayList<>();
        for (Schema schema : List.of(Schema.of(source), Journal.schema(source))) {
            try {
                schema.check();
            } catch (SchemaException e) {
                all.add(schema(String.valueOf(e.getMessage())));
            }
        }
        if (all.isEmpty()) {
            all.addAll(indexes(source, database));
            long due = JdbcClaimStore.on(source).due(MAX_COUNTED);
            if (due > MAX_BACKLOG) {
                all.add(Finding.warning(
                        "cleanup.backlog",
                        "%d claims wait to be deleted: the cleanup does not run, or cannot keep up".formatted(due),
                        "Run `semel cleanup`, and check that a server with the cleanup switched on is running"));
            }
        }
        return all;
    }

    private static Finding schema(String message) {
        // A missing unique index has its statement in the message. A missing table has the whole file.
        return message.contains("CREATE UNIQUE INDEX")
                ? Finding.error("schema", "A unique index is missing, so duplicates are not recognized", message)
                : Finding.error(
                        "schema",
                        message.replaceFirst("(?s)\\. .*", ""),
                        "Run `semel migrate`, or apply what `semel migrate --print` prints");
    }

    private static List<Finding> indexes(DataSource source, Database database) {
        List<Finding> all = new ArrayList<>();
        Set<String> existing;
        try (Connection connection = source.getConnection()) {
            existing = new ServerVariables(connection)
                    .all(
                            switch (database) {
                                case POSTGRESQL -> """
                        SELECT c.relname FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid
                        WHERE i.indisvalid AND pg_table_is_visible(i.indrelid)
                        """;
                                case MARIADB, MYSQL ->
                                    "SELECT DISTINCT index_name FROM information_schema.statistics WHERE table_schema = DATABASE()";
                                case SQLITE -> "SELECT name FROM sqlite_schema WHERE type = 'index'";
                            });
        } catch (SQLException e) {
            return List.of(Finding.warning(
                    "indexes",
                    "The catalog cannot be read (SQLState %s)".formatted(e.getSQLState()),
                    "Check the rights of the user"));
        }
        String ddl = Schema.of(source).ddl() + Journal.schema(source).ddl();
        DeclaredIndexes.of(ddl).forEach((name, statement) -> {
            if (!existing.contains(name)) {
                all.add(Finding.warning(
                        "index." + name,
                        "The index %s is missing or invalid: lists or the cleanup read whole tables".formatted(name),
                        statement));
            }
        });
        return all;
    }
}
