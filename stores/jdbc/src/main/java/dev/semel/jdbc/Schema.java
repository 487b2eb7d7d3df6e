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
 * The tables, as SQL files next to this class: {@code V<version>__<name>.sql}, in one folder per database. Flyway can
 * read the same files. Statements end with a semicolon and are separated by an empty line.
 *
 * <p>{@link #migrate} applies missing files and records them in {@code semel_schema_version}. Two processes may call it
 * at the same time. {@link #check} changes nothing and accepts tables that another tool created.
 */
public final class Schema {
    private static final Logger LOG = LoggerFactory.getLogger(Schema.class);

    /**
     * MySQL: with a binary log, creating triggers needs a privilege that few users have. Semel works without the
     * triggers.
     */
    private static final int MAY_NOT_CREATE_TRIGGERS = 1419;

    private static final SchemaFiles CLAIMS = new SchemaFiles(
            Schema.class,
            "semel_schema_version",
            "JdbcClaimStore.migrating(dataSource)",
            List.of(SchemaFile.of(
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
                                    "sketch",
                                    "status",
                                    "on_stale",
                                    "attempt_count",
                                    "fence",
                                    "ttl_micros",
                                    "created_at",
                                    "lease_until",
                                    "run_until",
                                    "completed_at",
                                    "due_at",
                                    "result_type",
                                    "result",
                                    "reason",
                                    "alias_of",
                                    "alias_conflict")
                            .unique("idempotency_keys_key_hash_uq", "key_hash"),
                    SchemaTable.of("semel_aliases", "key_hash", "alias_of")
                            .unique("semel_aliases_key_hash_uq", "key_hash")
                            .only(Database.MARIADB, Database.MYSQL),
                    SchemaTable.of("semel_epoch", "id", "epoch").unique("semel_epoch_id_uq", "id"),
                    SchemaTable.of(
                                    "semel_key_history",
                                    "id",
                                    "key_hash",
                                    "tenant",
                                    "scope",
                                    "kind",
                                    "fence",
                                    "attempt_count",
                                    "actor",
                                    "reason",
                                    "details",
                                    "created_at")
                            .unique("semel_key_history_id_uq", "id"),
                    SchemaTable.of("semel_key_replays", "key_hash", "tenant", "replays")
                            .unique("semel_key_replays_key_hash_uq", "key_hash"),
                    SchemaTable.of("semel_jobs", "name", "holder", "held_until", "started_at", "ended_at", "report")
                            .unique("semel_jobs_name_uq", "name"))));

    /** Columns that the table of claims had before the first release. */
    private static final SchemaTable BEFORE_RELEASE = SchemaTable.of("idempotency_keys", "key_hash", "updated_at");

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

    /** Returns the schema of claims in this database. */
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
            case MARIADB -> new MariaDbDialect();
            case MYSQL -> new MySqlDialect();
            case SQLITE -> new SqliteDialect();
        };
    }

    Dialect dialect() {
        return dialect;
    }

    /** Returns all statements of all versions, to apply them manually. */
    public String ddl() {
        StringBuilder ddl = new StringBuilder();
        files.files().forEach(migration -> ddl.append(text(migration.file())).append('\n'));
        return ddl.toString();
    }

    /**
     * Checks that every table, every column and every required unique index exists, and runs the files' own checks.
     *
     * @throws SchemaException if one is missing
     */
    public void check() {
        try (Connection connection = dataSource.getConnection()) {
            refuseTablesBeforeRelease(connection);
            for (SchemaFile migration : files.files()) {
                for (SchemaTable table : migration.tables()) {
                    if (table.databases().contains(database)) {
                        check(connection, migration, table);
                    }
                }
                String proof = migration.proofs().get(database);
                if (proof != null && !DatabaseCatalog.isProved(connection, proof)) {
                    throw lacks(migration);
                }
            }
        } catch (SQLException e) {
            throw refused(e);
        }
    }

    private void check(Connection connection, SchemaFile migration, SchemaTable table) throws SQLException {
        Optional<List<String>> missing = DatabaseCatalog.missingColumns(connection, database, table);
        if (missing.isPresent() && missing.get().isEmpty()) {
            UniqueIndexCheck indexes = UniqueIndexCheck.of(connection, database, table);
            for (UniqueKey key : table.keys()) {
                indexes.problem(database, table, key).ifPresent(message -> {
                    throw new SchemaException(message, null);
                });
            }
            return;
        }
        if (files.creates(migration, table)) {
            requireSemelsTable(connection, table);
        }
        throw lacks(migration);
    }

    private SchemaException lacks(SchemaFile migration) {
        return new SchemaException(
                "The database lacks tables or columns of %s. Call %s, or apply:%n%n%s"
                        .formatted(migration.file(), files.remedy(), text(migration.file())),
                null);
    }

    /** Rejects a table that has the name of a Semel table but lacks its columns. */
    private void requireSemelsTable(Connection connection, SchemaTable table) throws SQLException {
        List<String> missing =
                DatabaseCatalog.missingColumns(connection, database, table).orElse(List.of());
        if (!missing.isEmpty()) {
            throw new SchemaException(
                    "The table %s already exists, but lacks the columns %s of Semel's table with this name. If it belongs to another application, give Semel %s. If it is Semel's, restore the columns."
                            .formatted(table.name(), String.join(", ", missing), separatePlace()),
                    null);
        }
    }

    private void refuseTablesBeforeRelease(Connection connection) throws SQLException {
        if (files.equals(CLAIMS)
                && DatabaseCatalog.missingColumns(connection, database, BEFORE_RELEASE)
                        .filter(List::isEmpty)
                        .isPresent()) {
            throw new SchemaException(
                    "The table idempotency_keys is from before the first release of Semel and cannot be converted. Stop all writers and drop Semel's tables, including %s, or give Semel %s."
                            .formatted(files.versionTable(), separatePlace()),
                    null);
        }
    }

    private String separatePlace() {
        return switch (database) {
            case POSTGRESQL ->
                "a schema of its own: run CREATE SCHEMA semel; and add ?currentSchema=semel to the JDBC URL";
            case MARIADB, MYSQL ->
                "a database of its own: run CREATE DATABASE semel; and name that database in the JDBC URL";
            case SQLITE -> "a file of its own";
        };
    }

    /**
     * Applies the missing files.
     *
     * @throws SchemaException if another application's table has one of the names, or if the database rejects a
     *     statement
     */
    public void migrate() {
        try (Connection connection = dataSource.getConnection()) {
            Connections.inAutoCommit(connection, fresh -> {
                refuseTablesBeforeRelease(fresh);
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
     * Checks, without changing anything, that {@link #migrate} can create its tables under their names. Call it for
     * every schema before you migrate the first of several.
     *
     * @throws SchemaException if another application's table has one of the names; the message contains the name and
     *     the fix
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
        // Only schema statements run here, so the message contains no data.
        return new SchemaException(
                "The database rejected a statement for Semel's tables (%s). Check that this user may create and read tables, and that the names are free. Otherwise give Semel %s."
                        .formatted(oneLine(failure.getMessage()), separatePlace()),
                failure);
    }

    private static String oneLine(@Nullable String message) {
        return message == null
                ? "no reason given"
                : message.replaceAll("\\s+", " ").strip();
    }

    /** Runs before the migration, because some databases would keep a partial one. */
    private void requireFreeNames(Connection connection) throws SQLException {
        int current = DatabaseCatalog.isTaken(connection, database, files.versionTable()) ? version(connection) : 0;
        for (SchemaFile migration : files.files()) {
            for (SchemaTable table : migration.tables()) {
                if (migration.version() > current
                        && table.databases().contains(database)
                        && files.creates(migration, table)
                        && DatabaseCatalog.isTaken(connection, database, table.name())) {
                    requireSemelsTable(connection, table);
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
                LOG.info("Applied {} ({})", migration.file(), database);
            }
        }
    }

    private void apply(Statement statement, String sql) throws SQLException {
        try {
            statement.execute(sql);
        } catch (SQLException e) {
            if (e.getErrorCode() == MAY_NOT_CREATE_TRIGGERS) {
                LOG.warn(
                        "Trigger not created: MySQL refuses it to this user while binary logging is on. Without it, the ledger does"
                                + " not refuse changes, or other applications cannot insert into it; Semel's own writes are the"
                                + " same. Set log_bin_trust_function_creators = 1, or be an administrator, and run: {}",
                        sql);
                return;
            }
            if (!dialect.wasAlreadyApplied(e)) {
                throw e;
            }
            LOG.info("Statement skipped because an interrupted migration had already applied it: {}", sql);
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
        try (InputStream resource = files.anchor().getResourceAsStream(path)) {
            Objects.requireNonNull(resource, () -> "The schema file " + path + " is missing from the jar");
            return new String(resource.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
