// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Digest;
import dev.semel.jdbc.sql.NamedSql;
import dev.semel.jdbc.sql.Transaction;
import dev.semel.jdbc.sql.TransactionBounds;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * MariaDB and MySQL: short lock. Whoever writes records holds their table's row of {@code semel_positions} until its
 * commit. Under that lock it knows which keys are there, so an event is never written without its key, and positions
 * become visible in their order. Duplicates are found before it, without a lock.
 */
final class MariaDbTables implements Tables, Reads.Words {
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
                    .replace("{moment}", MariaDbPosition.MOMENT);

    private static final String WRITE_KEYS = """
            INSERT INTO ledger_ingestion_idempotency (key_hash, org_id, idempotency_key, event_id, created_at)
            VALUES {rows}
            """;

    private static final String KEY_ROW =
            "(:key_hash, :org_id, :idempotency_key, :id, {moment})".replace("{moment}", MariaDbPosition.MOMENT);

    private static final String WRITE_CALLS = """
            INSERT INTO calls (position, id, site_id, signature_hash, verified, body, created_at) VALUES {rows}
            """;

    private static final String CALL_ROW = "(:position, :id, :site_id, :signature_hash, :verified, :body, {moment})"
            .replace("{moment}", MariaDbPosition.MOMENT);

    private static final String READ_CALLS = """
            SELECT id, site_id, signature_hash FROM calls WHERE id IN ({ids})
            UNION ALL
            SELECT id, site_id, signature_hash FROM calls WHERE {signatures}
            """;

    /** The optimiser finds these by the index, one by one; it does not for a list of pairs. */
    private static final String SAME_SIGNATURE = "(site_id = :site_id AND signature_hash = :signature_hash)";

    private final TransactionBounds bounds;
    private final Reads reads = new Reads(this);
    private final String read = reads.selectingEvents(READ, "{largest}");

    MariaDbTables(TransactionBounds bounds) {
        this.bounds = bounds;
    }

    /** The lock allows no more. */
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
        read(connection, rows, there);
        if (there.size() < rows.size()) {
            readCommitted(connection, inTransaction -> {
                MariaDbPosition lock = MariaDbPosition.lock(inTransaction, "events");
                read(inTransaction, absent(rows, there), there);
                writeAbsent(inTransaction, lock, absent(rows, there), there);
            });
        }
        return there;
    }

    private static List<EventRow> absent(List<EventRow> rows, Map<ClaimRef, StoredEvent> there) {
        return rows.stream().filter(row -> !there.containsKey(row.ref())).toList();
    }

    private static void writeAbsent(
            Connection connection, MariaDbPosition lock, List<EventRow> rows, Map<ClaimRef, StoredEvent> there)
            throws SQLException {
        if (rows.isEmpty()) {
            return;
        }
        List<Values> values = rows.stream()
                .map(row -> Values.over(row)
                        .put("org_id", bytes(row.entry().orgId()))
                        .put("idempotency_key", bytes(row.entry().idempotencyKey())))
                .toList();
        lock.place(connection, values);
        insert(connection, WRITE_EVENTS, EVENT_ROW, values);
        insert(connection, WRITE_KEYS, KEY_ROW, values);
        rows.forEach(row -> there.put(
                row.ref(),
                new StoredEvent(row.id(), Reads.moment(lock.now()), row.entry().text())));
    }

    private void read(Connection connection, List<EventRow> rows, Map<ClaimRef, StoredEvent> there)
            throws SQLException {
        if (rows.isEmpty()) {
            return;
        }
        Map<Digest, ClaimRef> refs = new HashMap<>();
        rows.forEach(row -> refs.put(row.ref().digest(), row.ref()));
        long largest = StoredEvent.largest(rows.size());
        NamedSql sql = NamedSql.of(read.replace("{hashes}", repeated(":key_hash", rows.size()))
                .replace("{largest}", Long.toString(largest)));
        try (PreparedStatement statement = sql.prepareAll(connection, rows);
                ResultSet found = statement.executeQuery()) {
            while (found.next()) {
                ClaimRef ref = refs.get(new Digest(found.getBytes("key_hash")));
                if (ref != null) {
                    there.put(ref, Reads.event(found, largest));
                }
            }
        }
    }

    @Override
    public Map<UUID, UUID> writeCalls(Connection connection, List<CallRow> rows) throws SQLException {
        Map<UUID, UUID> there = new HashMap<>();
        readCalls(connection, rows, there);
        if (there.size() < rows.size()) {
            readCommitted(connection, inTransaction -> {
                MariaDbPosition lock = MariaDbPosition.lock(inTransaction, "calls");
                readCalls(inTransaction, absentCalls(rows, there), there);
                List<CallRow> absent = absentCalls(rows, there);
                if (absent.isEmpty()) {
                    return;
                }
                List<Values> values = absent.stream()
                        .map(row ->
                                Values.of(row).put("site_id", bytes(row.call().siteId())))
                        .toList();
                lock.place(inTransaction, values);
                insert(inTransaction, WRITE_CALLS, CALL_ROW, values);
                absent.forEach(row -> there.put(row.id(), row.id()));
            });
        }
        return there;
    }

    private static List<CallRow> absentCalls(List<CallRow> rows, Map<UUID, UUID> there) {
        return rows.stream().filter(row -> !there.containsKey(row.id())).toList();
    }

    private static void readCalls(Connection connection, List<CallRow> rows, Map<UUID, UUID> there)
            throws SQLException {
        if (rows.isEmpty()) {
            return;
        }
        Map<List<String>, UUID> wanted = new HashMap<>();
        for (CallRow row : rows) {
            wanted.put(List.of(row.id().toString()), row.id());
            String hash = row.call().signatureHash();
            if (hash != null) {
                wanted.put(List.of(row.call().siteId(), hash), row.id());
            }
        }
        NamedSql sql = NamedSql.of(READ_CALLS
                .replace("{ids}", repeated(":id", rows.size()))
                .replace("{signatures}", repeated(SAME_SIGNATURE, " OR ", rows.size())));
        List<Values> values = rows.stream()
                .map(row -> Values.of(row).put("site_id", bytes(row.call().siteId())))
                .toList();
        try (PreparedStatement statement = sql.prepareAll(connection, values);
                ResultSet found = statement.executeQuery()) {
            while (found.next()) {
                UUID id = Reads.id(found);
                UUID own = wanted.get(List.of(id.toString()));
                String hash = found.getString("signature_hash");
                UUID same = hash == null ? null : wanted.get(List.of(found.getString("site_id"), hash));
                if (own != null) {
                    there.put(own, id);
                }
                if (same != null) {
                    there.put(same, id);
                }
            }
        }
    }

    private void readCommitted(Connection connection, Steps steps) throws SQLException {
        Transaction.run(connection, bounds, inTransaction -> {
            steps.run(inTransaction);
            return inTransaction;
        });
    }

    private static void insert(Connection connection, String sql, String row, List<Values> values) throws SQLException {
        NamedSql statement = NamedSql.of(sql.replace("{rows}", repeated(row, values.size())));
        try (PreparedStatement prepared = statement.prepareAll(connection, values)) {
            prepared.executeUpdate();
        }
    }

    private static String repeated(String text, int times) {
        return repeated(text, ", ", times);
    }

    private static String repeated(String text, String separator, int times) {
        return String.join(separator, Collections.nCopies(times, text));
    }

    static byte[] bytes(String name) {
        return name.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public InboxTables inbox() {
        return new MariaDbInbox();
    }

    @Override
    public Reads reads() {
        return reads;
    }

    @Override
    public Object name(String name) {
        return bytes(name);
    }

    @Override
    public String micros(String column) {
        return "TIMESTAMPDIFF(MICROSECOND, '1970-01-01', " + column + ")";
    }

    private interface Steps {
        void run(Connection connection) throws SQLException;
    }
}
