// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.claim.SweepReport;
import dev.semel.jdbc.sql.NamedSql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * One sweep of limited size on PostgreSQL, in one statement and one commit. It reads only the next due rows: there may
 * be millions of rows to delete, and a search for others among them would read them all. It locks each row once and
 * skips rows that others have locked. It then finds its locked rows by ctid, without another index lookup. Parked claims get
 * an entry in the history.
 */
final class PostgresSweep {
    private static final NamedSql SWEEP = NamedSql.of(PostgresSql.expiring("""
            WITH due AS MATERIALIZED (
                SELECT ctid AS place,
                       CASE WHEN {expires k} <= statement_timestamp() THEN 'delete'
                            WHEN status = 'IN_PROGRESS' AND on_stale <> 'RECONCILE'
                                 AND lease_until <= statement_timestamp()
                                 AND lease_until + ttl_micros * interval '1 microsecond' <= statement_timestamp()
                            THEN 'move' ELSE 'postpone' END AS todo
                FROM idempotency_keys AS k
                WHERE due_at <= statement_timestamp()
                ORDER BY due_at LIMIT :limit
                FOR UPDATE SKIP LOCKED),
            postponed AS (
                UPDATE idempotency_keys AS k
                SET due_at = coalesce({expires k},
                        CASE WHEN status = 'IN_PROGRESS' AND lease_until <= statement_timestamp()
                                  AND lease_until + ttl_micros * interval '1 microsecond' > statement_timestamp()
                             THEN lease_until ELSE statement_timestamp() END + ttl_micros * interval '1 microsecond')
                WHERE ctid = ANY (ARRAY(SELECT place FROM due WHERE todo = 'postpone'))),
            deleted AS (
                DELETE FROM idempotency_keys
                WHERE ctid = ANY (ARRAY(SELECT place FROM due WHERE todo = 'delete'))
                RETURNING 1),
            moved AS (
                UPDATE idempotency_keys
                SET status = CASE on_stale WHEN 'PARK' THEN 'UNKNOWN'::semel_status ELSE 'RETRYABLE' END,
                    reason = :reason,
                    completed_at = statement_timestamp(),
                    due_at = statement_timestamp() + ttl_micros * interval '1 microsecond'
                WHERE ctid = ANY (ARRAY(SELECT place FROM due WHERE todo = 'move'))
                RETURNING key_hash, tenant, scope, fence, attempt_count, reason, status),
            recorded AS (
                INSERT INTO semel_key_history (key_hash, tenant, scope, kind, fence, attempt_count, reason, created_at)
                SELECT key_hash, tenant, scope, 'PARKED', fence, attempt_count, reason, statement_timestamp()
                FROM moved WHERE status = 'UNKNOWN')
            SELECT (SELECT count(*) FROM due) AS found,
                   (SELECT count(*) FROM deleted) AS deleted,
                   (SELECT count(*) FROM moved WHERE status <> 'UNKNOWN') AS released,
                   (SELECT count(*) FROM moved WHERE status = 'UNKNOWN') AS parked
            """));

    private PostgresSweep() {}

    static SweepReport run(Connection connection, int limit) throws SQLException {
        ClaimParameters parameters = ClaimParameters.none().put("limit", limit).put("reason", SweepReport.ABANDONED);
        try (PreparedStatement statement = SWEEP.prepare(connection, parameters);
                ResultSet row = statement.executeQuery()) {
            row.next();
            return new SweepReport(
                    row.getInt("deleted"), row.getInt("released"), row.getInt("parked"), row.getInt("found") >= limit);
        }
    }
}
