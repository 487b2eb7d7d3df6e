// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.claim.StoreException.Kind;
import dev.semel.jdbc.sql.Connections;
import dev.semel.jdbc.sql.Database;
import dev.semel.jdbc.sql.SchemaFiles;
import dev.semel.jdbc.sql.SchemaFiles.SchemaFile;
import dev.semel.jdbc.sql.SchemaTable;
import dev.semel.jdbc.sql.SchemaTable.UniqueKey;
import dev.semel.jdbc.sql.SqlFailures;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tables, as SQL files beside this class: {@code V<version>__<name>.sql} in a folder a database, in the form that
 * Flyway reads too. Statements end with a semicolon and are separated by an empty line.
 *
 * <p>{@link #migrate} applies what is missing and notes it in {@code semel_schema_version}; it is safe when two
 * processes start at once. {@link #check} only looks, and works for tables that another tool created.
 */
public final class Schema {
    private static final Logger LOG = LoggerFactory.getLogger(Schema.class);

    /** MySQL: with a binary log, triggers need a privilege that few users have. What they guard works without them. */
    private static final int MAY_NOT_CREATE_TRIGGERS = 1419;

    private static final SchemaFiles CLAIMS = new SchemaFiles(
            Schema.class,
            "semel_schema_version",
            "JdbcClaimStore.migrating(dataSource)",
            List.of(
                    SchemaFile.of(
                            1,
                            "V1__claims.sql",
                            SchemaTable.of(
                                            "idempotency_keys",
                                            "key_hash",
                                            "tenant",
                                            "scope",
                                            "secret_id",
                                            "record_id",
                                            "claim_nonce",
                                            "fingerprint",
                                            "status",
                                            "on_stale",
                                            "attempt_count",
                                            "fence",
                                            "ttl_micros",
                                            "created_at",
                                            "updated_at",
                                            "started_at",
                                            "lease_until",
                                            "run_until",
                                            "completed_at",
                                            "expires_at",
                                            "result_type",
                                            "result",
                                            "reason")
                                    .unique("idempotency_keys_key_hash_uq", "key_hash")),
                    SchemaFile.of(
                            2,
                            "V2__aliases_epoch_due.sql",
                            SchemaTable.of("idempotency_keys", "alias_of", "alias_conflict", "due_at"),
                            SchemaTable.of("semel_epoch", "id", "epoch").unique("semel_epoch_id_uq", "id")),
                    SchemaFile.of(3, "V3__sketch.sql", SchemaTable.of("idempotency_keys", "sketch"))));

    private final DataSource dataSource;
    private final Database database;
    private final Dialect dialect;
    private final SchemaFiles files;

    private Schema(DataSource dataSource, Database database, SchemaFiles files) {
        this.dataSource = dataSource;
        this.database = database;
        this.dialect = dialectOf(database);
        this.files = files;
    }

    /** The schema of claims in this database. */
    public static Schema of(DataSource dataSource) {
        return of(dataSource, CLAIMS);
    }

    /** The schema of another Semel module. Only Semel's own modules can create {@link SchemaFiles}. */
    @SuppressWarnings("exports")
    public static Schema of(DataSource dataSource, SchemaFiles files) {
        Objects.requireNonNull(files, "A schema's files must not be null");
        return new Schema(dataSource, Database.of(dataSource), files);
    }

    private static Dialect dialectOf(Database database) {
        return switch (database) {
            case POSTGRESQL -> new PostgresDialect();
            case MARIADB -> new MariaDbDialect(true);
            case MYSQL -> new MariaDbDialect(false);
            case SQLITE -> new SqliteDialect();
        };
    }

    Dialect dialect() {
        return dialect;
    }

    /** All statements of all versions, for those who apply them by hand. */
    public String ddl() {
        StringBuilder ddl = new StringBuilder();
        files.files().forEach(migration -> ddl.append(text(migration.file())).append('\n'));
        return ddl.toString();
    }

    /**
     * Makes sure that every table and column is there, every unique index that keeps rows from being stored twice, and
     * what the files prove besides.
     *
     * @throws SchemaException if one is missing
     */
    public void check() {
        try (Connection connection = dataSource.getConnection()) {
            for (SchemaFile migration : files.files()) {
                for (SchemaTable table : migration.tables()) {
                    if (table.databases().contains(database)) {
                        check(connection, migration, table);
                    }
                }
                String proof = migration.proofs().get(database);
                if (proof != null && !Catalog.isProved(connection, proof)) {
                    throw lacks(migration);
                }
            }
        } catch (SQLException e) {
            throw refused(e);
        }
    }

    private void check(Connection connection, SchemaFile migration, SchemaTable table) throws SQLException {
        Optional<List<String>> missing = Catalog.missingColumns(connection, database, table);
        if (missing.isPresent() && missing.get().isEmpty()) {
            UniqueIndexes indexes = UniqueIndexes.of(connection, database, table);
            for (UniqueKey key : table.keys()) {
                indexes.lack(database, table, key).ifPresent(message -> {
                    throw new SchemaException(message, null);
                });
            }
            return;
        }
        if (files.creates(migration, table)) {
            requireNotInTheWay(connection, table);
        }
        throw lacks(migration);
    }

    private SchemaException lacks(SchemaFile migration) {
        return new SchemaException(
                "The database lacks what %s creates. Call %s, or apply:%n%n%s"
                        .formatted(migration.file(), files.remedy(), text(migration.file())),
                null);
    }

    /** A table that has the name of ours, but not its columns. */
    private void requireNotInTheWay(Connection connection, SchemaTable table) throws SQLException {
        List<String> missing =
                Catalog.missingColumns(connection, database, table).orElse(List.of());
        if (!missing.isEmpty()) {
            throw new SchemaException(
                    "The table %s is in the way: it is there, but lacks the columns %s that Semel's table of this name has. If it belongs to another application, give Semel %s. If it is Semel's, put the columns back."
                            .formatted(table.name(), String.join(", ", missing), placeOfItsOwn()),
                    null);
        }
    }

    private String placeOfItsOwn() {
        return switch (database) {
            case POSTGRESQL ->
                "a schema of its own: run CREATE SCHEMA semel; and add ?currentSchema=semel to the JDBC URL";
            case MARIADB, MYSQL ->
                "a database of its own: run CREATE DATABASE semel; and name that database in the JDBC URL";
            case SQLITE -> "a file of its own";
        };
    }

    /**
     * Applies what is missing.
     *
     * @throws SchemaException if that is not possible: another application's table is in the way, or the database refuses
     *     a statement
     */
    public void migrate() {
        try (Connection connection = dataSource.getConnection()) {
            Connections.inAutoCommit(connection, fresh -> {
                requireFreeNames(fresh);
                dialect.migrating(fresh, () -> {
                    try (Statement statement = fresh.createStatement()) {
                        applyMissing(statement);
                    }
                });
                return fresh;
            });
        } catch (SQLException e) {
            throw refused(e);
        }
    }

    /**
     * Checks, without changing anything, that no other application's table has the name of one that {@link #migrate} would
     * create. For those who migrate several schemas and want to know before the first.
     *
     * @throws SchemaException if there is one; the message names it and the fix
     */
    public void requireFreeNames() {
        try (Connection connection = dataSource.getConnection()) {
            requireFreeNames(connection);
        } catch (SQLException e) {
            throw refused(e);
        }
    }

    private RuntimeException refused(SQLException failure) {
        if (SqlFailures.kindOf(failure) != Kind.REJECTED) {
            return SqlFailures.translate(failure);
        }
        // Only statements about the schema are run here, so that the message holds nothing but names.
        return new SchemaException(
                "The database refused a statement that Semel's tables need (%s). May this user create and read tables here, and are the names free? Otherwise give Semel %s."
                        .formatted(oneLine(failure.getMessage()), placeOfItsOwn()),
                failure);
    }

    private static String oneLine(@Nullable String message) {
        return message == null
                ? "no reason given"
                : message.replaceAll("\\s+", " ").strip();
    }

    /** Before the migration, because some databases would keep a half of it. */
    private void requireFreeNames(Connection connection) throws SQLException {
        int current = Catalog.isTaken(connection, database, files.versionTable()) ? version(connection) : 0;
        for (SchemaFile migration : files.files()) {
            for (SchemaTable table : migration.tables()) {
                if (migration.version() > current
                        && table.databases().contains(database)
                        && files.creates(migration, table)
                        && Catalog.isTaken(connection, database, table.name())) {
                    requireNotInTheWay(connection, table);
                }
            }
        }
    }

    private int version(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return version(statement);
        }
    }

    private int version(Statement statement) throws SQLException {
        try (ResultSet rows = statement.executeQuery("SELECT coalesce(max(version), 0) FROM " + files.versionTable())) {
            return rows.next() ? rows.getInt(1) : 0;
        }
    }

    private void applyMissing(Statement statement) throws SQLException {
        statement.execute("""
                CREATE TABLE IF NOT EXISTS %s (
                    version    INTEGER      NOT NULL PRIMARY KEY,
                    file       VARCHAR(100) NOT NULL,
                    applied_at TIMESTAMP    NOT NULL DEFAULT CURRENT_TIMESTAMP
                )
                """.formatted(files.versionTable()));
        int current = version(statement);
        for (SchemaFile migration : files.files()) {
            if (migration.version() > current) {
                for (String part : statements(text(migration.file()))) {
                    apply(statement, part);
                }
                statement.execute("INSERT INTO %s (version, file) VALUES (%d, '%s')"
                        .formatted(files.versionTable(), migration.version(), migration.file()));
                LOG.info("Applied {} to {}", migration.file(), dialect.folder());
            }
        }
    }

    private void apply(Statement statement, String sql) throws SQLException {
        try {
            statement.execute(sql);
        } catch (SQLException e) {
            if (e.getErrorCode() == MAY_NOT_CREATE_TRIGGERS) {
                LOG.warn(
                        "MySQL refuses triggers to this user while it keeps a binary log, and goes without this one;"
                                + " set log_bin_trust_function_creators = 1 and apply it by hand: {}",
                        sql);
                return;
            }
            if (!dialect.wasThere(e)) {
                throw e;
            }
            LOG.info("An earlier migration that was interrupted had come as far as: {}", sql);
        }
    }

    private static List<String> statements(String file) {
        return Arrays.stream(file.split(";\\s*(\\n\\s*\\n|$)"))
                .map(String::strip)
                .filter(part -> !part.isEmpty())
                .toList();
    }

    private String text(String file) {
        String path = dialect.folder() + "/" + file;
        try (InputStream resource = files.beside().getResourceAsStream(path)) {
            Objects.requireNonNull(resource, () -> "The schema file " + path + " is missing from the jar");
            return new String(resource.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
