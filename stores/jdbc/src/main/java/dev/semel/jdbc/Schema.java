// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.claim.StoreException.Kind;
import dev.semel.jdbc.sql.Connections;
import dev.semel.jdbc.sql.Database;
import dev.semel.jdbc.sql.SchemaFiles;
import dev.semel.jdbc.sql.SchemaFiles.SchemaFile;
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
import javax.sql.DataSource;
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
            List.of(new SchemaFile(1, "V1__claims.sql", """
            SELECT key_hash, tenant, scope, secret_id, record_id, claim_nonce, fingerprint, status, on_stale,
                   attempt_count, fence, ttl_micros, created_at, updated_at, started_at, lease_until, run_until,
                   completed_at, expires_at, result_type, result, reason
            FROM idempotency_keys WHERE 1 = 0
            """), new SchemaFile(2, "V2__aliases_epoch_due.sql", """
            SELECT k.alias_of, k.alias_conflict, k.due_at, e.id, e.epoch
            FROM idempotency_keys AS k, semel_epoch AS e WHERE 1 = 0
            """)));

    private final DataSource dataSource;
    private final Dialect dialect;
    private final SchemaFiles files;

    private Schema(DataSource dataSource, Dialect dialect, SchemaFiles files) {
        this.dataSource = dataSource;
        this.dialect = dialect;
        this.files = files;
    }

    /** The schema of claims in this database. */
    public static Schema of(DataSource dataSource) {
        return of(dataSource, CLAIMS);
    }

    /** The schema of another module of this project. */
    public static Schema of(DataSource dataSource, SchemaFiles files) {
        Objects.requireNonNull(files, "A schema's files must not be null");
        return new Schema(dataSource, dialectOf(Database.of(dataSource)), files);
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
     * Makes sure that every table and column is there.
     *
     * @throws SchemaException if one is missing
     */
    public void check() {
        for (SchemaFile migration : files.files()) {
            try (Connection connection = dataSource.getConnection();
                    Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery(migration.probe())) {
                LOG.trace("Schema version {} is in place: {}", migration.version(), rows);
            } catch (SQLException e) {
                if (SqlFailures.kindOf(e) != Kind.REJECTED) {
                    throw SqlFailures.translate(e);
                }
                throw new SchemaException(
                        "The database lacks what %s creates. Call %s, or apply:%n%n%s"
                                .formatted(migration.file(), files.remedy(), text(migration.file())),
                        e);
            }
        }
    }

    /** Applies what is missing. */
    public void migrate() {
        try (Connection connection = dataSource.getConnection()) {
            Connections.inAutoCommit(connection, fresh -> {
                dialect.migrating(fresh, () -> {
                    try (Statement statement = fresh.createStatement()) {
                        applyMissing(statement);
                    }
                });
                return fresh;
            });
        } catch (SQLException e) {
            throw SqlFailures.translate(e);
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
        int current;
        try (ResultSet rows = statement.executeQuery("SELECT coalesce(max(version), 0) FROM " + files.versionTable())) {
            current = rows.next() ? rows.getInt(1) : 0;
        }
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
