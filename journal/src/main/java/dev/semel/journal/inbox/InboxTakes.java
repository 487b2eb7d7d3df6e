// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.inbox;

import dev.semel.jdbc.sql.NamedSql;
import dev.semel.jdbc.sql.Transaction;
import dev.semel.jdbc.sql.TransactionBounds;
import dev.semel.journal.rows.JournalDatabase;
import dev.semel.journal.rows.JournalDialect;
import dev.semel.journal.rows.RowReader;
import dev.semel.journal.rows.RowValues;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Takes events of the inbox for a limited time, by the database's clock.
 *
 * <ol>
 *   <li>A transaction locks the oldest events that are neither acknowledged nor taken. PostgreSQL and MariaDB skip rows that
 *       another transaction has locked; SQLite has one writer at a time.
 *   <li>It keeps as many as the limit of bytes allows, writes token and end of the lease, and reads them.
 *   <li>An acknowledgement and a give-back compare the token. After the lease has ended they are accepted as long as nobody else
 *       has taken the event.
 * </ol>
 */
final class InboxTakes {
    private static final String UNTAKEN = """
            FROM webhook_inbox AS e
            WHERE e.tenant = :owner AND e.acked_at IS NULL AND (e.taken_until IS NULL OR e.taken_until <= {now}){provider}
            """;

    private static final String LOCK = """
            SELECT e.id, coalesce(octet_length(e.headers), 0) + octet_length(e.body) AS content_bytes
            """ + UNTAKEN + "ORDER BY {order} LIMIT :max {lock}";

    private static final String EXISTS = "SELECT 1 " + UNTAKEN + "LIMIT 1";

    private static final String TAKE = """
            UPDATE webhook_inbox SET taken_until = {until}, take_token = {token}, taken_by = :actor WHERE id = {id}
            """;

    private static final String GIVE_BACK = """
            UPDATE webhook_inbox SET taken_until = {until}
            WHERE id = {id} AND tenant = :owner AND acked_at IS NULL AND take_token = {token}
            """;

    private static final String ACKNOWLEDGE = """
            UPDATE webhook_inbox SET acked_at = {now}, acked_by = :actor
            WHERE id = {id} AND tenant = :owner AND acked_at IS NULL AND take_token = {token}
            """;

    private static final Duration LOCK_WAIT = Duration.ofSeconds(1);
    private static final Duration IDLE = Duration.ofSeconds(4);

    private final JournalDialect dialect;
    private final TransactionBounds bounds;
    private final InboxReads reads;
    private final NamedSql lock;
    private final NamedSql lockOfProvider;
    private final NamedSql exists;
    private final NamedSql existsOfProvider;
    private final NamedSql take;
    private final NamedSql giveBack;
    private final NamedSql acknowledge;

    InboxTakes(JournalDatabase database, InboxTables tables, InboxReads reads) {
        this.dialect = database.dialect();
        this.bounds = TransactionBounds.of(database.kind(), LOCK_WAIT, IDLE);
        this.reads = reads;
        this.lock = sql(tables, LOCK, "");
        this.lockOfProvider = sql(tables, LOCK, " AND e.provider = :provider");
        this.exists = sql(tables, EXISTS, "");
        this.existsOfProvider = sql(tables, EXISTS, " AND e.provider = :provider");
        this.take = sql(tables, TAKE, "");
        this.giveBack = sql(tables, GIVE_BACK, "");
        this.acknowledge = sql(tables, ACKNOWLEDGE, "");
    }

    private NamedSql sql(InboxTables tables, String text, String provider) {
        return dialect.sql(text.replace("{provider}", provider)
                .replace("{now}", tables.now())
                .replace("{until}", tables.leaseEnd())
                .replace("{token}", tables.token())
                .replace("{lock}", tables.skipLocked()));
    }

    private RowValues selected(String tenant, @Nullable String provider) {
        RowValues values = dialect.owner(tenant);
        return provider == null ? values : values.put("provider", dialect.name(provider));
    }

    /** Whether there is an event to take. */
    boolean exists(Connection connection, String tenant, @Nullable String provider) throws SQLException {
        return !RowReader.list(
                        connection,
                        provider == null ? exists : existsOfProvider,
                        selected(tenant, provider),
                        rows -> rows.getInt(1))
                .isEmpty();
    }

    /** @param touched receives the id of each event before it is taken, whether the take is committed or not */
    InboxTake take(Connection connection, InboxTakeOrder order, UUID token, Consumer<UUID> touched)
            throws SQLException {
        return Transaction.run(connection, bounds, within -> taken(within, order, token, touched));
    }

    private InboxTake taken(Connection connection, InboxTakeOrder order, UUID token, Consumer<UUID> touched)
            throws SQLException {
        List<Candidate> found = RowReader.list(
                connection,
                order.provider() == null ? lock : lockOfProvider,
                selected(order.tenant(), order.provider()).put("max", order.max()),
                rows -> new Candidate(RowReader.id(rows), rows.getLong("content_bytes")));
        List<InboxEvent> events = new ArrayList<>();
        long bytes = 0;
        for (Candidate candidate : found) {
            bytes += candidate.bytes();
            if (!events.isEmpty() && bytes > order.maxBytes()) {
                break;
            }
            touched.accept(candidate.id());
            update(
                    connection,
                    take,
                    byToken(order.tenant(), candidate.id(), token, order.lease())
                            .put("actor", order.actor()));
            reads.find(connection, order.tenant(), candidate.id()).ifPresent(events::add);
        }
        return new InboxTake(token, events);
    }

    private record Candidate(UUID id, long bytes) {}

    Acknowledgement acknowledge(Connection connection, String tenant, UUID id, UUID token, String actor)
            throws SQLException {
        RowValues values = byToken(tenant, id, token, Duration.ZERO).put("actor", actor);
        if (update(connection, acknowledge, values) == 1) {
            return new Acknowledgement.Accepted();
        }
        Optional<InboxReads.State> state = reads.state(connection, tenant, id);
        if (state.isEmpty()) {
            return new Acknowledgement.Unknown();
        }
        Optional<Acknowledgement.Before> before = state.get().acknowledged();
        return before.isPresent() ? before.get() : new Acknowledgement.Lost();
    }

    InboxReturn giveBack(Connection connection, String tenant, UUID id, UUID token, Duration delay)
            throws SQLException {
        if (update(connection, giveBack, byToken(tenant, id, token, delay)) == 1) {
            return new InboxReturn.Returned();
        }
        Optional<InboxReads.State> state = reads.state(connection, tenant, id);
        if (state.isEmpty()) {
            return new InboxReturn.Unknown();
        }
        return state.get()
                .acknowledged()
                .<InboxReturn>map(before -> new InboxReturn.Acknowledged(before.at(), before.by()))
                .orElseGet(InboxReturn.Lost::new);
    }

    private RowValues byToken(String tenant, UUID id, UUID token, Duration lease) {
        return dialect.owner(tenant)
                .put("id", id.toString())
                .put("token", token.toString())
                .put("lease", lease.toMillis() * 1_000);
    }

    private static int update(Connection connection, NamedSql sql, RowValues values) throws SQLException {
        try (PreparedStatement statement = sql.prepare(connection, values)) {
            return statement.executeUpdate();
        }
    }
}
