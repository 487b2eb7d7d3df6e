// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import static java.util.stream.Collectors.joining;

import dev.semel.jdbc.sql.ListSql;
import dev.semel.jdbc.sql.NamedSql;
import java.util.Arrays;

/** The statements of MariaDB and MySQL. */
final class MariaDbSql {
    private static final String EXPIRES = expires("");

    static final String SNAPSHOT = """
            key_hash, tenant, scope, status, claim_nonce, record_id, fingerprint, sketch, attempt_count, fence,
            on_stale, result_type, reason, alias_of,
            CASE WHEN octet_length(result) <= :largest THEN result END AS result, octet_length(result) AS result_size,
            CASE WHEN status = 'IN_PROGRESS' THEN TIMESTAMPDIFF(MICROSECOND, UTC_TIMESTAMP(6), lease_until)
                 ELSE 0 END AS lease_left,
            TIMESTAMPDIFF(MICROSECOND, UTC_TIMESTAMP(6), {expires}) AS ttl_left
            """.replace("{expires}", EXPIRES);

    /** The other columns have defaults. */
    private static final String INSERT_ROWS = """
            INSERT INTO idempotency_keys
                (key_hash, tenant, scope, secret_id, record_id, claim_nonce, fingerprint, sketch, on_stale, ttl_micros,
                 lease_until, run_until)
            VALUES {rows}
            """;

    static final String INSERT = INSERT_ROWS + "ON DUPLICATE KEY UPDATE attempt_count = idempotency_keys.attempt_count";

    /** Short, because it is repeated for every claim: see {@link PreparedSizes#MOST}. */
    static final String INSERT_ROW = "(:key_hash,:tenant,:scope,:secret_id,:record_id,:new_nonce,:fingerprint,:sketch,"
            + ":on_stale,:ttl,UTC_TIMESTAMP(6)+INTERVAL :lease MICROSECOND,UTC_TIMESTAMP(6)+INTERVAL :max_run MICROSECOND)";

    static final ListSql INSERT_MANY = ListSql.of(INSERT, INSERT_ROW);

    static final ListSql INSERT_RETURNING = INSERT_MANY.followedBy(" RETURNING " + SNAPSHOT.replaceAll("\\s+", " "));

    static final NamedSql INSERT_ONE = NamedSql.of(INSERT_ROWS.replace("{rows}", INSERT_ROW));

    /**
     * The row, if it is a pointer without a record. A derived table, because MySQL cannot read a table that it is updating.
     */
    private static final String ORPHANED = """
            SELECT d.key_hash FROM (
                SELECT p.key_hash
                FROM idempotency_keys AS p
                LEFT JOIN idempotency_keys AS r
                    ON r.key_hash = p.alias_of AND r.alias_of IS NULL
                    AND ({r expires} IS NULL OR {r expires} > UTC_TIMESTAMP(6))
                WHERE p.key_hash = :key_hash AND p.alias_of IS NOT NULL AND r.key_hash IS NULL
                LIMIT 1) AS d
            """.replace("{r expires}", expires("r."));

    /**
     * Assignments take effect from left to right, so expressions that use completed_at, ttl_micros or status must come before these.
     */
    static final NamedSql TAKE_OVER =
            NamedSql.of("""
            UPDATE idempotency_keys
            SET attempt_count = CASE WHEN {expires} <= UTC_TIMESTAMP(6) OR alias_of IS NOT NULL THEN 1 ELSE attempt_count + 1 END,
                record_id = CASE WHEN {expires} <= UTC_TIMESTAMP(6) OR alias_of IS NOT NULL THEN :record_id ELSE record_id END,
                created_at = CASE WHEN {expires} <= UTC_TIMESTAMP(6) OR alias_of IS NOT NULL THEN UTC_TIMESTAMP(6) ELSE created_at END,
                on_stale = CASE WHEN status = 'IN_PROGRESS' AND on_stale = 'RECONCILE' AND :on_stale = 'RERUN'
                                THEN on_stale ELSE :on_stale END,
                alias_conflict = CASE WHEN {expires} <= UTC_TIMESTAMP(6) THEN NULL ELSE alias_conflict END,
                alias_of = NULL,
                claim_nonce = :new_nonce,
                status = 'IN_PROGRESS',
                fence = GREATEST(fence + 1, TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6))),
                fingerprint = :fingerprint,
                sketch = :sketch,
                ttl_micros = :ttl,
                lease_until = UTC_TIMESTAMP(6) + INTERVAL :lease MICROSECOND,
                run_until = UTC_TIMESTAMP(6) + INTERVAL :max_run MICROSECOND,
                due_at = UTC_TIMESTAMP(6) + INTERVAL ttl_micros MICROSECOND,
                completed_at = NULL, result_type = NULL, result = NULL, reason = NULL
            WHERE key_hash = :key_hash AND tenant = :tenant AND claim_nonce = :nonce
              AND (:record_id IS NOT NULL OR (alias_of IS NULL AND ({expires} IS NULL OR {expires} > UTC_TIMESTAMP(6))))
              AND (status = 'RETRYABLE'
                   OR {expires} <= UTC_TIMESTAMP(6)
                   OR (status = 'IN_PROGRESS' AND lease_until <= UTC_TIMESTAMP(6) AND on_stale <> 'PARK')
                   OR key_hash IN ({orphaned}))
            """.replace("{orphaned}", ORPHANED).replace("{expires}", EXPIRES));

    static final NamedSql RENEW = NamedSql.of("""
            UPDATE idempotency_keys
            SET lease_until = LEAST(UTC_TIMESTAMP(6) + INTERVAL :lease MICROSECOND, run_until)
            WHERE key_hash = :key_hash AND tenant = :tenant AND claim_nonce = :nonce AND status = 'IN_PROGRESS'
            """);

    static final NamedSql SETTLE = NamedSql.of("""
            UPDATE idempotency_keys
            SET status = :status, result_type = :result_type, result = :result, reason = :reason,
                completed_at = UTC_TIMESTAMP(6)
            WHERE key_hash = :key_hash AND tenant = :tenant AND claim_nonce = :nonce
              AND status IN ('IN_PROGRESS', 'UNKNOWN') AND alias_of IS NULL
            """);

    /**
     * Brings the next sweep of the row forward. The sweep postpones a claim that must be reconciled, and this command can change
     * that policy. The due time uses the new lease: assignments take effect from left to right.
     */
    static final NamedSql GIVE_BACK = NamedSql.of("""
            UPDATE idempotency_keys
            SET claim_nonce = :new_nonce, status = :status, attempt_count = GREATEST(attempt_count - 1, 0),
                on_stale = COALESCE(:on_stale, on_stale), reason = :reason,
                lease_until = LEAST(UTC_TIMESTAMP(6), run_until),
                due_at = LEAST(due_at, lease_until + INTERVAL ttl_micros MICROSECOND),
                completed_at = CASE WHEN :status = 'RETRYABLE' THEN UTC_TIMESTAMP(6) END
            WHERE key_hash = :key_hash AND tenant = :tenant AND claim_nonce = :nonce AND status = 'IN_PROGRESS'
            """);

    // For many rows at once, as a join in the order of the batch. A join does not define the order of assignments.
    // Take-overs depend on that order, so they are sent one by one.

    static final ListSql RENEW_MANY = ListSql.of("""
            UPDATE ({rows}) AS c
            STRAIGHT_JOIN idempotency_keys AS k ON k.key_hash = c.key_hash
            SET k.lease_until = LEAST(UTC_TIMESTAMP(6) + INTERVAL c.lease MICROSECOND, k.run_until)
            WHERE k.tenant = c.tenant AND k.claim_nonce = c.nonce AND k.status = 'IN_PROGRESS'
            """, selected("key_hash", "tenant", "nonce", "lease"), " UNION ALL ");

    static final ListSql READ = ListSql.of("""
            SELECT {snapshot} FROM idempotency_keys WHERE key_hash IN ({rows})
            """.replace("{snapshot}", SNAPSHOT), ":key_hash");

    /** The claims that can be settled, with what a settlement reports. */
    static final ListSql READ_OPEN = ListSql.of("""
            SELECT key_hash, tenant, claim_nonce, scope, record_id, attempt_count, fence
            FROM idempotency_keys
            WHERE key_hash IN ({rows}) AND status IN ('IN_PROGRESS', 'UNKNOWN') AND alias_of IS NULL
            """, ":key_hash");

    static final ListSql READ_OF_ONE_TENANT = READ.followedBy(" AND tenant = :one_of");

    static final NamedSql INSERT_POINTER = NamedSql.of("""
            INSERT INTO idempotency_keys
                (key_hash, tenant, scope, secret_id, record_id, claim_nonce, fingerprint, status, on_stale, fence,
                 created_at, lease_until, run_until, reason, alias_of, due_at)
            VALUES (:key_hash, :tenant, :scope, :secret_id, :record_id, :new_nonce, :fingerprint, 'UNKNOWN', 'PARK',
                    TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6)), UTC_TIMESTAMP(6), UTC_TIMESTAMP(6),
                    UTC_TIMESTAMP(6), :reason, :alias_of, NULL)
            """);

    /**
     * Checks again that the row is reclaimable: it has expired, is a pointer without a record, or points to the record just
     * made.
     */
    static final NamedSql POINT =
            NamedSql.of("""
            UPDATE idempotency_keys
            SET alias_of = :alias_of, claim_nonce = :new_nonce, record_id = :record_id, fingerprint = :fingerprint,
                status = 'UNKNOWN', on_stale = 'PARK', attempt_count = 1, ttl_micros = NULL, reason = :reason,
                fence = GREATEST(fence + 1, TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6))),
                created_at = UTC_TIMESTAMP(6), lease_until = UTC_TIMESTAMP(6), run_until = UTC_TIMESTAMP(6),
                completed_at = NULL, due_at = NULL,
                result_type = NULL, result = NULL, alias_conflict = NULL, sketch = NULL
            WHERE key_hash = :key_hash AND tenant = :tenant AND claim_nonce = :nonce
              AND ({expires} <= UTC_TIMESTAMP(6) OR alias_of = :alias_of OR key_hash IN ({orphaned}))
            """.replace("{orphaned}", ORPHANED).replace("{expires}", EXPIRES));

    /**
     * The pointers by {@code alias_of}. The optimizer merges this into the query around it, and would otherwise begin with the table
     * that has no index by it.
     */
    static final String POINTERS = """
            (SELECT k.key_hash, k.claim_nonce, k.secret_id, a.alias_of
             FROM semel_aliases AS a STRAIGHT_JOIN idempotency_keys AS k ON k.key_hash = a.key_hash AND k.alias_of = a.alias_of)""";

    /** Follows a statement that has written a pointer, and so locked its row. */
    static final NamedSql REMEMBER_POINTER = NamedSql.of("""
            INSERT INTO semel_aliases (key_hash, alias_of) VALUES (:key_hash, :alias_of)
            ON DUPLICATE KEY UPDATE alias_of = VALUES(alias_of)
            """);

    /** Follows a statement that has deleted rows. A row that stayed keeps its entry. */
    static final NamedSql FORGET_POINTER = NamedSql.of("""
            DELETE FROM semel_aliases
            WHERE key_hash = :key_hash AND NOT EXISTS (SELECT 1 FROM idempotency_keys AS k WHERE k.key_hash = :key_hash)
            """);

    static final ListSql REMEMBERED_POINTERS =
            ListSql.of("SELECT key_hash FROM semel_aliases WHERE key_hash IN ({rows})", ":key_hash");

    static final NamedSql NOTE_CONFLICT = NamedSql.of("""
            UPDATE idempotency_keys SET alias_conflict = :other
            WHERE key_hash = :key_hash AND tenant = :tenant AND alias_of IS NULL AND alias_conflict IS NULL
            """);

    private MariaDbSql() {}

    /**
     * The time at which a row expires.
     *
     * @param prefix the table or alias with a dot, or nothing
     */
    static String expires(String prefix) {
        return "(CASE WHEN {0}status <> 'UNKNOWN' THEN {0}completed_at + INTERVAL {0}ttl_micros MICROSECOND END)"
                .replace("{0}", prefix);
    }

    private static String selected(String... names) {
        return "SELECT "
                + Arrays.stream(names).map(name -> ":" + name + " AS " + name).collect(joining(", "));
    }
}
