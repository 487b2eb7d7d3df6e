// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

import dev.semel.claim.Digest;
import dev.semel.jdbc.sql.NamedSql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads, acknowledges and forgets what is in the inbox. */
final class InboxReads {
    private static final String EVENT = """
            e.id, e.tenant, e.provider, e.event_type, e.key_prefix, e.content_type, e.verified, e.payload_hash,
            {content headers}, {content body}, e.acked_by, {received} AS received_micros, {acked} AS acked_micros,
            {write} AS write_number, e.position""";

    /** As they are stored, sealed. */
    private static final String BYTES = "coalesce(octet_length(e.headers), 0) + octet_length(e.body)";

    private static final String ACKNOWLEDGE = """
            UPDATE webhook_inbox SET acked_at = {now}, acked_by = :actor
            WHERE id = {id} AND tenant = :owner AND acked_at IS NULL
            """;

    private static final String ACKNOWLEDGED = """
            SELECT {acked} AS acked_micros, e.acked_by FROM webhook_inbox AS e WHERE e.id = {id} AND e.tenant = :owner
            """;

    private final Reads reads;
    private final Reads.Words words;
    private final InboxSeals seals;
    private final Map<Choice, PageSql> pages = new EnumMap<>(Choice.class);
    private final NamedSql event;
    private final NamedSql acknowledge;
    private final NamedSql acknowledged;
    private final NamedSql purge;

    InboxReads(Reads reads, InboxTables tables, InboxSeals seals) {
        this.reads = reads;
        this.words = reads.words();
        this.seals = seals;
        for (Choice choice : Choice.values()) {
            pages.put(choice, PageSql.of(reads, "webhook_inbox", inWords(EVENT), BYTES, "e.tenant", choice.condition));
        }
        this.event = sql("SELECT " + PageSql.unbounded(EVENT)
                + " FROM webhook_inbox AS e WHERE e.id = {id} AND e.tenant = :owner");
        this.acknowledge = sql(ACKNOWLEDGE.replace("{now}", tables.now()));
        this.acknowledged = sql(ACKNOWLEDGED);
        this.purge = NamedSql.of(tables.purge());
    }

    private NamedSql sql(String text) {
        return reads.sql(inWords(text));
    }

    private String inWords(String text) {
        return text.replace("{received}", words.micros("e.received_at")).replace("{acked}", words.micros("e.acked_at"));
    }

    /** Every choice has a statement of its own, because each has an index of its own. */
    private enum Choice {
        ALL(""),
        OF_PROVIDER(" AND e.provider = :provider"),
        OPEN(" AND e.acked_at IS NULL"),
        OPEN_OF_PROVIDER(" AND e.acked_at IS NULL AND e.provider = :provider");

        private final String condition;

        Choice(String condition) {
            this.condition = condition;
        }

        static Choice of(InboxQuery query) {
            if (query.unacknowledged()) {
                return query.provider() == null ? OPEN : OPEN_OF_PROVIDER;
            }
            return query.provider() == null ? ALL : OF_PROVIDER;
        }
    }

    Slice<InboxEvent> page(Connection connection, InboxQuery query, Position after, PageBounds bounds)
            throws SQLException {
        Values values = reads.of(query.tenant());
        String provider = query.provider();
        if (provider != null) {
            values.put("provider", words.name(provider));
        }
        PageSql statements = pages.get(Choice.of(query));
        if (statements == null) {
            throw new IllegalStateException("There is a statement for every choice");
        }
        return new PageReader<>(connection, words, statements, values, after, bounds, this::event).read();
    }

    Optional<InboxEvent> find(Connection connection, String tenant, UUID id) throws SQLException {
        return Reads.list(connection, event, named(tenant, id), this::event).stream()
                .findFirst();
    }

    Acknowledgement acknowledge(Connection connection, String tenant, UUID id, String actor) throws SQLException {
        Values values = named(tenant, id).put("actor", actor);
        try (PreparedStatement statement = acknowledge.prepare(connection, values)) {
            if (statement.executeUpdate() == 1) {
                return new Acknowledgement.Accepted();
            }
        }
        return Reads.list(connection, acknowledged, values, InboxReads::earlier).stream()
                .findFirst()
                .orElseGet(Acknowledgement.Unknown::new);
    }

    /** How many were deleted. */
    int purge(Connection connection, Duration retention, int limit) throws SQLException {
        Values values =
                Values.none().put("retention", retention.toNanos() / 1_000).put("limit", limit);
        try (PreparedStatement statement = purge.prepare(connection, values)) {
            return statement.executeUpdate();
        }
    }

    private Values named(String tenant, UUID id) {
        return Values.none().put("owner", words.name(tenant)).put("id", id.toString());
    }

    private static Acknowledgement earlier(ResultSet rows) throws SQLException {
        Instant at = moment(rows, "acked_micros");
        // Nobody takes an acknowledgement back: if it is not there, the row has come since.
        return at == null ? new Acknowledgement.Unknown() : new Acknowledgement.Before(at, rows.getString("acked_by"));
    }

    private InboxEvent event(ResultSet rows) throws SQLException {
        UUID id = Reads.id(rows);
        String tenant = rows.getString("tenant");
        return new InboxEvent(
                id,
                tenant,
                rows.getString("provider"),
                rows.getString("event_type"),
                rows.getString("key_prefix"),
                rows.getBoolean("verified"),
                new Digest(rows.getBytes("payload_hash")).hex(),
                Reads.moment(rows.getLong("received_micros")),
                moment(rows, "acked_micros"),
                rows.getString("acked_by"),
                seals.open(
                        tenant, id, rows.getString("content_type"), rows.getBytes("headers"), rows.getBytes("body")));
    }

    private static @Nullable Instant moment(ResultSet rows, String column) throws SQLException {
        long micros = rows.getLong(column);
        return rows.wasNull() ? null : Reads.moment(micros);
    }
}
