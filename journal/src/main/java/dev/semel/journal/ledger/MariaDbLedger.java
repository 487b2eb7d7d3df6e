// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.ledger;

import static dev.semel.journal.rows.MariaDbJournalDialect.bytes;
import static dev.semel.journal.rows.MariaDbJournalDialect.insert;
import static dev.semel.journal.rows.MariaDbJournalDialect.repeated;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Digest;
import dev.semel.jdbc.sql.NamedSql;
import dev.semel.journal.rows.MariaDbJournalDialect;
import dev.semel.journal.rows.MariaDbPositionLock;
import dev.semel.journal.rows.RowReader;
import dev.semel.journal.rows.RowValues;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** MariaDB and MySQL: short lock. Existing keys are read, then read again under the lock; the rest is written. */
final class MariaDbLedger implements LedgerTables {
    private static final String READ = """
            SELECT k.key_hash, {columns}
            FROM ledger_ingestion_idempotency AS k JOIN events AS e ON e.id = k.event_id {measuring}
            WHERE k.key_hash IN ({hashes})
            """;

    private static final String WRITE_EVENTS = """
            INSERT INTO events
                (position, id, org_id, actor_id, event_type, entity_type, entity_id, payload, members, created_at)
            VALUES {rows}
            """;

    private static final String EVENT_ROW =
            "(:position, :id, :org_id, :actor_id, :event_type, :entity_type, :entity_id, :payload, :members, {moment})"
                    .replace("{moment}", MariaDbPositionLock.MOMENT);

    private static final String WRITE_KEYS = """
            INSERT INTO ledger_ingestion_idempotency (key_hash, org_id, idempotency_key, event_id, created_at)
            VALUES {rows}
            """;

    private static final String KEY_ROW =
            "(:key_hash, :org_id, :idempotency_key, :id, {moment})".replace("{moment}", MariaDbPositionLock.MOMENT);

    private final MariaDbJournalDialect dialect;
    private final String read;

    MariaDbLedger(MariaDbJournalDialect dialect) {
        this.dialect = dialect;
        this.read = LedgerReads.selectingEvents(dialect, READ, "{max_bytes}");
    }

    @Override
    public Map<ClaimRef, StoredEvent> write(Connection connection, List<EventRow> rows) throws SQLException {
        Map<ClaimRef, StoredEvent> stored = new HashMap<>();
        read(connection, rows, stored);
        if (stored.size() < rows.size()) {
            dialect.readCommitted(connection, inTransaction -> {
                MariaDbPositionLock lock = MariaDbPositionLock.lock(inTransaction, "events");
                read(inTransaction, absent(rows, stored), stored);
                writeAbsent(inTransaction, lock, absent(rows, stored), stored);
            });
        }
        return stored;
    }

    private static List<EventRow> absent(List<EventRow> rows, Map<ClaimRef, StoredEvent> stored) {
        return rows.stream().filter(row -> !stored.containsKey(row.ref())).toList();
    }

    private static void writeAbsent(
            Connection connection, MariaDbPositionLock lock, List<EventRow> rows, Map<ClaimRef, StoredEvent> stored)
            throws SQLException {
        if (rows.isEmpty()) {
            return;
        }
        List<RowValues> values = rows.stream()
                .map(row -> RowValues.over(row)
                        .put("org_id", bytes(row.entry().orgId()))
                        .put("idempotency_key", bytes(row.entry().idempotencyKey())))
                .toList();
        lock.place(connection, values);
        insert(connection, WRITE_EVENTS, EVENT_ROW, values);
        insert(connection, WRITE_KEYS, KEY_ROW, values);
        rows.forEach(row -> stored.put(
                row.ref(),
                new StoredEvent(
                        row.id(), RowReader.moment(lock.now()), row.entry().text())));
    }

    private void read(Connection connection, List<EventRow> rows, Map<ClaimRef, StoredEvent> stored)
            throws SQLException {
        if (rows.isEmpty()) {
            return;
        }
        Map<Digest, ClaimRef> refs = new HashMap<>();
        rows.forEach(row -> refs.put(row.ref().digest(), row.ref()));
        long maxBytes = StoredEvent.maxBytes(rows.size());
        NamedSql sql = NamedSql.of(read.replace("{hashes}", repeated(":key_hash", ", ", rows.size()))
                .replace("{max_bytes}", Long.toString(maxBytes)));
        try (PreparedStatement statement = sql.prepareAll(connection, rows);
                ResultSet found = statement.executeQuery()) {
            while (found.next()) {
                ClaimRef ref = refs.get(new Digest(found.getBytes("key_hash")));
                if (ref != null) {
                    stored.put(ref, LedgerReads.event(found, maxBytes));
                }
            }
        }
    }
}
