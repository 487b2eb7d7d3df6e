// SPDX-License-Identifier: Apache-2.0
package dev.semel.records;

import dev.semel.claim.StoreException;
import dev.semel.claim.StoreException.Kind;
import dev.semel.jdbc.Schema;
import dev.semel.jdbc.sql.Connections;
import dev.semel.jdbc.sql.Database;
import dev.semel.jdbc.sql.SchemaFiles;
import dev.semel.jdbc.sql.SchemaFiles.SchemaFile;
import dev.semel.replay.TrustedCache;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The ledger and the call events of one database (PostgreSQL, MariaDB, MySQL or SQLite, found out from the connection).
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
            """)));

    private final Threads threads;
    private final Ledger ledger;
    private final CallEvents calls;

    Records(RecordsBuilder builder) {
        schema(builder.dataSource).check();
        Database database = Database.of(builder.dataSource);
        Connections connections = new Connections(builder.dataSource, database.hasNetwork(), builder.statementTimeout);
        Tables tables = switch (database) {
            case POSTGRESQL -> new PostgresTables(builder.statementTimeout);
            case MARIADB, MYSQL -> new MariaDbTables();
            case SQLITE -> new SqliteTables();
        };
        connections.run(connection -> {
            tables.prepare(connection);
            return tables;
        });
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

    /** Lets finish what is under way, for a while; the data source stays its owner's. */
    @Override
    public void close() {
        threads.close();
    }
}
