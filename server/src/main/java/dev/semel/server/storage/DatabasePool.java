// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.storage;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.semel.claim.StoreException;
import dev.semel.jdbc.SqliteFile;
import dev.semel.jdbc.sql.SqlFailures;
import dev.semel.server.config.ConfigException;
import dev.semel.server.config.DatabaseSettings;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.sql.DataSource;

/** The connections to the configured database. */
public final class DatabasePool implements AutoCloseable {
    private static final String MYSQL = "jdbc:mysql:";
    private static final String MARIADB = "jdbc:mariadb:";
    private static final String PREPARED = "useServerPrepStmts=true&cachePrepStmts=true";

    /** Shorter than the engine's limit of 5 s, so that the engine receives the cause. */
    private static final Duration LONGEST_WAIT_FOR_CONNECTION = Duration.ofSeconds(3);

    /** A strong reference: java.util.logging forgets loggers without one, including their level. */
    private static final Logger POSTGRES_DRIVER = Logger.getLogger("org.postgresql.Driver");

    /** PostgreSQL's SQLState for a write in a read-only transaction, such as on a standby. */
    private static final String READ_ONLY = "25006";

    private static final String WRONG_USER = "28";
    private static final String NO_SUCH_DATABASE = "3D000";
    private static final int MARIADB_NO_SUCH_DATABASE = 1049;
    private static final int MARIADB_DATABASE_DENIED = 1044;

    private final DatabaseSettings settings;
    private final DataSource dataSource;

    private DatabasePool(DatabaseSettings settings, DataSource dataSource) {
        this.settings = settings;
        this.dataSource = dataSource;
    }

    /**
     * Opens the database. A server is connected to when the first connection is requested. A missing SQLite file is created.
     *
     * @throws ConfigException if the SQLite file cannot be opened, or the driver rejects the URL
     */
    public static DatabasePool open(DatabaseSettings settings) {
        return new DatabasePool(settings, settings.isSqlite() ? sqlite(settings) : server(settings));
    }

    public DataSource dataSource() {
        return dataSource;
    }

    /** Returns the statements that create and select the configured schema; empty if none is configured. */
    public String schemaDdl() {
        return settings.schema()
                .map(schema -> "CREATE SCHEMA IF NOT EXISTS %1$s;%n%nSET search_path TO %1$s;%n%n".formatted(schema))
                .orElse("");
    }

    /**
     * Creates the configured schema, if it is missing. Several processes may do it at once.
     *
     * @throws StoreException if the database is unavailable
     * @throws ConfigException if the user may not create it
     */
    public void createSchema() {
        if (settings.schema().isEmpty()) {
            return;
        }
        String schema = settings.schema().get();
        try (Connection connection = dataSource.getConnection()) {
            // A user without the right to create schemas may use one that exists.
            if (!exists(connection, schema)) {
                try (Statement statement = connection.createStatement()) {
                    statement.execute("CREATE SCHEMA IF NOT EXISTS " + schema);
                } catch (SQLException e) {
                    // Another process may have created it in between, which is an error even with IF NOT EXISTS.
                    if (!exists(connection, schema)) {
                        throw e;
                    }
                }
            }
        } catch (SQLException e) {
            if (SqlFailures.kindOf(e) != StoreException.Kind.REJECTED) {
                throw SqlFailures.translate(e);
            }
            throw new ConfigException(
                    "The schema %1$s of %2$s is missing and cannot be created (SQLState %3$s). As an administrator, run: CREATE SCHEMA %1$s AUTHORIZATION <user>;"
                            .formatted(schema, settings.shownUrl(), e.getSQLState()));
        }
    }

    private static boolean exists(Connection connection, String schema) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = ?")) {
            statement.setString(1, schema);
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next();
            }
        }
    }

    /** Closes the data source. All kinds of it are closeable. */
    @Override
    public void close() {
        if (dataSource instanceof HikariDataSource hikari) {
            hikari.close();
        } else {
            ((SqliteFile) dataSource).close();
        }
    }

    /** Describes why the database cannot be used, and what to do, without secrets. */
    public ConfigException unusable(RuntimeException failure) {
        return unusable(settings, failure);
    }

    private static SqliteFile sqlite(DatabaseSettings settings) {
        try {
            if (settings.file().isPresent()) {
                DataFolder.prepareDatabase(settings.file().get());
            }
        } catch (IOException e) {
            throw new ConfigException(("The database file of %s cannot be created (%s): set --data-dir or"
                            + " --database-url to a writable location")
                    .formatted(settings.shownUrl(), e.getClass().getSimpleName()));
        }
        try {
            return SqliteFile.at(settings.url(), LONGEST_WAIT_FOR_CONNECTION);
        } catch (StoreException e) {
            throw unusable(settings, e);
        }
    }

    private static HikariDataSource server(DatabaseSettings settings) {
        // The driver logs URLs that it cannot parse, including secrets.
        POSTGRES_DRIVER.setLevel(Level.OFF);
        HikariConfig config = new HikariConfig();
        config.setPoolName("semel");
        config.setJdbcUrl(driversUrl(settings.url()));
        config.setConnectionTimeout(LONGEST_WAIT_FOR_CONNECTION.toMillis());
        config.setValidationTimeout(1_000);
        // Connect lazily: the first query reports an unavailable database with a better message.
        config.setInitializationFailTimeout(-1);
        config.setMaximumPoolSize(settings.poolSize());
        config.setMinimumIdle(Math.min(2, settings.poolSize()));
        settings.user().ifPresent(config::setUsername);
        // The driver sends it with the connection's start, so no statement can undo it. All statements name tables
        // only.
        settings.schema().ifPresent(schema -> config.addDataSourceProperty("currentSchema", schema));
        settings.password().ifPresent(password -> config.setPassword(password.reveal()));
        try {
            return new HikariDataSource(config);
        } catch (RuntimeException e) {
            // Do not use the message. It quotes the URL, as do messages about unknown options.
            throw new ConfigException(
                    "The database %s cannot be used: its driver rejects the URL (%s). Check the options of the URL."
                            .formatted(settings.shownUrl(), FailureCauses.reason(e)));
        }
    }

    /**
     * MariaDB's driver also connects to MySQL, but only accepts its own URL scheme. Statements that MariaDB prepares cost less of
     * its time; if the user's URL mentions prepared statements, it decides.
     */
    static String driversUrl(String url) {
        if (url.startsWith(MYSQL)) {
            return MARIADB + url.substring(MYSQL.length());
        }
        return url.startsWith(MARIADB) && !url.toLowerCase(Locale.ROOT).contains("prepstmt")
                ? url + (url.contains("?") ? "&" : "?") + PREPARED
                : url;
    }

    private static ConfigException unusable(DatabaseSettings settings, RuntimeException failure) {
        if (failure.getCause() instanceof SQLException refused && READ_ONLY.equals(refused.getSQLState())) {
            return new ConfigException(("The database %s is read-only (SQLState %s). Connect to the primary, not to a"
                            + " standby; with several hosts in the URL add targetServerType=primary. Or"
                            + " disable default_transaction_read_only.")
                    .formatted(settings.shownUrl(), READ_ONLY));
        }
        Optional<String> refusal = refusal(failure);
        if (refusal.isPresent()) {
            return new ConfigException("The database %s %s".formatted(settings.shownUrl(), refusal.get()));
        }
        if (failure instanceof StoreException store && store.kind() == StoreException.Kind.UNREACHABLE) {
            return new ConfigException(("The database %s is unavailable (%s). Check that it is running and that"
                            + " --database-url, SEMEL_DATABASE_USER and SEMEL_DATABASE_PASSWORD are correct.")
                    .formatted(settings.shownUrl(), FailureCauses.reason(failure)));
        }
        return new ConfigException(
                "The database %s cannot be used: %s".formatted(settings.shownUrl(), failure.getMessage()));
    }

    /** What a database says that runs, but accepts no session. The pool wraps it as an unavailable connection. */
    private static Optional<String> refusal(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException refused && refused.getSQLState() != null) {
                String state = refused.getSQLState();
                if (state.startsWith(WRONG_USER)) {
                    return Optional.of("refuses the user or the password (SQLState %s). Correct SEMEL_DATABASE_USER or"
                                    .formatted(state)
                            + " SEMEL_DATABASE_PASSWORD.");
                }
                if (state.equals(NO_SUCH_DATABASE) || refused.getErrorCode() == MARIADB_NO_SUCH_DATABASE) {
                    return Optional.of(
                            "does not exist (SQLState %s). Create it, or correct --database-url.".formatted(state));
                }
                if (refused.getErrorCode() == MARIADB_DATABASE_DENIED) {
                    return Optional.of(
                            "refuses this user (SQLState %s). Grant the user all rights on it, or correct --database-url."
                                    .formatted(state));
                }
            }
        }
        return Optional.empty();
    }
}
