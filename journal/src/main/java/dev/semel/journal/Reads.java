// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

import dev.semel.claim.Fingerprint;
import dev.semel.jdbc.sql.ListSql;
import dev.semel.jdbc.sql.NamedSql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads records; what differs between databases is handed in. */
final class Reads {
    private static final String EVENT = """
            e.id, e.org_id, e.actor_id, e.event_type, e.entity_type, e.entity_id, {content payload}, {content members},
            {created} AS created_micros, {write} AS write_number, e.position""";

    private static final String CALL = """
            e.id, e.site_id, e.signature_hash, e.verified, {content body},
            {created} AS created_micros, {write} AS write_number, e.position""";

    private static final String ONE_EVENT = "SELECT " + PageSql.unbounded(EVENT) + " FROM events AS e WHERE ";

    private static final String ONE_CALL = "SELECT " + PageSql.unbounded(CALL) + " FROM calls AS e WHERE ";

    private static final ListSql KNOWN_NAMES =
            ListSql.of("SELECT key_hash FROM ledger_ingestion_idempotency WHERE key_hash IN ({rows})", ":key_hash");

    private static final String ALWAYS = "1 = 1";

    private final Words words;
    private final NamedSql event;
    private final NamedSql anyEvent;
    private final PageSql eventPage;
    private final NamedSql call;
    private final NamedSql callOfSite;
    private final PageSql callPage;
    private final NamedSql known;

    Reads(Words words) {
        this.words = words;
        this.event = sql(ONE_EVENT + "e.id = {id} AND e.org_id = :owner");
        this.anyEvent = sql(ONE_EVENT + "e.id = {id}");
        this.eventPage = PageSql.of(this, "events", EVENT, eventBytes(), "e.org_id", "");
        this.call = sql(ONE_CALL + "e.id = {id}");
        this.callOfSite = sql(ONE_CALL + "e.id = {id} AND e.site_id = :owner");
        this.callPage = PageSql.of(this, "calls", CALL, words.documentBytes("e.body"), "e.site_id", "");
        this.known = sql("SELECT e.id FROM calls AS e WHERE e.site_id = :owner AND e.signature_hash = :signature_hash");
    }

    Words words() {
        return words;
    }

    /** A statement about records, as {@code e}. */
    NamedSql sql(String text) {
        return NamedSql.of(text.replace("{created}", words.micros("e.created_at"))
                .replace("{write}", words.write())
                .replace("{after}", words.after())
                .replace("{up_to}", words.upTo())
                .replace("{settled}", words.settled())
                .replace("{order}", words.order())
                .replace("{id}", words.id()));
    }

    /**
     * What selects an event, as {@code e}, in statements of a database's own: columns for {@code {columns}}, and for {@code
     * {measuring}} what follows the table's name.
     *
     * @param largest an expression for the most bytes that an event may have: the content of larger ones is left out
     */
    String selectingEvents(String sql, String largest) {
        String columns = PageSql.bounded(EVENT, words.measured(eventBytes()), largest)
                .replace("{created}", words.micros("e.created_at"))
                .replace("{write}", words.write());
        return sql.replace("{columns}", columns + ", " + words.measured(eventBytes()) + " AS content_bytes")
                .replace("{measuring}", words.measuring(eventBytes()));
    }

    private String eventBytes() {
        return "coalesce(%s, 0) + coalesce(%s, 0)"
                .formatted(words.documentBytes("e.payload"), words.documentBytes("e.members"));
    }

    Optional<StoredEvent> event(Connection connection, @Nullable String orgId, UUID id) throws SQLException {
        Values values = Values.none().put("id", id.toString());
        NamedSql sql = anyEvent;
        if (orgId != null) {
            sql = event;
            values.put("owner", words.name(orgId));
        }
        return list(connection, sql, values, Reads::event).stream().findFirst();
    }

    Slice<StoredEvent> events(Connection connection, String orgId, Position after, PageBounds bounds)
            throws SQLException {
        return new PageReader<>(connection, words, eventPage, of(orgId), after, bounds, Reads::event).read();
    }

    Set<Fingerprint> known(Connection connection, Collection<Fingerprint> names) throws SQLException {
        Set<Fingerprint> known = new HashSet<>();
        if (names.isEmpty()) {
            return known;
        }
        List<Values> rows = names.stream()
                .map(name -> Values.none().put("key_hash", name.bytes()))
                .toList();
        try (PreparedStatement statement = KNOWN_NAMES.prepareAll(connection, rows);
                ResultSet found = statement.executeQuery()) {
            while (found.next()) {
                known.add(new Fingerprint(found.getBytes(1)));
            }
        }
        return known;
    }

    Optional<StoredCall> call(Connection connection, @Nullable String siteId, UUID id) throws SQLException {
        Values values = Values.none().put("id", id.toString());
        NamedSql sql = call;
        if (siteId != null) {
            sql = callOfSite;
            values.put("owner", words.name(siteId));
        }
        return list(connection, sql, values, Reads::call).stream().findFirst();
    }

    Slice<StoredCall> calls(Connection connection, String siteId, Position after, PageBounds bounds)
            throws SQLException {
        return new PageReader<>(connection, words, callPage, of(siteId), after, bounds, Reads::call).read();
    }

    Optional<UUID> known(Connection connection, String siteId, String signatureHash) throws SQLException {
        Values values = Values.none().put("owner", words.name(siteId)).put("signature_hash", signatureHash);
        return list(connection, known, values, Reads::id).stream().findFirst();
    }

    /** Whose records are wanted. */
    Values of(String owner) {
        return Values.none().put("owner", words.name(owner));
    }

    static <T> List<T> list(Connection connection, NamedSql sql, Values values, Reader<T> reader) throws SQLException {
        try (PreparedStatement statement = sql.prepare(connection, values);
                ResultSet rows = statement.executeQuery()) {
            List<T> found = new ArrayList<>();
            while (rows.next()) {
                found.add(reader.read(rows));
            }
            return found;
        }
    }

    static UUID id(ResultSet rows) throws SQLException {
        return UUID.fromString(rows.getString("id"));
    }

    static Instant moment(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    /** As {@link #event(ResultSet)}, for what {@link #selectingEvents} selects. */
    static StoredEvent event(ResultSet rows, long largest) throws SQLException {
        return rows.getLong("content_bytes") > largest
                ? new StoredEvent(id(rows), moment(rows.getLong("created_micros")), null)
                : event(rows);
    }

    static StoredEvent event(ResultSet rows) throws SQLException {
        return new StoredEvent(
                id(rows),
                moment(rows.getLong("created_micros")),
                new EventText(
                        Objects.requireNonNull(rows.getString("org_id")),
                        rows.getString("actor_id"),
                        Objects.requireNonNull(rows.getString("event_type")),
                        rows.getString("entity_type"),
                        rows.getString("entity_id"),
                        rows.getString("payload"),
                        rows.getString("members")));
    }

    private static StoredCall call(ResultSet rows) throws SQLException {
        return new StoredCall(
                id(rows),
                rows.getString("site_id"),
                rows.getString("signature_hash"),
                rows.getBoolean("verified"),
                EventText.parsed(rows.getString("body")),
                moment(rows.getLong("created_micros")));
    }

    static Position position(ResultSet rows) throws SQLException {
        return new Position(rows.getLong("write_number"), rows.getLong("position"));
    }

    /** Reads one row. */
    interface Reader<T> {
        T read(ResultSet rows) throws SQLException;
    }

    /** How one kind of database says it. */
    interface Words {
        /** An organization or a site, as it is bound. */
        default Object name(String name) {
            return name;
        }

        /** A moment, in microseconds since 1970. */
        String micros(String column);

        default String write() {
            return "0";
        }

        default String after() {
            return "e.position > :position";
        }

        /** What is not after {@code :last_write} and {@code :last_position}. */
        default String upTo() {
            return "e.position <= :last_position";
        }

        /** How many bytes a document has. */
        default String documentBytes(String column) {
            return "octet_length(" + column + ")";
        }

        /** What follows a table's name where this expression is measured; see {@link #measured}. */
        default String measuring(String bytes) {
            return "";
        }

        /** The value of an expression that {@link #measuring} has measured. */
        default String measured(String bytes) {
            return "(" + bytes + ")";
        }

        /** A query for the number up to which all writes have ended; null if records appear in their order anyway. */
        default @Nullable String horizon() {
            return null;
        }

        /** What no earlier record can appear before any more, by {@code :horizon} where there is one. */
        default String settled() {
            return ALWAYS;
        }

        default String order() {
            return "e.position";
        }

        default String id() {
            return ":id";
        }
    }
}
