// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.claim.Status;
import dev.semel.claim.SweepReport;
import dev.semel.jdbc.sql.NamedSql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * One sweep of limited size on SQLite: three statements, each on the next due rows. A single writer needs no row locks. Parked
 * claims get an entry in the history.
 */
final class SqliteSweep {
    private static final String DUE =
            "(SELECT * FROM idempotency_keys WHERE due_at <= {now} ORDER BY due_at LIMIT :limit)";

    private static final NamedSql POSTPONE = NamedSql.of("""
            UPDATE idempotency_keys
            SET due_at = coalesce({expires},
                    CASE WHEN status = 'IN_PROGRESS' AND lease_until <= {now} AND lease_until + ttl_micros > {now}
                         THEN lease_until ELSE {now} END + ttl_micros)
            WHERE key_hash IN (
                SELECT key_hash FROM {due}
                WHERE {expires} > {now}
                   OR ({expires} IS NULL
                       AND (status <> 'IN_PROGRESS' OR on_stale = 'RECONCILE' OR ttl_micros IS NULL
                            OR lease_until > {now} OR lease_until + ttl_micros > {now})))
            """.replace("{due}", DUE)
            .replace("{expires}", SqliteDialect.expiring(""))
            .replace("{now}", SqliteDialect.NOW));

    private static final NamedSql DELETE_EXPIRED = NamedSql.of("""
            DELETE FROM idempotency_keys WHERE key_hash IN (SELECT key_hash FROM {due} WHERE {expires} <= {now})
            """.replace("{due}", DUE)
            .replace("{expires}", SqliteDialect.expiring(""))
            .replace("{now}", SqliteDialect.NOW));

    private static final NamedSql MOVE_ABANDONED = NamedSql.of("""
            UPDATE idempotency_keys
            SET status = CASE on_stale WHEN 'PARK' THEN 'UNKNOWN' ELSE 'RETRYABLE' END,
                reason = :reason,
                completed_at = {now},
                due_at = {now} + ttl_micros
            WHERE key_hash IN (
                SELECT key_hash FROM {due}
                WHERE status = 'IN_PROGRESS' AND on_stale <> 'RECONCILE'
                  AND lease_until <= {now} AND lease_until + ttl_micros <= {now})
            RETURNING key_hash, status
            """.replace("{due}", DUE)
            .replace("{expires}", SqliteDialect.expiring(""))
            .replace("{now}", SqliteDialect.NOW));

    private static final NamedSql RECORD_PARKED = NamedSql.of("""
            INSERT INTO semel_key_history (key_hash, tenant, scope, kind, fence, attempt_count, reason, created_at)
            SELECT key_hash, tenant, scope, 'PARKED', fence, attempt_count, reason, {now}
            FROM idempotency_keys WHERE key_hash = :key_hash
            """.replace("{now}", SqliteDialect.NOW));

    private SqliteSweep() {}

    /** Rows that are due but not finished are postponed first, so that they do not block the others. */
    static SweepReport run(Connection connection, int limit) throws SQLException {
        ClaimParameters parameters = ClaimParameters.none().put("limit", limit).put("reason", SweepReport.ABANDONED);
        int postponed = changed(connection, POSTPONE, parameters);
        int deleted = changed(connection, DELETE_EXPIRED, parameters);
        int released = 0;
        List<byte[]> parked = new ArrayList<>();
        try (PreparedStatement statement = MOVE_ABANDONED.prepare(connection, parameters);
                ResultSet movedTo = statement.executeQuery()) {
            while (movedTo.next()) {
                if (Status.valueOf(movedTo.getString("status")) == Status.UNKNOWN) {
                    parked.add(movedTo.getBytes("key_hash"));
                } else {
                    released++;
                }
            }
        }
        for (byte[] digest : parked) {
            changed(connection, RECORD_PARKED, ClaimParameters.none().put("key_hash", digest));
        }
        // Each statement read the next due rows. If they changed fewer rows than the limit, there are no more.
        boolean more = postponed + deleted + released + parked.size() >= limit;
        return new SweepReport(deleted, released, parked.size(), more);
    }

    private static int changed(Connection connection, NamedSql sql, ClaimParameters parameters) throws SQLException {
        try (PreparedStatement statement = sql.prepare(connection, parameters)) {
            return statement.executeUpdate();
        }
    }
}
