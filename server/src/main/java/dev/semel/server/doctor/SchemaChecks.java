// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.doctor;

import dev.semel.jdbc.Schema;
import dev.semel.jdbc.SchemaException;
import dev.semel.jdbc.sql.Database;
import dev.semel.journal.Journal;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import javax.sql.DataSource;

/** Tables, indexes and triggers. */
final class SchemaChecks {
    /** Starts the fix in the message about a missing unique index. */
    private static final String UNIQUE_INDEX_FIX = ". Remove duplicate rows, if any, then run: ";

    /** In the message about tables that a migration refuses. */
    private static final String OLD = "cannot be converted";

    private SchemaChecks() {}

    /** @param place the configured schema, in which statements of fixes have to run */
    static List<Finding> of(DataSource source, Database database, Optional<String> place) {
        String before =
                place.map(name -> "SET search_path TO %s; ".formatted(name)).orElse("");
        List<Finding> all = new ArrayList<>();
        for (Schema schema : List.of(Schema.of(source), Journal.schema(source))) {
            try {
                schema.check();
            } catch (SchemaException e) {
                all.add(schema(String.valueOf(e.getMessage()), before));
            }
        }
        if (all.isEmpty()) {
            String ddl = Schema.of(source).ddl() + Journal.schema(source).ddl();
            all.addAll(indexes(source, database, ddl, before));
            if (database == Database.MARIADB || database == Database.MYSQL) {
                all.addAll(triggers(source, ddl));
            }
        }
        return all;
    }

    private static Finding schema(String message, String before) {
        int fix = message.indexOf(UNIQUE_INDEX_FIX);
        if (message.contains(OLD)) {
            return Finding.error(
                    "schema",
                    message.replaceFirst("(?s)\\. .*", ""),
                    "Stop all writers and drop Semel's tables, or give the server a schema of its own (database.schema)");
        }
        // The message about a missing table contains the whole file.
        return fix >= 0
                ? Finding.error(
                        "schema",
                        message.substring(0, fix),
                        message.substring(fix + 2, fix + UNIQUE_INDEX_FIX.length())
                                + before
                                + message.substring(fix + UNIQUE_INDEX_FIX.length()))
                : Finding.error(
                        "schema",
                        message.replaceFirst("(?s)\\. .*", ""),
                        "Run `semel migrate`, or apply what `semel migrate --print` prints");
    }

    private static List<Finding> indexes(DataSource source, Database database, String ddl, String before) {
        String query = switch (database) {
            case POSTGRESQL -> """
                        SELECT c.relname FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid
                        WHERE i.indisvalid AND pg_table_is_visible(i.indrelid)
                        """;
            case MARIADB, MYSQL ->
                "SELECT DISTINCT index_name FROM information_schema.statistics WHERE table_schema = DATABASE()";
            case SQLITE -> "SELECT name FROM sqlite_schema WHERE type = 'index'";
        };
        return missing(
                source,
                query,
                DeclaredIndexes.of(ddl),
                (name, statement) -> Finding.warning(
                        "index." + name,
                        "The index %s is missing or invalid: lists or the cleanup read whole tables".formatted(name),
                        before + statement));
    }

    /** MySQL with a binary log lets only administrators create triggers, and the migration goes on without them. */
    private static List<Finding> triggers(DataSource source, String ddl) {
        String query = "SELECT trigger_name FROM information_schema.triggers WHERE trigger_schema = DATABASE()";
        return missing(
                source,
                query,
                DeclaredTriggers.of(ddl),
                (name, statement) -> Finding.error(
                        "trigger." + name,
                        "The trigger %s is missing: the ledger does not refuse changes, or rows of other applications have no position"
                                .formatted(name),
                        statement));
    }

    /** A finding for each declared object whose name the query does not return. */
    private static List<Finding> missing(
            DataSource source,
            String query,
            Map<String, String> declared,
            BiFunction<String, String, Finding> finding) {
        Set<String> existing;
        try (Connection connection = source.getConnection()) {
            existing = new ServerVariables(connection).all(query);
        } catch (SQLException e) {
            return List.of(Finding.warning(
                    "catalog",
                    "The catalog cannot be read (SQLState %s)".formatted(e.getSQLState()),
                    "Check the rights of the user"));
        }
        List<Finding> all = new ArrayList<>();
        declared.forEach((name, statement) -> {
            if (!existing.contains(name)) {
                all.add(finding.apply(name, statement));
            }
        });
        return all;
    }
}
