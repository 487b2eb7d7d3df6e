// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

import dev.semel.claim.ClaimRef;
import dev.semel.jdbc.sql.NamedSql;
import dev.semel.jdbc.sql.Transaction;
import dev.semel.jdbc.sql.TransactionBounds;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** SQLite: conditional insert, row by row in one transaction. There is one writer, and nobody to race. */
final class SqliteTables implements Tables, Reads.Words {
    static final String NOW = "CAST(round(unixepoch('subsec') * 1000000) AS INTEGER)";

    private static final NamedSql WRITE_KEY = NamedSql.of("""
            INSERT INTO ledger_ingestion_idempotency (key_hash, org_id, idempotency_key, event_id, created_at)
            VALUES (:key_hash, :org_id, :idempotency_key, :id, {now})
            ON CONFLICT (key_hash) DO NOTHING
            """.replace("{now}", NOW));

    private static final NamedSql WRITE_EVENT = NamedSql.of("""
            INSERT INTO events (id, org_id, actor_id, event_type, entity_type, entity_id, payload, members, created_at)
            SELECT :id, :org_id, :actor_id, :event_type, :entity_type, :entity_id, :payload, :members, k.created_at
            FROM ledger_ingestion_idempotency AS k WHERE k.key_hash = :key_hash
            """);

    private static final String READ = """
            SELECT {columns}
            FROM ledger_ingestion_idempotency AS k JOIN events AS e ON e.id = k.event_id {measuring}
            WHERE k.key_hash = :key_hash
            """;

    private static final NamedSql WRITE_CALL = NamedSql.of("""
            INSERT INTO calls (id, site_id, signature_hash, verified, body, created_at)
            VALUES (:id, :site_id, :signature_hash, :verified, :body, {now})
            ON CONFLICT DO NOTHING
            """.replace("{now}", NOW));

    private static final NamedSql READ_CALL = NamedSql.of("""
            SELECT id FROM calls WHERE id = :id
            UNION ALL
            SELECT id FROM calls WHERE site_id = :site_id AND signature_hash = :signature_hash
            """);

    private final Reads reads = new Reads(this);
    private final NamedSql read = NamedSql.of(reads.selectingEvents(READ, ":largest"));

    @Override
    public int lanes() {
        return 1;
    }

    @Override
    public void prepare(Connection connection) {
        // Nothing to do: the schema is all it needs.
    }

    @Override
    public Map<ClaimRef, StoredEvent> write(Connection connection, List<EventRow> rows) throws SQLException {
        Map<ClaimRef, StoredEvent> there = new HashMap<>();
        long largest = StoredEvent.largest(rows.size());
        Transaction.run(connection, TransactionBounds.none(), inTransaction -> {
            try (PreparedStatement key = WRITE_KEY.prepare(inTransaction);
                    PreparedStatement event = WRITE_EVENT.prepare(inTransaction);
                    PreparedStatement find = read.prepare(inTransaction)) {
                for (EventRow row : rows) {
                    if (WRITE_KEY.bind(key, row).executeUpdate() == 1) {
                        WRITE_EVENT.bind(event, row).executeUpdate();
                    }
                    try (ResultSet found = read.bind(find, Values.over(row).put("largest", largest))
                            .executeQuery()) {
                        if (found.next()) {
                            there.put(row.ref(), Reads.event(found, largest));
                        }
                    }
                }
            }
            return there;
        });
        return there;
    }

    @Override
    public Map<UUID, UUID> writeCalls(Connection connection, List<CallRow> rows) throws SQLException {
        Map<UUID, UUID> there = new HashMap<>();
        Transaction.run(connection, TransactionBounds.none(), inTransaction -> {
            try (PreparedStatement write = WRITE_CALL.prepare(inTransaction);
                    PreparedStatement find = READ_CALL.prepare(inTransaction)) {
                for (CallRow row : rows) {
                    Values values = Values.of(row);
                    if (WRITE_CALL.bind(write, values).executeUpdate() == 1) {
                        there.put(row.id(), row.id());
                        continue;
                    }
                    try (ResultSet found = READ_CALL.bind(find, values).executeQuery()) {
                        if (found.next()) {
                            there.put(row.id(), Reads.id(found));
                        }
                    }
                }
            }
            return there;
        });
        return there;
    }

    @Override
    public InboxTables inbox() {
        return new SqliteInbox();
    }

    @Override
    public Reads reads() {
        return reads;
    }

    @Override
    public String micros(String column) {
        return column;
    }
}
