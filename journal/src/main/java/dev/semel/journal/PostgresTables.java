// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Digest;
import dev.semel.jdbc.sql.ArraySql;
import dev.semel.jdbc.sql.NamedValues;
import dev.semel.jdbc.sql.Transaction;
import dev.semel.jdbc.sql.TransactionBounds;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * PostgreSQL: conditional insert of whole arrays, one statement a batch, which is its own transaction. Keys come first,
 * sorted; the events of those that were new follow in the same statement. What others had is read after it.
 *
 * <p>Pages never skip a record that commits late. Journal are ordered by a number from a sequence, which is drawn before
 * the commit, so a lower number can appear after a higher one. A reader therefore stops at a horizon below all open writes:
 *
 * <ol>
 *   <li>A writer ({@code semel_write()}) reads the last number that was drawn, takes a shared advisory lock that holds that
 *       number, and only then draws its own, which is greater. The lock lasts as long as the transaction, prepared or not.
 *       PostgreSQL makes a commit visible first and releases its locks after that.
 *   <li>A reader ({@code semel_settled()}) reads the last number that was drawn, then the locks. The horizon is the least
 *       of all these numbers.
 *   <li>In a second statement, and so with a later snapshot, it reads the records up to the horizon. A page that needs
 *       further statements ({@link PageReader}) keeps the horizon; their snapshots are later still.
 * </ol>
 *
 * <p>Suppose a write below the horizon is not in that snapshot and commits later. Its number was drawn before the reader
 * read the last one, so its lock was taken before the reader looked at the locks. If the lock was still held then, the
 * horizon is below the write's number. If it was released, the commit was visible before the snapshot. Neither is the case,
 * so there is no such write. The order of the reader's three steps matters; none may be put into one statement with a later
 * one. Transactions that write no records hold no such lock, and locks of other databases are not looked at, so neither
 * delays a page. On a standby there is no way to see the locks: there the horizon is 0 and pages are empty and unsettled.
 */
final class PostgresTables implements Tables, Reads.Words {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresTables.class);

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

    private static final ArraySql WRITE_CALLS = ArraySql.of("""
            INSERT INTO calls AS e (id, site_id, signature_hash, verified, body, created_at, write)
            SELECT c.id, c.site_id, c.signature_hash, c.verified, c.body::json, statement_timestamp(), (SELECT semel_write())
            FROM unnest(:id::uuid[], :site_id::text[], :signature_hash::text[], :verified::boolean[], :body::text[])
                 AS c (id, site_id, signature_hash, verified, body)
            ON CONFLICT DO NOTHING
            RETURNING e.id
            """);

    private static final ArraySql READ_CALLS = ArraySql.of("""
            SELECT c.id AS wanted, e.id
            FROM unnest(:id::uuid[], :site_id::text[], :signature_hash::text[]) AS c (id, site_id, signature_hash)
            JOIN calls AS e ON e.site_id = c.site_id AND e.signature_hash = c.signature_hash
                 AND e.signature_hash IS NOT NULL
            """);

    private static final ArraySql READ_OWN_CALLS = ArraySql.of("""
            SELECT e.id AS wanted, e.id FROM calls AS e WHERE e.id = ANY (:id::uuid[])
            """);

    private static final String GREATEST_WRITE = """
            SELECT coalesce(max(w.last), 0) FROM
                (SELECT max(write) AS last FROM events UNION ALL SELECT max(write) FROM calls
                 UNION ALL SELECT max(write) FROM webhook_inbox) AS w
            """;

    /** Ends with the transaction. Two small lists are joined by hashing: a nested loop compares all with all. */
    private static final String SETTINGS = """
            SELECT set_config('lock_timeout', '%d', true) IS NOT NULL,
                   set_config('statement_timeout', '%d', true) IS NOT NULL,
                   set_config('plan_cache_mode', 'force_generic_plan', true) IS NOT NULL,
                   set_config('enable_nestloop', 'off', true) IS NOT NULL,
                   set_config('enable_mergejoin', 'off', true) IS NOT NULL
            """;

    private final Reads reads = new Reads(this);
    private final ArraySql read = ArraySql.of(reads.selectingEvents(READ, "(:largest::bigint[])[1]"));
    private final String settings;
    private final TransactionBounds bounds;

    PostgresTables(Duration statementTimeout, TransactionBounds bounds) {
        this.bounds = bounds;
        this.settings = SETTINGS.formatted(statementTimeout.toMillis() / 2, statementTimeout.toMillis());
    }

    @Override
    public int lanes() {
        return 2;
    }

    /** A dump that was restored into another cluster, perhaps without sequences: new numbers must be above its own. */
    @Override
    public void prepare(Connection connection) throws SQLException {
        String here;
        try {
            here = single(connection, "SELECT system_identifier::text FROM pg_control_system()");
        } catch (SQLException e) {
            LOG.debug("This user may not ask which cluster it is in: {}", e.getSQLState());
            return;
        }
        if (here.equals(single(connection, "SELECT coalesce(cluster, '') FROM semel_writes WHERE id = 1"))) {
            return;
        }
        Transaction.run(connection, bounds, inTransaction -> {
            try (Statement statement = inTransaction.createStatement()) {
                statement.execute("LOCK TABLE events, calls, webhook_inbox IN SHARE MODE");
                // Nobody writes now, so that the last number is the settled one. Few roles may set or read the
                // sequence.
                if (single(inTransaction, "SELECT (%s) > semel_settled()".formatted(GREATEST_WRITE))
                        .equals("t")) {
                    statement.execute(
                            "SELECT setval('semel_write_numbers', greatest((SELECT last_value FROM semel_write_numbers), (%s)))"
                                    .formatted(GREATEST_WRITE));
                }
                return statement.executeUpdate("UPDATE semel_writes SET cluster = '%s' WHERE id = 1".formatted(here));
            }
        });
    }

    private static String single(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            return rows.next() ? rows.getString(1) : "";
        }
    }

    @Override
    public Map<ClaimRef, StoredEvent> write(Connection connection, List<EventRow> rows) throws SQLException {
        Map<UUID, EventRow> byId = new HashMap<>();
        List<Numbered> values = new ArrayList<>(rows.size());
        for (EventRow row : rows) {
            byId.put(row.id(), row);
            values.add(new Numbered(row, values.size()));
        }
        values.sort(Comparator.comparing(numbered -> numbered.row().ref()));
        Map<ClaimRef, StoredEvent> there = new HashMap<>();
        written(connection, WRITE, values, written -> {
            EventRow row = byId.get(Reads.id(written));
            if (row != null) {
                there.put(
                        row.ref(),
                        new StoredEvent(
                                row.id(),
                                Reads.moment(written.getLong("created_micros")),
                                row.entry().text()));
            }
        });
        List<EventRow> others =
                rows.stream().filter(row -> !there.containsKey(row.ref())).toList();
        if (!others.isEmpty()) {
            readOthers(connection, others, there);
        }
        return there;
    }

    private void readOthers(Connection connection, List<EventRow> others, Map<ClaimRef, StoredEvent> there)
            throws SQLException {
        Map<Digest, ClaimRef> refs = new HashMap<>();
        others.forEach(row -> refs.put(row.ref().digest(), row.ref()));
        long largest = StoredEvent.largest(others.size());
        List<Values> values = others.stream()
                .map(row -> Values.over(row).put("largest", largest))
                .toList();
        try (PreparedStatement statement = read.prepare(connection, values);
                ResultSet found = statement.executeQuery()) {
            while (found.next()) {
                ClaimRef ref = refs.get(new Digest(found.getBytes("key_hash")));
                if (ref != null) {
                    there.put(ref, Reads.event(found, largest));
                }
            }
        }
    }

    /** One round trip: settings and statement go out together and are one implicit transaction. */
    private void written(Connection connection, ArraySql sql, List<? extends NamedValues> values, Written written)
            throws SQLException {
        try (PreparedStatement statement = ArraySql.prepareAll(connection, settings, List.of(sql), List.of(values))) {
            statement.execute();
            statement.getMoreResults();
            try (ResultSet rows = statement.getResultSet()) {
                while (rows.next()) {
                    written.row(rows);
                }
            }
        }
    }

    @Override
    public Map<UUID, UUID> writeCalls(Connection connection, List<CallRow> rows) throws SQLException {
        List<Values> values = new ArrayList<>(rows.stream()
                .sorted(Comparator.comparing((CallRow row) -> row.call().siteId())
                        .thenComparing(row -> String.valueOf(row.call().signatureHash())))
                .map(row -> Values.of(row).put("id", row.id()))
                .toList());
        Map<UUID, UUID> there = new HashMap<>();
        written(connection, WRITE_CALLS, values, row -> there.put(Reads.id(row), Reads.id(row)));
        for (ArraySql sql : List.of(READ_CALLS, READ_OWN_CALLS)) {
            values.removeIf(value -> there.containsKey(value.get("id")));
            if (!values.isEmpty()) {
                try (PreparedStatement statement = sql.prepare(connection, values);
                        ResultSet found = statement.executeQuery()) {
                    while (found.next()) {
                        there.put(UUID.fromString(found.getString("wanted")), Reads.id(found));
                    }
                }
            }
        }
        return there;
    }

    @Override
    public InboxTables inbox() {
        return new PostgresInbox();
    }

    @Override
    public Reads reads() {
        return reads;
    }

    @Override
    public String micros(String column) {
        return "(extract(epoch FROM " + column + ") * 1000000)::bigint";
    }

    @Override
    public String write() {
        return "e.write";
    }

    @Override
    public String after() {
        return "(e.write, e.position) > (:write, :position)";
    }

    @Override
    public String upTo() {
        return "(e.write, e.position) <= (:last_write, :last_position)";
    }

    /** As it is sent: what is stored may be compressed. */
    @Override
    public String documentBytes(String column) {
        return "octet_length(" + column + "::text)";
    }

    /** Once a row, which OFFSET makes sure of: a document has to be decompressed to be measured. */
    @Override
    public String measuring(String bytes) {
        return "CROSS JOIN LATERAL (SELECT " + bytes + " AS bytes OFFSET 0) AS measured";
    }

    @Override
    public String measured(String bytes) {
        return "measured.bytes";
    }

    @Override
    public String horizon() {
        return "SELECT semel_settled()";
    }

    @Override
    public String settled() {
        return "e.write <= :horizon";
    }

    @Override
    public String order() {
        return "e.write, e.position";
    }

    @Override
    public String id() {
        return "CAST(:id AS uuid)";
    }

    /** A row, and which of the batch it is: keys are written in their order, events in the callers'. */
    private record Numbered(EventRow row, long nth) implements NamedValues {
        @Override
        public @Nullable Object get(String name) {
            return switch (name) {
                case "id" -> row.id();
                case "nth" -> nth;
                default -> row.get(name);
            };
        }
    }

    private interface Written {
        void row(ResultSet rows) throws SQLException;
    }
}
