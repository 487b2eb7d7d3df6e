// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.ledger;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Digest;
import dev.semel.jdbc.sql.ArraySql;
import dev.semel.jdbc.sql.NamedValues;
import dev.semel.journal.rows.PostgresJournalDialect;
import dev.semel.journal.rows.RowReader;
import dev.semel.journal.rows.RowValues;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * PostgreSQL: conditional insert of arrays. One statement inserts the keys, sorted, and then the events of the new keys. A second
 * statement reads the events of existing keys.
 */
final class PostgresLedger implements LedgerTables {
    private static final ArraySql WRITE = ArraySql.of("""
            WITH k AS (
                INSERT INTO ledger_ingestion_idempotency AS i (key_hash, org_id, idempotency_key, event_id, created_at)
                SELECT c.key_hash, c.org_id, c.idempotency_key, c.id, statement_timestamp()
                FROM unnest(:key_hash::bytea[], :org_id::text[], :idempotency_key::text[], :id::uuid[])
                     AS c (key_hash, org_id, idempotency_key, id)
                ON CONFLICT (key_hash) DO NOTHING
                RETURNING i.event_id)
            INSERT INTO events AS e
                (id, org_id, actor_id, event_type, entity_type, entity_id, payload, members, created_at, write)
            SELECT c.id, c.org_id, c.actor_id, c.event_type, c.entity_type, c.entity_id, c.payload::json,
                   c.members::json, statement_timestamp(), (SELECT semel_write())
            FROM unnest(:id::uuid[], :org_id::text[], :actor_id::text[], :event_type::text[], :entity_type::text[],
                        :entity_id::text[], :payload::text[], :members::text[], :nth::bigint[])
                 AS c (id, org_id, actor_id, event_type, entity_type, entity_id, payload, members, nth)
            JOIN k ON k.event_id = c.id
            ORDER BY c.nth
            RETURNING e.id, (extract(epoch FROM e.created_at) * 1000000)::bigint AS created_micros
            """);

    private static final String READ = """
            SELECT k.key_hash, {columns}
            FROM ledger_ingestion_idempotency AS k JOIN events AS e ON e.id = k.event_id {measuring}
            WHERE k.key_hash = ANY (:key_hash::bytea[])
            """;

    private final PostgresJournalDialect dialect;
    private final ArraySql read;

    PostgresLedger(PostgresJournalDialect dialect) {
        this.dialect = dialect;
        this.read = ArraySql.of(LedgerReads.selectingEvents(dialect, READ, "(:max_bytes::bigint[])[1]"));
    }

    @Override
    public Map<ClaimRef, StoredEvent> write(Connection connection, List<EventRow> rows) throws SQLException {
        Map<UUID, EventRow> byId = new HashMap<>();
        List<NumberedRow> values = new ArrayList<>(rows.size());
        for (EventRow row : rows) {
            byId.put(row.id(), row);
            values.add(new NumberedRow(row, values.size()));
        }
        values.sort(Comparator.comparing(numbered -> numbered.row().ref()));
        Map<ClaimRef, StoredEvent> stored = new HashMap<>();
        dialect.insert(connection, WRITE, values, written -> {
            EventRow row = byId.get(RowReader.id(written));
            if (row != null) {
                stored.put(
                        row.ref(),
                        new StoredEvent(
                                row.id(),
                                RowReader.moment(written.getLong("created_micros")),
                                row.entry().text()));
            }
        });
        List<EventRow> duplicates =
                rows.stream().filter(row -> !stored.containsKey(row.ref())).toList();
        if (!duplicates.isEmpty()) {
            readExisting(connection, duplicates, stored);
        }
        return stored;
    }

    private void readExisting(Connection connection, List<EventRow> duplicates, Map<ClaimRef, StoredEvent> stored)
            throws SQLException {
        Map<Digest, ClaimRef> refs = new HashMap<>();
        duplicates.forEach(row -> refs.put(row.ref().digest(), row.ref()));
        long maxBytes = StoredEvent.maxBytes(duplicates.size());
        List<RowValues> values = duplicates.stream()
                .map(row -> RowValues.over(row).put("max_bytes", maxBytes))
                .toList();
        try (PreparedStatement statement = read.prepare(connection, values);
                ResultSet found = statement.executeQuery()) {
            while (found.next()) {
                ClaimRef ref = refs.get(new Digest(found.getBytes("key_hash")));
                if (ref != null) {
                    stored.put(ref, LedgerReads.event(found, maxBytes));
                }
            }
        }
    }

    /** A row and its number in the batch. Keys are written in sorted order, events in the callers' order. */
    private record NumberedRow(EventRow row, long nth) implements NamedValues {
        @Override
        public @Nullable Object get(String name) {
            return switch (name) {
                case "id" -> row.id();
                case "nth" -> nth;
                default -> row.get(name);
            };
        }
    }
}
