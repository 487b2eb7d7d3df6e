// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Digest;
import dev.semel.claim.StoredResult;
import dev.semel.jdbc.sql.Connections;
import dev.semel.jdbc.sql.NamedSql;
import dev.semel.spi.Command;
import dev.semel.spi.HistoryEntry;
import dev.semel.spi.HistoryStore;
import dev.semel.spi.Snapshot;
import dev.semel.spi.Verdict;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The tables {@code semel_key_history} and {@code semel_key_replays}, and operators' decisions. */
final class JdbcHistory implements HistoryStore {
    /** Locks and settles the claim, unless somebody works on it. */
    private static final String DECIDE = """
            UPDATE idempotency_keys
            SET status = {status}, result_type = :result_type, result = :result, reason = :reason, completed_at = {now}
            WHERE key_hash = :key_hash AND tenant = :tenant AND claim_nonce = {nonce} AND alias_of IS NULL
              AND (status = 'UNKNOWN' OR (status = 'IN_PROGRESS' AND lease_until <= {now}))
            """;

    private static final String ADD = """
            INSERT INTO semel_key_history
                (key_hash, tenant, scope, kind, fence, attempt_count, actor, reason, details, created_at)
            VALUES (:key_hash, :tenant, :scope, :kind, :fence, :attempt, :actor, :reason, :details, {now})
            """;

    private static final String ENTRY = """
            SELECT id, key_hash, tenant, scope, kind, fence, attempt_count, actor, reason, details,
                   {created_micros} AS created_micros
            FROM semel_key_history
            """;

    private static final String OF_CLAIM = ENTRY + """
            WHERE key_hash = :key_hash AND tenant = :tenant ORDER BY id DESC LIMIT :limit
            """;

    private static final String DECISIONS = ENTRY + """
            WHERE tenant = :tenant AND octet_length(tenant) = octet_length(:tenant)
              AND kind IN ('RELEASED', 'DECIDED_FAILED', 'DECIDED_SUCCEEDED', 'REPLAYED') AND id < :before
            ORDER BY id DESC LIMIT :limit
            """;

    private static final NamedSql REPLAYS =
            NamedSql.of("SELECT replays FROM semel_key_replays WHERE key_hash = :key_hash AND tenant = :tenant");

    /** The inner query is a table of its own, because MariaDB allows no LIMIT in a subquery of IN. */
    private static final String PURGE = """
            DELETE FROM semel_key_history WHERE id IN (SELECT id FROM (
                SELECT id FROM semel_key_history
                WHERE created_at <= {cutoff}
                  AND kind {in} ('RELEASED', 'DECIDED_FAILED', 'DECIDED_SUCCEEDED', 'REPLAYED')
                ORDER BY id LIMIT :limit) AS old)
            """;

    private static final NamedSql PURGE_REPLAYS = NamedSql.of("""
            DELETE FROM semel_key_replays WHERE key_hash IN (SELECT key_hash FROM (
                SELECT r.key_hash FROM semel_key_replays AS r
                LEFT JOIN idempotency_keys AS k ON k.key_hash = r.key_hash
                WHERE k.key_hash IS NULL LIMIT :limit) AS old)
            """);

    /** Of the newest entries only, so that the work is bounded. */
    private static final NamedSql PARKED = NamedSql.of("""
            SELECT tenant, key_hash FROM (
                SELECT id, tenant, key_hash, kind FROM semel_key_history ORDER BY id DESC LIMIT 10000) AS newest
            WHERE kind = 'PARKED'
            GROUP BY tenant, key_hash ORDER BY max(id) DESC LIMIT :limit
            """);

    private final Connections connections;
    private final Dialect dialect;
    private final Duration statementTimeout;
    private final NamedSql add;
    private final NamedSql addReplays;

    JdbcHistory(Connections connections, Dialect dialect, Duration statementTimeout) {
        this.connections = connections;
        this.dialect = dialect;
        this.statementTimeout = statementTimeout;
        this.add = NamedSql.of(ADD.replace("{now}", dialect.now()));
        this.addReplays = NamedSql.of(
                "INSERT INTO semel_key_replays (key_hash, tenant, replays)" + " VALUES (:key_hash, :tenant, :replays) "
                        + dialect.addingTo("semel_key_replays", "key_hash", "replays"));
    }

    @Override
    public Verdict decide(Command.Settle decision, HistoryEntry entry) {
        HistoryStore.checkDecision(decision, entry);
        NamedSql decide = NamedSql.of(DECIDE.replace("{nonce}", dialect.idParameter("nonce"))
                .replace("{status}", dialect.statusParameter("status"))
                .replace("{now}", dialect.now()));
        return connections.run(connection -> dialect.inTransaction(
                connection,
                open -> {
                    try (PreparedStatement statement = decide.prepare(open, ClaimParameters.of(decision))) {
                        if (statement.executeUpdate() == 1) {
                            write(open, List.of(entry));
                        }
                    }
                    Map<ClaimRef, Snapshot> found = new HashMap<>();
                    dialect.read(open, List.of(decision.ref()), StoredResult.MAX_BYTES, found);
                    return Verdict.of(decision, found.get(decision.ref()));
                },
                statementTimeout));
    }

    @Override
    public void add(List<HistoryEntry> entries) {
        if (!entries.isEmpty()) {
            connections.run(
                    connection -> dialect.inTransaction(connection, open -> write(open, entries), statementTimeout));
        }
    }

    private int write(Connection connection, List<HistoryEntry> entries) throws SQLException {
        try (PreparedStatement statement = add.prepare(connection)) {
            for (HistoryEntry entry : entries) {
                add.bind(
                                statement,
                                ClaimParameters.of(entry.ref())
                                        .put("scope", entry.scope())
                                        .put("kind", entry.kind().name())
                                        .put("fence", entry.fence())
                                        .put("attempt", entry.attempt())
                                        .put("actor", entry.actor())
                                        .put("reason", entry.reason())
                                        .put("details", entry.details()))
                        .addBatch();
            }
            return statement.executeBatch().length;
        }
    }

    /** In the order of the digests, so that two writers cannot deadlock. */
    @Override
    public void addReplays(Map<ClaimRef, Long> replays) {
        HistoryStore.checkReplays(replays);
        if (replays.isEmpty()) {
            return;
        }
        connections.run(connection -> dialect.inTransaction(
                connection,
                open -> {
                    try (PreparedStatement statement = addReplays.prepare(open)) {
                        for (Map.Entry<ClaimRef, Long> count : new TreeMap<>(replays).entrySet()) {
                            addReplays
                                    .bind(
                                            statement,
                                            ClaimParameters.of(count.getKey()).put("replays", count.getValue()))
                                    .addBatch();
                        }
                        return statement.executeBatch().length;
                    }
                },
                statementTimeout));
    }

    @Override
    public long replays(ClaimRef ref) {
        return connections.run(connection -> {
            try (PreparedStatement statement = REPLAYS.prepare(connection, ClaimParameters.of(ref));
                    ResultSet rows = statement.executeQuery()) {
                return rows.next() ? rows.getLong(1) : 0L;
            }
        });
    }

    @Override
    public List<HistoryEntry> history(ClaimRef ref, int limit) {
        return entries(OF_CLAIM, ClaimParameters.of(ref).put("limit", HistoryStore.checkLimit(limit)));
    }

    @Override
    public List<HistoryEntry> decisions(String tenant, @Nullable Long before, int limit) {
        return entries(
                DECISIONS,
                ClaimParameters.none()
                        .put("tenant", tenant)
                        .put("before", before == null ? Long.MAX_VALUE : before)
                        .put("limit", HistoryStore.checkLimit(limit)));
    }

    /** Claims that were parked lately, the last one first. */
    List<ClaimRef> parked(int limit) {
        return connections.run(connection -> {
            List<ClaimRef> claims = new ArrayList<>();
            try (PreparedStatement statement = PARKED.prepare(
                            connection, ClaimParameters.none().put("limit", HistoryStore.checkLimit(limit)));
                    ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    claims.add(new ClaimRef(rows.getString("tenant"), new Digest(rows.getBytes("key_hash"))));
                }
            }
            return claims;
        });
    }

    private List<HistoryEntry> entries(String sql, ClaimParameters parameters) {
        NamedSql query = NamedSql.of(sql.replace("{created_micros}", dialect.microsOf("created_at")));
        return connections.run(connection -> {
            List<HistoryEntry> entries = new ArrayList<>();
            try (PreparedStatement statement = query.prepare(connection, parameters);
                    ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    entries.add(entry(rows));
                }
            }
            return entries;
        });
    }

    private static HistoryEntry entry(ResultSet row) throws SQLException {
        return new HistoryEntry(
                row.getLong("id"),
                new ClaimRef(row.getString("tenant"), new Digest(row.getBytes("key_hash"))),
                row.getString("scope"),
                HistoryEntry.Kind.valueOf(row.getString("kind")),
                row.getLong("fence"),
                row.getInt("attempt_count"),
                row.getString("actor"),
                row.getString("reason"),
                row.getString("details"),
                Instant.EPOCH.plus(row.getLong("created_micros"), ChronoUnit.MICROS));
    }

    @Override
    public int purge(Duration history, @Nullable Duration decisions, int limit) {
        return connections.run(connection -> {
            int deleted = purge(connection, "NOT IN", history, limit);
            if (decisions != null) {
                deleted += purge(connection, "IN", decisions, limit);
            }
            ClaimParameters parameters = ClaimParameters.none().put("limit", limit);
            try (PreparedStatement statement = PURGE_REPLAYS.prepare(connection, parameters)) {
                deleted += statement.executeUpdate();
            }
            return deleted;
        });
    }

    private int purge(Connection connection, String in, Duration age, int limit) throws SQLException {
        NamedSql purge = NamedSql.of(PURGE.replace("{in}", in)
                .replace("{cutoff}", dialect.ofMicros("(" + dialect.nowInMicros() + " - :age)")));
        ClaimParameters parameters =
                ClaimParameters.none().put("age", ClaimParameters.micros(age)).put("limit", limit);
        try (PreparedStatement statement = purge.prepare(connection, parameters)) {
            return statement.executeUpdate();
        }
    }
}
