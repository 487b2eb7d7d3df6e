// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.storage;

import dev.semel.claim.StoreException;
import dev.semel.jdbc.JdbcClaimStore;
import dev.semel.jdbc.Schema;
import dev.semel.jdbc.SchemaException;
import dev.semel.journal.Journal;
import dev.semel.journal.JournalBuilder;
import dev.semel.journal.JournalListener;
import dev.semel.journal.ledger.OnMismatch;
import dev.semel.server.config.ConfigException;
import dev.semel.server.config.DatabaseSettings;
import dev.semel.server.config.LedgerSettings;
import dev.semel.server.config.Settings;
import dev.semel.spi.CacheEpoch;
import dev.semel.spi.HistoryStore;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;

/** An SQL database: its data source, which all parts share, and the claim store. */
public final class SqlStorage implements Storage {
    private static final Duration MAX_WAIT = Duration.ofSeconds(5);

    private final DatabasePool database;
    private final DataSource pool;
    private final JdbcClaimStore claims;
    private final SchemaMode schema;

    private SqlStorage(DatabasePool database, JdbcClaimStore claims, SchemaMode schema) {
        this.database = database;
        this.pool = database.dataSource();
        this.claims = claims;
        this.schema = schema;
    }

    /**
     * Connects, and migrates or checks the schema.
     *
     * @throws ConfigException if the database is unavailable, lacks tables, or contains foreign tables with Semel's names
     */
    public static SqlStorage open(DatabaseSettings settings, SchemaMode schema) {
        DatabasePool database = DatabasePool.open(settings);
        DataSource pool = database.dataSource();
        try {
            if (schema == SchemaMode.MIGRATE) {
                // Check before anything is created, so that a rejected database stays unchanged.
                Schema.of(pool).requireFreeNames();
                Journal.schema(pool).requireFreeNames();
                database.createSchema();
                return new SqlStorage(database, JdbcClaimStore.migrating(pool), schema);
            }
            Journal.schema(pool).check();
            return new SqlStorage(database, JdbcClaimStore.on(pool), schema);
        } catch (StoreException | SchemaException e) {
            database.close();
            throw schema == SchemaMode.CHECK && e instanceof SchemaException
                    ? notMigrated(settings, e)
                    : database.unusable(e);
        } catch (RuntimeException e) {
            database.close();
            throw e;
        }
    }

    /** The first sentence of the cause says what is missing. The statements after it are printed by the command. */
    private static ConfigException notMigrated(DatabaseSettings settings, RuntimeException cause) {
        return new ConfigException(
                ("The database %s does not have the schema of this version: %s. Run `semel migrate` with the"
                                + " same settings, or apply what `semel migrate --print` prints.")
                        .formatted(
                                settings.shown(),
                                String.valueOf(cause.getMessage())
                                        .replaceFirst("(?s)\\. .*", "")
                                        .replaceFirst("\\.$", "")));
    }

    /** Returns the data source, for tables next to the claims. */
    public DataSource dataSource() {
        return pool;
    }

    /**
     * Opens the ledger, the call events and the webhook inbox in the same database.
     *
     * @param engine its secrets encrypt the content of the inbox, and its listeners hear of the inbox's claims
     * @param listener counts what happens in the journal
     * @throws ConfigException if the database is unavailable or contains foreign tables with Semel's names
     */
    public Journal journal(Settings settings, Engine engine, JournalListener listener) {
        try {
            return migrated(settings, engine, listener);
        } catch (StoreException | SchemaException e) {
            throw database.unusable(e);
        }
    }

    private Journal migrated(Settings settings, Engine engine, JournalListener listener) {
        if (schema == SchemaMode.MIGRATE) {
            Journal.schema(pool).migrate();
        }
        JournalBuilder builder = Journal.on(pool);
        engine.listeners().forEach(builder::claimListener);
        return builder.onMismatch(
                        settings.ledger().onMismatch() == LedgerSettings.MismatchResponse.REJECT
                                ? OnMismatch.REJECT
                                : OnMismatch.REPORT)
                .writeSignatureHash(settings.calls().writeSignatureHash())
                .replayCache(engine.caches().replays(), claims)
                .inbox(engine.secrets())
                .listener(listener)
                // The cleanup does it, on one instance at a time.
                .withoutPurge()
                // Shorter than clients wait for a response.
                .maxWait(MAX_WAIT)
                .build();
    }

    /** Opens the journal for look-ups only: without an inbox, which needs secrets. */
    public Journal lookUpJournal() {
        return Journal.on(pool).threads(1).maxWait(MAX_WAIT).build();
    }

    /** Returns whether there is any claim. */
    boolean hasClaims() {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT 1 FROM idempotency_keys LIMIT 1")) {
            return row.next();
        } catch (SQLException e) {
            throw database.unusable(
                    new StoreException(StoreException.Kind.UNREACHABLE, "The claims cannot be read", e));
        }
    }

    @Override
    public JdbcClaimStore claims() {
        return claims;
    }

    @Override
    public HistoryStore history() {
        return claims;
    }

    @Override
    public CacheEpoch epoch() {
        return claims;
    }

    @Override
    public String product() {
        try (Connection connection = pool.getConnection()) {
            DatabaseMetaData about = connection.getMetaData();
            return about.getDatabaseProductName() + " " + about.getDatabaseProductVersion();
        } catch (SQLException e) {
            throw new StoreException(StoreException.Kind.UNREACHABLE, "The database does not answer", e);
        }
    }

    @Override
    public void close() {
        claims.close();
        database.close();
    }
}
