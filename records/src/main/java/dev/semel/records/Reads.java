// SPDX-License-Identifier: Apache-2.0
package dev.semel.records;

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
            SELECT e.id, e.org_id, e.actor_id, e.event_type, e.entity_type, e.entity_id, e.payload, e.members,
                   {created} AS created_micros, {write} AS write_number, e.position
            FROM events AS e
            """;

    private static final String CALL = """
            SELECT e.id, e.site_id, e.signature_hash, e.verified, e.body,
                   {created} AS created_micros, {write} AS write_number, e.position
            FROM calls AS e
            """;

    static final String PAGE = """
            WHERE {owner} = :owner AND {after} AND {settled}
            ORDER BY {order} LIMIT :limit
            """;

    private static final ListSql KNOWN_NAMES =
            ListSql.of("SELECT key_hash FROM ledger_ingestion_idempotency WHERE key_hash IN ({rows})", ":key_hash");

    private static final String ALWAYS = "1 = 1";

    /** Whether there is anything more, settled or not. */
    static final String AFTER = "SELECT 1 FROM {table} AS e WHERE {owner} = :owner AND {after} LIMIT 1";

    private final Words words;
    private final NamedSql event;
    private final NamedSql anyEvent;
    private final NamedSql eventPage;
    private final NamedSql eventAfter;
    private final NamedSql call;
    private final NamedSql callOfSite;
    private final NamedSql callPage;
    private final NamedSql callAfter;
    private final NamedSql known;

    Reads(Words words) {
        this.words = words;
        this.event = sql(EVENT + "WHERE e.id = {id} AND e.org_id = :owner");
        this.anyEvent = sql(EVENT + "WHERE e.id = {id}");
        this.eventPage = sql(EVENT + PAGE.replace("{owner}", "e.org_id"));
        this.eventAfter = sql(AFTER.replace("{table}", "events").replace("{owner}", "e.org_id"));
        this.call = sql(CALL + "WHERE e.id = {id}");
        this.callOfSite = sql(CALL + "WHERE e.id = {id} AND e.site_id = :owner");
        this.callPage = sql(CALL + PAGE.replace("{owner}", "e.site_id"));
        this.callAfter = sql(AFTER.replace("{table}", "calls").replace("{owner}", "e.site_id"));
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
                .replace("{settled}", words.settled())
                .replace("{order}", words.order())
                .replace("{id}", words.id()));
    }

    /** The columns of an event, as {@code e}, for statements of a database's own. */
    String eventColumns() {
        return EVENT.replace("SELECT", "")
                .replace("FROM events AS e", "")
                .replace("{created}", words.micros("e.created_at"))
                .replace("{write}", words.write());
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

    Slice<StoredEvent> events(Connection connection, String orgId, Position after, int limit) throws SQLException {
        return slice(connection, eventPage, eventAfter, page(orgId, after, limit), Reads::event);
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

    Slice<StoredCall> calls(Connection connection, String siteId, Position after, int limit) throws SQLException {
        return slice(connection, callPage, callAfter, page(siteId, after, limit), Reads::call);
    }

    Optional<UUID> known(Connection connection, String siteId, String signatureHash) throws SQLException {
        Values values = Values.none().put("owner", words.name(siteId)).put("signature_hash", signatureHash);
        return list(connection, known, values, Reads::id).stream().findFirst();
    }

    Values page(String owner, Position after, int limit) {
        return Values.none()
                .put("owner", words.name(owner))
                .put("write", after.write())
                .put("position", after.number())
                .put("limit", limit);
    }

    /**
     * Where the database has a horizon, it is asked for first, in a statement of its own. What is there but may not be
     * shown yet is looked for only at the end of what is shown.
     */
    <T> Slice<T> slice(Connection connection, NamedSql page, NamedSql after, Values values, Reader<T> reader)
            throws SQLException {
        String horizon = words.horizon();
        if (horizon != null) {
            values.put(
                    "horizon",
                    list(connection, NamedSql.of(horizon), Values.none(), found -> found.getLong(1))
                            .get(0));
        }
        List<Placed<T>> rows =
                list(connection, page, values, found -> new Placed<>(reader.read(found), position(found)));
        Object limit = values.get("limit");
        if (horizon == null || (limit instanceof Integer most && rows.size() == most)) {
            return new Slice<>(rows, false);
        }
        if (!rows.isEmpty()) {
            Position last = rows.get(rows.size() - 1).position();
            values.put("write", last.write()).put("position", last.number());
        }
        return new Slice<>(
                rows, !list(connection, after, values, found -> found.getInt(1)).isEmpty());
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

    private static Position position(ResultSet rows) throws SQLException {
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
