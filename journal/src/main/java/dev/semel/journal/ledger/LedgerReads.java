// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.ledger;

import dev.semel.claim.Fingerprint;
import dev.semel.jdbc.sql.ListSql;
import dev.semel.jdbc.sql.NamedSql;
import dev.semel.journal.page.PageBack;
import dev.semel.journal.rows.JournalDialect;
import dev.semel.journal.rows.PageBounds;
import dev.semel.journal.rows.PageReader;
import dev.semel.journal.rows.PageRows;
import dev.semel.journal.rows.PageSql;
import dev.semel.journal.rows.PageStart;
import dev.semel.journal.rows.Position;
import dev.semel.journal.rows.RowReader;
import dev.semel.journal.rows.RowValues;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads events. */
final class LedgerReads {
    private static final String EVENT = """
            e.id, e.org_id, e.actor_id, e.event_type, e.entity_type, e.entity_id, {content payload}, {content members},
            {created} AS created_micros, {write} AS write_number, e.position""";

    private static final String ONE_EVENT = "SELECT " + PageSql.unbounded(EVENT) + " FROM events AS e WHERE ";

    private static final ListSql KNOWN_KEYS =
            ListSql.of("SELECT key_hash FROM ledger_ingestion_idempotency WHERE key_hash IN ({rows})", ":key_hash");

    private final JournalDialect dialect;
    private final NamedSql event;
    private final NamedSql eventOfAnyone;
    private final NamedSql eventOfKey;
    private final PageSql page;

    LedgerReads(JournalDialect dialect) {
        this.dialect = dialect;
        this.event = dialect.sql(ONE_EVENT + "e.id = {id} AND e.org_id = :owner");
        this.eventOfAnyone = dialect.sql(ONE_EVENT + "e.id = {id}");
        this.eventOfKey = dialect.sql(ONE_EVENT + """
                e.org_id = :owner
                AND e.id = (SELECT k.event_id FROM ledger_ingestion_idempotency AS k WHERE k.key_hash = :key_hash)
                """);
        this.page = PageSql.of(dialect, "events", EVENT, bytes(dialect), "e.org_id", "");
    }

    private static String bytes(JournalDialect dialect) {
        return "coalesce(%s, 0) + coalesce(%s, 0)"
                .formatted(dialect.documentBytes("e.payload"), dialect.documentBytes("e.members"));
    }

    /**
     * Completes a statement that selects events as {@code e}: {@code {columns}} becomes their columns, and {@code {measuring}},
     * which follows the table's name, what measures them. {@link #event(ResultSet, long)} reads the rows.
     *
     * @param maxBytes an SQL expression; the content of larger events is omitted
     */
    static String selectingEvents(JournalDialect dialect, String sql, String maxBytes) {
        String bytes = dialect.measured(bytes(dialect));
        String columns = PageSql.bounded(EVENT, bytes, maxBytes)
                .replace("{created}", dialect.micros("e.created_at"))
                .replace("{write}", dialect.write());
        return sql.replace("{columns}", columns + ", " + bytes + " AS content_bytes")
                .replace("{measuring}", dialect.measuring(bytes(dialect)));
    }

    /** @param orgId the organization that must own the event; null for any */
    Optional<StoredEvent> find(Connection connection, @Nullable String orgId, UUID id) throws SQLException {
        NamedSql sql = orgId == null ? eventOfAnyone : event;
        RowValues values = orgId == null ? RowValues.none() : dialect.owner(orgId);
        return RowReader.list(connection, sql, values.put("id", id.toString()), LedgerReads::event).stream()
                .findFirst();
    }

    PageRows<StoredEvent> page(Connection connection, String orgId, Position after, PageBounds bounds)
            throws SQLException {
        return new PageReader<>(connection, dialect, page, dialect.owner(orgId), after, bounds, LedgerReads::event)
                .read();
    }

    PageBack back(Connection connection, String orgId, @Nullable Position end, int rows) throws SQLException {
        return PageStart.of(connection, dialect, page, dialect.owner(orgId), end, rows);
    }

    Optional<StoredEvent> findByKey(Connection connection, String orgId, Fingerprint keyHash) throws SQLException {
        RowValues values = dialect.owner(orgId).put("key_hash", keyHash.bytes());
        return RowReader.list(connection, eventOfKey, values, LedgerReads::event).stream()
                .findFirst();
    }

    Set<Fingerprint> known(Connection connection, Collection<Fingerprint> keyHashes) throws SQLException {
        Set<Fingerprint> known = new HashSet<>();
        if (keyHashes.isEmpty()) {
            return known;
        }
        List<RowValues> rows = keyHashes.stream()
                .map(hash -> RowValues.none().put("key_hash", hash.bytes()))
                .toList();
        try (PreparedStatement statement = KNOWN_KEYS.prepareAll(connection, rows);
                ResultSet found = statement.executeQuery()) {
            while (found.next()) {
                known.add(new Fingerprint(found.getBytes(1)));
            }
        }
        return known;
    }

    /** Reads a row that {@link #selectingEvents} selected. */
    static StoredEvent event(ResultSet rows, long maxBytes) throws SQLException {
        return rows.getLong("content_bytes") > maxBytes
                ? new StoredEvent(RowReader.id(rows), RowReader.moment(rows.getLong("created_micros")), null)
                : event(rows);
    }

    private static StoredEvent event(ResultSet rows) throws SQLException {
        return new StoredEvent(
                RowReader.id(rows),
                RowReader.moment(rows.getLong("created_micros")),
                new EventText(
                        Objects.requireNonNull(rows.getString("org_id")),
                        rows.getString("actor_id"),
                        Objects.requireNonNull(rows.getString("event_type")),
                        rows.getString("entity_type"),
                        rows.getString("entity_id"),
                        rows.getString("payload"),
                        rows.getString("members")));
    }
}
