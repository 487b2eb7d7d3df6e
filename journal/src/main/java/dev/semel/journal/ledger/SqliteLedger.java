// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.ledger;

import dev.semel.claim.ClaimRef;
import dev.semel.jdbc.sql.NamedSql;
import dev.semel.jdbc.sql.Transaction;
import dev.semel.jdbc.sql.TransactionBounds;
import dev.semel.journal.rows.RowValues;
import dev.semel.journal.rows.SqliteJournalDialect;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** SQLite: conditional insert, row by row in one transaction. SQLite has one writer at a time, so there are no races. */
final class SqliteLedger implements LedgerTables {
    private static final NamedSql WRITE_KEY = NamedSql.of("""
            INSERT INTO ledger_ingestion_idempotency (key_hash, org_id, idempotency_key, event_id, created_at)
            VALUES (:key_hash, :org_id, :idempotency_key, :id, {now})
            ON CONFLICT (key_hash) DO NOTHING
            """.replace("{now}", SqliteJournalDialect.NOW));

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

    private final NamedSql read;

    SqliteLedger(SqliteJournalDialect dialect) {
        this.read = NamedSql.of(LedgerReads.selectingEvents(dialect, READ, ":max_bytes"));
    }

    @Override
    public Map<ClaimRef, StoredEvent> write(Connection connection, List<EventRow> rows) throws SQLException {
        Map<ClaimRef, StoredEvent> stored = new HashMap<>();
        long maxBytes = StoredEvent.maxBytes(rows.size());
        Transaction.run(connection, TransactionBounds.none(), inTransaction -> {
            try (PreparedStatement key = WRITE_KEY.prepare(inTransaction);
                    PreparedStatement event = WRITE_EVENT.prepare(inTransaction);
                    PreparedStatement find = read.prepare(inTransaction)) {
                for (EventRow row : rows) {
                    if (WRITE_KEY.bind(key, row).executeUpdate() == 1) {
                        WRITE_EVENT.bind(event, row).executeUpdate();
                    }
                    RowValues values = RowValues.over(row).put("max_bytes", maxBytes);
                    try (ResultSet found = read.bind(find, values).executeQuery()) {
                        if (found.next()) {
                            stored.put(row.ref(), LedgerReads.event(found, maxBytes));
                        }
                    }
                }
            }
            return stored;
        });
        return stored;
    }
}
