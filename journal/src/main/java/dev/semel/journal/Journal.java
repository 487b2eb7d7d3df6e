// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

import dev.semel.claim.StoreException;
import dev.semel.claim.StoreException.Kind;
import dev.semel.jdbc.Schema;
import dev.semel.jdbc.sql.Connections;
import dev.semel.jdbc.sql.Database;
import dev.semel.jdbc.sql.SchemaFiles;
import dev.semel.jdbc.sql.SchemaFiles.SchemaFile;
import dev.semel.jdbc.sql.SchemaTable;
import dev.semel.jdbc.sql.TransactionBounds;
import dev.semel.key.Secrets;
import dev.semel.replay.EpochGuardedCache;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The ledger, the call events and the webhook inbox of one database (PostgreSQL, MariaDB, MySQL or SQLite, found out from the connection).
 *
 * <p>Nothing here blocks its caller. What it answers, it answers on threads of its own: do not block them.
 */
public final class Journal implements AutoCloseable {
    /** V1 has a function of the same name, whose numbers are below those that readers have passed. */
    private static final String WRITE_NUMBERS = """
            SELECT 1 FROM pg_proc
            WHERE oid IN (to_regprocedure('semel_write()')::oid, to_regprocedure('semel_settled()')::oid)
              AND prosrc LIKE '%semel_write_numbers%'
            HAVING count(*) = 2
            """;

    private static final SchemaFiles FILES = new SchemaFiles(
            Journal.class,
            "semel_records_schema_version",
            "Journal.schema(dataSource).migrate()",
            List.of(
                    SchemaFile.of(
                            1,
                            "V1__records.sql",
                            SchemaTable.of(
                                            "events",
                                            "id",
                                            "org_id",
                                            "actor_id",
                                            "event_type",
                                            "entity_type",
                                            "entity_id",
                                            "payload",
                                            "members",
                                            "created_at",
                                            "position")
                                    .unique("events_id_uq", "id"),
                            SchemaTable.of(
                                            "ledger_ingestion_idempotency",
                                            "key_hash",
                                            "org_id",
                                            "idempotency_key",
                                            "event_id",
                                            "created_at")
                                    .unique("ledger_ingestion_key_hash_uq", "key_hash"),
                            SchemaTable.of(
                                            "calls",
                                            "id",
                                            "site_id",
                                            "signature_hash",
                                            "verified",
                                            "body",
                                            "created_at",
                                            "position")
                                    .unique("calls_id_uq", "id")
                                    .uniqueWhereNotNull(
                                            "calls_site_signature_hash_uq",
                                            "signature_hash",
                                            "site_id",
                                            "signature_hash"),
                            SchemaTable.of("semel_writes", "id", "base", "cluster")
                                    .unique("semel_writes_id_uq", "id")
                                    .only(Database.POSTGRESQL),
                            SchemaTable.of("semel_positions", "name", "last_position")
                                    .unique("semel_positions_name_uq", "name")
                                    .only(Database.MARIADB, Database.MYSQL)),
                    SchemaFile.of(
                            2,
                            "V2__webhook_inbox.sql",
                            SchemaTable.of(
                                            "webhook_inbox",
                                            "id",
                                            "tenant",
                                            "provider",
                                            "event_type",
                                            "key_hash",
                                            "key_prefix",
                                            "content_type",
                                            "verified",
                                            "payload_hash",
                                            "headers",
                                            "body",
                                            "received_at",
                                            "acked_at",
                                            "acked_by",
                                            "position")
                                    .unique("webhook_inbox_id_uq", "id")),
                    SchemaFile.of(
                                    3,
                                    "V3__write_numbers.sql",
                                    SchemaTable.of("semel_write_numbers", "last_value", "is_called")
                                            .only(Database.POSTGRESQL))
                            .provedBy(Database.POSTGRESQL, WRITE_NUMBERS)));

    private final JournalThreads threads;
    private final Ledger ledger;
    private final CallEvents calls;
    private final @Nullable InboxClaims inboxClaims;
    private final @Nullable Inbox inbox;
    private final Database database;

    Journal(JournalBuilder builder) {
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
        threads = new JournalThreads(builder.threads, builder.patience);
        EpochGuardedCache cache = new EpochGuardedCache(builder.cache, builder.epochs, threads);
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
            JournalBuilder builder,
            Secrets secrets,
            JournalThreads threads) {
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

    /** Journal in a database whose schema is in place; see {@link #schema}. */
    public static JournalBuilder on(DataSource dataSource) {
        return new JournalBuilder(dataSource);
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

    /**
     * Lets finish what is under way, for a while. Every stage that was handed out is complete when it returns; the data source
     * stays its owner's.
     */
    @Override
    public void close() {
        if (inboxClaims != null) {
            inboxClaims.close();
        }
        threads.close();
    }
}
