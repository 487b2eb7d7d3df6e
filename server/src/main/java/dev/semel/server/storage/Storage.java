// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.storage;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.semel.claim.StoreException;
import dev.semel.jdbc.JdbcClaimStore;
import dev.semel.jdbc.Schema;
import dev.semel.jdbc.SchemaException;
import dev.semel.jdbc.SqliteFile;
import dev.semel.jdbc.sql.Database;
import dev.semel.journal.Journal;
import dev.semel.journal.ledger.OnMismatch;
import dev.semel.key.Secrets;
import dev.semel.replay.ReplayCache;
import dev.semel.server.config.ConfigException;
import dev.semel.server.config.DatabaseSettings;
import dev.semel.server.config.LedgerSettings;
import dev.semel.server.config.Settings;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.sql.DataSource;

/** The database that was configured: its one data source, which everything shares, and the claims in it. */
public final class Storage implements AutoCloseable {
    private static final String MYSQL = "jdbc:mysql:";

    /** Below the engine's own bound of 5 s, so that it hears why. */
    private static final Duration LONGEST_WAIT_FOR_CONNECTION = Duration.ofSeconds(3);

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /** Held here, because the log's own manager forgets a logger that nobody holds, and its level with it. */
    private static final Logger POSTGRES_DRIVER = Logger.getLogger("org.postgresql.Driver");

    private final DataSource pool;
    private final JdbcClaimStore claims;

    /** PostgreSQL: a write in a read-only transaction, as all are on a standby. */
    private static final String READ_ONLY = "25006";

    private Storage(DataSource pool, JdbcClaimStore claims) {
        this.pool = pool;
        this.claims = claims;
    }

    /**
     * Connects, and brings the schema up to date.
     *
     * @throws ConfigException if the database does not answer, or has other tables than Semel's
     */
    public static Storage open(DatabaseSettings settings) {
        DataSource pool = settings.isSqlite() ? sqlite(settings) : server(settings);
        try {
            // Before anything is created: a database that is refused stays as it was.
            Schema.of(pool).requireFreeNames();
            Journal.schema(pool).requireFreeNames();
            return new Storage(pool, JdbcClaimStore.migrating(pool));
        } catch (StoreException | SchemaException e) {
            close(pool);
            throw unusable(settings, e);
        } catch (RuntimeException e) {
            close(pool);
            throw e;
        }
    }

    /** Every data source that is made here can be closed. */
    private static void close(DataSource pool) {
        if (pool instanceof HikariDataSource hikari) {
            hikari.close();
        } else {
            ((SqliteFile) pool).close();
        }
    }

    /** For records that live beside the claims. */
    public DataSource dataSource() {
        return pool;
    }

    /**
     * The ledger, the call events and, where there can be one, the webhook inbox, in the same database.
     *
     * @param secrets seal what is in the inbox
     * @throws ConfigException if the database does not answer, or has other tables than Semel's
     */
    public Journal records(Settings settings, ReplayCache replays, Secrets secrets) {
        try {
            return migrated(settings, replays, secrets);
        } catch (StoreException | SchemaException e) {
            throw unusable(settings.database(), e);
        }
    }

    private Journal migrated(Settings settings, ReplayCache replays, Secrets secrets) {
        Journal.schema(pool).migrate();
        return Journal.on(pool)
                .onMismatch(
                        settings.ledger().onMismatch() == LedgerSettings.OnMismatch.REJECT
                                ? OnMismatch.REJECT
                                : OnMismatch.REPORT)
                .writeSignatureHash(settings.calls().writeSignatureHash())
                .replayCache(replays, claims)
                .inbox(secrets)
                // Below what a client waits for an answer.
                .maxWait(PATIENCE)
                .build();
    }

    /** Whether records have an inbox: MySQL cannot claim inside a transaction. */
    public boolean hasInbox() {
        return Database.of(pool) != Database.MYSQL;
    }

    public JdbcClaimStore claims() {
        return claims;
    }

    @Override
    public void close() {
        claims.close();
        close(pool);
    }

    private static SqliteFile sqlite(DatabaseSettings settings) {
        try {
            if (settings.file().isPresent()) {
                DataFolder.prepareDatabase(settings.file().get());
            }
        } catch (IOException e) {
            throw new ConfigException(
                    "The database file of %s could not be made (%s): set --data-dir or --database-url to a place that can be written"
                            .formatted(settings.shownUrl(), e.getClass().getSimpleName()));
        }
        try {
            return SqliteFile.at(settings.url(), LONGEST_WAIT_FOR_CONNECTION);
        } catch (StoreException e) {
            throw unusable(settings, e);
        }
    }

    private static HikariDataSource server(DatabaseSettings settings) {
        // It quotes a URL that it cannot read, past our own log.
        POSTGRES_DRIVER.setLevel(Level.OFF);
        HikariConfig config = new HikariConfig();
        config.setPoolName("semel");
        // MariaDB's driver speaks to MySQL too, by its own name only.
        config.setJdbcUrl(
                settings.url().startsWith(MYSQL)
                        ? "jdbc:mariadb:" + settings.url().substring(MYSQL.length())
                        : settings.url());
        config.setConnectionTimeout(LONGEST_WAIT_FOR_CONNECTION.toMillis());
        config.setValidationTimeout(1_000);
        // The first question finds out whether the database is there, and says it better.
        config.setInitializationFailTimeout(-1);
        config.setMaximumPoolSize(settings.poolSize());
        config.setMinimumIdle(Math.min(2, settings.poolSize()));
        settings.user().ifPresent(config::setUsername);
        settings.password().ifPresent(password -> config.setPassword(password.reveal()));
        try {
            return new HikariDataSource(config);
        } catch (RuntimeException e) {
            // Its message, and that of a driver that does not understand an option, quote the URL.
            throw new ConfigException(
                    "The database %s cannot be used: its driver does not accept the URL (%s). Check its options."
                            .formatted(settings.shownUrl(), reason(e)));
        }
    }

    private static ConfigException unusable(DatabaseSettings settings, RuntimeException failure) {
        if (failure.getCause() instanceof SQLException refused && READ_ONLY.equals(refused.getSQLState())) {
            return new ConfigException(
                    "The database %s takes no writes (SQLState %s). Connect to the primary, not to a standby; with several hosts in the URL add targetServerType=primary. Or switch default_transaction_read_only off."
                            .formatted(settings.shownUrl(), READ_ONLY));
        }
        if (failure instanceof StoreException store && store.kind() == StoreException.Kind.UNREACHABLE) {
            return new ConfigException(
                    "The database %s did not answer (%s). Is it running, and are --database-url, SEMEL_DATABASE_USER and SEMEL_DATABASE_PASSWORD right?"
                            .formatted(settings.shownUrl(), reason(failure)));
        }
        return new ConfigException(
                "The database %s cannot be used: %s".formatted(settings.shownUrl(), failure.getMessage()));
    }

    /** The innermost exception's class: its message may quote what was sent. */
    private static String reason(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null && cause.getCause() != cause) {
            cause = cause.getCause();
        }
        return cause.getClass().getSimpleName();
    }
}
