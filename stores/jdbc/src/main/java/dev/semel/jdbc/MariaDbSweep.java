// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.claim.SweepReport;
import dev.semel.jdbc.sql.ListSql;
import dev.semel.jdbc.sql.NamedSql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One sweep of limited size on MariaDB or MySQL. It locks the next due rows and skips rows that others have locked.
 * Parked claims get an entry in the history.
 */
final class MariaDbSweep {
    private static final NamedSql LOCK_DUE = NamedSql.of("""
            SELECT key_hash, on_stale,
                   CASE WHEN {expires} <= UTC_TIMESTAMP(6) THEN 'delete'
                        WHEN status = 'IN_PROGRESS' AND on_stale <> 'RECONCILE' AND lease_until <= UTC_TIMESTAMP(6)
                             AND lease_until + INTERVAL ttl_micros MICROSECOND <= UTC_TIMESTAMP(6) THEN 'move'
                        ELSE 'postpone' END AS todo
            FROM idempotency_keys
            WHERE due_at <= UTC_TIMESTAMP(6)
            ORDER BY due_at LIMIT :limit FOR UPDATE SKIP LOCKED
            """.replace("{expires}", MariaDbSql.expires("")));

    // Each by the primary key: a scan of the table, which the planner prefers for many rows, would wait for rows that
    // other
    // transactions hold. MySQL does not follow the hint in a DELETE, so rows are deleted one by one, in one batch.

    private static final NamedSql DELETE = NamedSql.of("DELETE FROM idempotency_keys WHERE key_hash = :key_hash");

    private static final ListSql POSTPONE = ListSql.of("""
            UPDATE idempotency_keys FORCE INDEX (PRIMARY)
            SET due_at = COALESCE({expires},
                    CASE WHEN status = 'IN_PROGRESS' AND lease_until <= UTC_TIMESTAMP(6)
                              AND lease_until + INTERVAL ttl_micros MICROSECOND > UTC_TIMESTAMP(6)
                         THEN lease_until ELSE UTC_TIMESTAMP(6) END + INTERVAL ttl_micros MICROSECOND)
            WHERE key_hash IN ({rows})
            """.replace("{expires}", MariaDbSql.expires("")), ":key_hash");

    private static final ListSql MOVE_ABANDONED = ListSql.of("""
            UPDATE idempotency_keys FORCE INDEX (PRIMARY)
            SET status = CASE on_stale WHEN 'PARK' THEN 'UNKNOWN' ELSE 'RETRYABLE' END,
                reason = :reason,
                completed_at = UTC_TIMESTAMP(6),
                due_at = UTC_TIMESTAMP(6) + INTERVAL ttl_micros MICROSECOND
            WHERE key_hash IN ({rows})
            """, ":key_hash");

    private static final ListSql RECORD_PARKED = ListSql.of("""
            INSERT INTO semel_key_history (key_hash, tenant, scope, kind, fence, attempt_count, reason, created_at)
            SELECT key_hash, tenant, scope, 'PARKED', fence, attempt_count, reason, UTC_TIMESTAMP(6)
            FROM idempotency_keys FORCE INDEX (PRIMARY) WHERE key_hash IN ({rows})
            """, ":key_hash");

    private MariaDbSweep() {}

    static SweepReport run(Connection connection, int limit) throws SQLException {
        Map<String, List<ClaimParameters>> due = new HashMap<>();
        int found = 0;
        try (PreparedStatement statement = LOCK_DUE.prepare(connection, parameters(limit));
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                found++;
                due.computeIfAbsent(rows.getString("todo"), todo -> new ArrayList<>())
                        .add(parameters(limit)
                                .put("key_hash", rows.getBytes("key_hash"))
                                .put("on_stale", rows.getString("on_stale")));
            }
        }
        List<ClaimParameters> expired = due.getOrDefault("delete", List.of());
        List<ClaimParameters> abandoned = due.getOrDefault("move", List.of());
        change(connection, POSTPONE, due.getOrDefault("postpone", List.of()));
        delete(connection, expired);
        change(connection, MOVE_ABANDONED, abandoned);
        List<ClaimParameters> parked = abandoned.stream()
                .filter(row -> "PARK".equals(row.get("on_stale")))
                .toList();
        change(connection, RECORD_PARKED, parked);
        return new SweepReport(expired.size(), abandoned.size() - parked.size(), parked.size(), found == limit);
    }

    private static void change(Connection connection, ListSql sql, List<ClaimParameters> rows) throws SQLException {
        if (rows.isEmpty()) {
            return;
        }
        try (PreparedStatement statement = PreparedSizes.prepare(connection, sql, rows)) {
            statement.executeUpdate();
        }
    }

    private static void delete(Connection connection, List<ClaimParameters> rows) throws SQLException {
        batch(connection, DELETE, rows);
        forgetPointers(connection, rows);
    }

    /** Reads first, without locks: deleting an entry that is missing would lock a gap at REPEATABLE READ. */
    static void forgetPointers(Connection connection, List<ClaimParameters> rows) throws SQLException {
        if (rows.isEmpty()) {
            return;
        }
        List<ClaimParameters> remembered = new ArrayList<>();
        try (PreparedStatement statement = PreparedSizes.prepare(connection, MariaDbSql.REMEMBERED_POINTERS, rows);
                ResultSet found = statement.executeQuery()) {
            while (found.next()) {
                remembered.add(ClaimParameters.none().put("key_hash", found.getBytes("key_hash")));
            }
        }
        batch(connection, MariaDbSql.FORGET_POINTER, remembered);
    }

    private static void batch(Connection connection, NamedSql sql, List<ClaimParameters> rows) throws SQLException {
        if (rows.isEmpty()) {
            return;
        }
        try (PreparedStatement statement = sql.prepare(connection)) {
            for (ClaimParameters row : rows) {
                sql.bind(statement, row).addBatch();
            }
            statement.executeBatch();
        }
    }

    private static ClaimParameters parameters(int limit) {
        return ClaimParameters.none().put("limit", limit).put("reason", SweepReport.ABANDONED);
    }
}
