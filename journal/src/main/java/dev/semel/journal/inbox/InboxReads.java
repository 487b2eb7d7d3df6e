// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.inbox;

import dev.semel.claim.Digest;
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
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads, acknowledges and deletes inbox events. */
final class InboxReads {
    private static final String EVENT = """
            e.id, e.tenant, e.provider, e.event_type, e.key_hash, e.key_prefix, e.content_type, e.verified, e.payload_hash,
            {content headers}, {content body}, e.acked_by, {received} AS received_micros, {acked} AS acked_micros,
            {write} AS write_number, e.position""";

    /** The size of the encrypted content. */
    private static final String BYTES = "coalesce(octet_length(e.headers), 0) + octet_length(e.body)";

    private static final String ACKNOWLEDGE = """
            UPDATE webhook_inbox SET acked_at = {now}, acked_by = :actor
            WHERE id = {id} AND tenant = :owner AND acked_at IS NULL
            """;

    private static final String ACKNOWLEDGED = """
            SELECT {acked} AS acked_micros, e.acked_by FROM webhook_inbox AS e WHERE e.id = {id} AND e.tenant = :owner
            """;

    private final JournalDialect dialect;
    private final InboxSeals seals;
    private final Map<Choice, PageSql> pages = new EnumMap<>(Choice.class);
    private final NamedSql event;
    private final NamedSql acknowledge;
    private final NamedSql acknowledged;
    private final NamedSql purge;

    InboxReads(JournalDialect dialect, InboxTables tables, InboxSeals seals) {
        this.dialect = dialect;
        this.seals = seals;
        for (Choice choice : Choice.values()) {
            pages.put(
                    choice,
                    PageSql.of(dialect, "webhook_inbox", withTimes(EVENT), BYTES, "e.tenant", choice.condition));
        }
        this.event = sql("SELECT " + PageSql.unbounded(EVENT)
                + " FROM webhook_inbox AS e WHERE e.id = {id} AND e.tenant = :owner");
        this.acknowledge = sql(ACKNOWLEDGE.replace("{now}", tables.now()));
        this.acknowledged = sql(ACKNOWLEDGED);
        this.purge = NamedSql.of(tables.purge());
    }

    private NamedSql sql(String text) {
        return dialect.sql(withTimes(text));
    }

    private String withTimes(String text) {
        return text.replace("{received}", dialect.micros("e.received_at"))
                .replace("{acked}", dialect.micros("e.acked_at"));
    }

    /** A separate statement for each choice, because each uses a different index. */
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

    PageRows<InboxEvent> page(Connection connection, InboxQuery query, Position after, PageBounds bounds)
            throws SQLException {
        return new PageReader<>(connection, dialect, statements(query), values(query), after, bounds, this::event)
                .read();
    }

    PageBack back(Connection connection, InboxQuery query, @Nullable Position end, int rows) throws SQLException {
        return PageStart.of(connection, dialect, statements(query), values(query), end, rows);
    }

    private RowValues values(InboxQuery query) {
        RowValues values = dialect.owner(query.tenant());
        String provider = query.provider();
        if (provider != null) {
            values.put("provider", dialect.name(provider));
        }
        return values;
    }

    private PageSql statements(InboxQuery query) {
        PageSql statements = pages.get(Choice.of(query));
        if (statements == null) {
            throw new IllegalStateException("Every choice must have a statement");
        }
        return statements;
    }

    Optional<InboxEvent> find(Connection connection, String tenant, UUID id) throws SQLException {
        return RowReader.list(connection, event, byId(tenant, id), this::event).stream()
                .findFirst();
    }

    Acknowledgement acknowledge(Connection connection, String tenant, UUID id, String actor) throws SQLException {
        RowValues values = byId(tenant, id).put("actor", actor);
        try (PreparedStatement statement = acknowledge.prepare(connection, values)) {
            if (statement.executeUpdate() == 1) {
                return new Acknowledgement.Accepted();
            }
        }
        // An acknowledgement is never withdrawn: if there is none, the row was written after the update.
        return state(connection, tenant, id)
                .flatMap(State::acknowledged)
                .<Acknowledgement>map(before -> before)
                .orElseGet(Acknowledgement.Unknown::new);
    }

    /** Whether an event was acknowledged; empty if the tenant has no such event. */
    Optional<State> state(Connection connection, String tenant, UUID id) throws SQLException {
        return RowReader.list(connection, acknowledged, byId(tenant, id), InboxReads::state).stream()
                .findFirst();
    }

    /** The state of an existing event. */
    record State(Optional<Acknowledgement.Before> acknowledged) {}

    /** Returns the number of deleted events. */
    int purge(Connection connection, Duration retention, int limit) throws SQLException {
        RowValues values =
                RowValues.none().put("retention", retention.toNanos() / 1_000).put("limit", limit);
        try (PreparedStatement statement = purge.prepare(connection, values)) {
            return statement.executeUpdate();
        }
    }

    private RowValues byId(String tenant, UUID id) {
        return dialect.owner(tenant).put("id", id.toString());
    }

    private static State state(ResultSet rows) throws SQLException {
        Instant at = moment(rows, "acked_micros");
        return new State(
                at == null
                        ? Optional.empty()
                        : Optional.of(new Acknowledgement.Before(at, rows.getString("acked_by"))));
    }

    private InboxEvent event(ResultSet rows) throws SQLException {
        UUID id = RowReader.id(rows);
        String tenant = rows.getString("tenant");
        return new InboxEvent(
                id,
                tenant,
                rows.getString("provider"),
                rows.getString("event_type"),
                new Digest(rows.getBytes("key_hash")),
                rows.getString("key_prefix"),
                rows.getBoolean("verified"),
                new Digest(rows.getBytes("payload_hash")).hex(),
                RowReader.moment(rows.getLong("received_micros")),
                moment(rows, "acked_micros"),
                rows.getString("acked_by"),
                seals.open(
                        tenant, id, rows.getString("content_type"), rows.getBytes("headers"), rows.getBytes("body")));
    }

    private static @Nullable Instant moment(ResultSet rows, String column) throws SQLException {
        long micros = rows.getLong(column);
        return rows.wasNull() ? null : RowReader.moment(micros);
    }
}
