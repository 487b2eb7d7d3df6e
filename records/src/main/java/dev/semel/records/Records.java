// SPDX-License-Identifier: Apache-2.0
package dev.semel.records;

import dev.semel.claim.StoreException;
import dev.semel.claim.StoreException.Kind;
import dev.semel.jdbc.Schema;
import dev.semel.jdbc.sql.Connections;
import dev.semel.jdbc.sql.Database;
import dev.semel.jdbc.sql.SchemaFiles;
import dev.semel.jdbc.sql.SchemaFiles.SchemaFile;
import dev.semel.jdbc.sql.TransactionBounds;
import dev.semel.key.Secrets;
import dev.semel.replay.TrustedCache;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The ledger, the call events and the webhook inbox of one database (PostgreSQL, MariaDB, MySQL or SQLite, found out from the connection).
 *
 * <p>Nothing here blocks its caller. What it answers, it answers on threads of its own: do not block them.
 */
public final class Records implements AutoCloseable {
    private static final SchemaFiles FILES = new SchemaFiles(
            Records.class,
            "semel_records_schema_version",
            "Records.schema(dataSource).migrate()",
            List.of(new SchemaFile(1, "V1__records.sql", """
            SELECT e.id, e.org_id, e.actor_id, e.event_type, e.entity_type, e.entity_id, e.payload, e.members,
                   e.created_at, e.position, k.key_hash, k.org_id, k.idempotency_key, k.event_id, k.created_at,
                   c.id, c.site_id, c.signature_hash, c.verified, c.body, c.created_at, c.position
            FROM events AS e, ledger_ingestion_idempotency AS k, calls AS c WHERE 1 = 0
            """), new SchemaFile(2, "V2__webhook_inbox.sql", """
            SELECT id, tenant, provider, event_type, key_hash, key_prefix, content_type, verified, payload_hash, headers,
                   body, received_at, acked_at, acked_by, position
            FROM webhook_inbox WHERE 1 = 0
            """)));

    private final Threads threads;
    private final Ledger ledger;
    private final CallEvents calls;
    private final @Nullable InboxClaims inboxClaims;
    private final @Nullable Inbox inbox;
    private final Database database;

    Records(RecordsBuilder builder) {
        schema(builder.dataSource).check();
        database = Database.of(builder.dataSource);
        Connections connections = new Connections(builder.dataSource, database.hasNetwork(), builder.statementTimeout);
        TransactionBounds bounds = TransactionBounds.of(
                database, builder.statementTimeout.dividedBy(2), builder.statementTimeout.multipliedBy(2));
        Tables tables = switch (database) {
            case POSTGRESQL -> new PostgresTables(builder.statementTimeout, bounds);
            case MARIADB, MYSQL -> new MariaDbTables(bounds);
            case SQLITE -> new SqliteTables();
        };
        connections.run(connection -> {
            tables.prepare(connection);
            return tables;
        });
        Secrets secrets = builder.inboxSecrets;
        inboxClaims = secrets == null || database == Database.MYSQL
                ? null
                : new InboxClaims(builder.dataSource, secrets, tables.inbox());
        threads = new Threads(builder.threads, builder.patience);
        TrustedCache cache = new TrustedCache(builder.cache, builder.epochs, threads);
        // Asked once in advance, so that the first record can be kept already.
        cache.epoch();
        Reading reading = new Reading(tables.reads(), connections, threads);
        ledger = new Ledger(
                new GroupedWrites<EventRow, StoredEvent>(
                        rows -> {
                            Map<?, StoredEvent> there = connections.run(connection -> tables.write(connection, rows));
                            return rows.stream()
                                    .map(row -> found(there.get(row.ref())))
                                    .toList();
                        },
                        tables.lanes(),
                        builder.patience,
                        threads),
                reading,
                cache,
                builder.onMismatch);
        calls = new CallEvents(
                new GroupedWrites<>(
                        rows -> {
                            var there = connections.run(connection -> tables.writeCalls(connection, rows));
                            return rows.stream()
                                    .map(row -> found(there.get(row.id())))
                                    .toList();
                        },
                        tables.lanes(),
                        builder.patience,
                        threads),
                reading,
                cache,
                builder.writeSignatureHash);
        inbox = inboxClaims == null || secrets == null
                ? null
                : inbox(inboxClaims, tables, reading, builder, secrets, threads);
    }

    private static Inbox inbox(
            InboxClaims claims,
            Tables tables,
            Reading reading,
            RecordsBuilder builder,
            Secrets secrets,
            Threads threads) {
        InboxSeals seals = new InboxSeals(secrets);
        InboxReads reads = new InboxReads(tables.reads(), tables.inbox(), seals);
        Retention retention = new Retention(reads, reading, builder.inboxRetention);
        retention.start(threads);
        return new Inbox(claims, seals, reads, reading, retention, builder.patience);
    }

    /** Something conflicted, and then was not there: it was deleted in between. Another try settles it. */
    private static <S> S found(@Nullable S stored) {
        if (stored == null) {
            throw new StoreException(Kind.BUSY, "A record was deleted while it was looked for");
        }
        return stored;
    }

    /** The tables in this database, to be migrated or checked. */
    public static Schema schema(DataSource dataSource) {
        return Schema.of(dataSource, FILES);
    }

    /** Records in a database whose schema is in place; see {@link #schema}. */
    public static RecordsBuilder on(DataSource dataSource) {
        return new RecordsBuilder(dataSource);
    }

    public Ledger ledger() {
        return ledger;
    }

    public CallEvents calls() {
        return calls;
    }

    /**
     * The webhook inbox.
     *
     * @throws IllegalStateException if there is none, because no secrets were given or because the database is MySQL
     */
    public Inbox inbox() {
        if (inbox == null) {
            throw new IllegalStateException(
                    database == Database.MYSQL
                            ? "The webhook inbox needs claims inside a transaction, which MySQL cannot make: use"
                                    + " PostgreSQL, MariaDB or SQLite, or forward webhooks instead"
                            : "The webhook inbox needs secrets to seal by: build the records with inbox(secrets)");
        }
        return inbox;
    }

    /** Lets finish what is under way, for a while; the data source stays its owner's. */
    @Override
    public void close() {
        if (inboxClaims != null) {
            inboxClaims.close();
        }
        threads.close();
    }
}
