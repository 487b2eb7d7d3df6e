// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.jdbc.sql.ArraySql;
import dev.semel.jdbc.sql.NamedSql;
import java.util.regex.Pattern;

/** The statements of PostgreSQL, each for arrays of rows. */
final class PostgresSql {
    private static final Pattern EXPIRES = Pattern.compile("\\{expires ([a-z])}");

    private static final String SNAPSHOT = """
            k.key_hash, k.tenant, k.scope, k.status, k.claim_nonce, k.record_id, k.fingerprint, k.sketch,
            k.attempt_count, k.fence, k.on_stale, k.result_type, k.reason, k.alias_of,
            CASE WHEN octet_length(k.result) <= c.largest THEN k.result END AS result,
            octet_length(k.result) AS result_size,
            CASE WHEN k.status = 'IN_PROGRESS'
                 THEN (date_part('epoch', k.lease_until - statement_timestamp()) * 1000000)::bigint
                 ELSE 0 END AS lease_left,
            (date_part('epoch', {expires k} - statement_timestamp()) * 1000000)::bigint AS ttl_left
            """;

    /**
     * All columns have a fixed length: the driver sends statements together only if it can limit the size of the
     * answer.
     */
    private static final String APPLIED = """
            k.claim_nonce, k.scope, k.record_id, k.attempt_count, k.fence,
            CASE WHEN k.status = 'IN_PROGRESS'
                 THEN (date_part('epoch', k.lease_until - statement_timestamp()) * 1000000)::bigint
                 ELSE 0 END AS lease_left
            """;

    static final ArraySql INSERT = sql("""
            INSERT INTO idempotency_keys AS k
                (key_hash, tenant, scope, secret_id, record_id, claim_nonce, fingerprint, sketch, status, on_stale,
                 attempt_count, fence, ttl_micros, created_at, lease_until, run_until, due_at)
            SELECT c.key_hash, c.tenant, c.scope, c.secret_id, c.record_id, c.new_nonce, c.fingerprint, c.sketch,
                   'IN_PROGRESS', c.on_stale::semel_on_stale, 1,
                   (date_part('epoch', statement_timestamp()) * 1000000)::bigint, c.ttl, statement_timestamp(),
                   statement_timestamp() + c.lease * interval '1 microsecond',
                   statement_timestamp() + c.max_run * interval '1 microsecond',
                   statement_timestamp() + c.ttl * interval '1 microsecond'
            FROM unnest(:key_hash::bytea[], :tenant::text[], :scope::text[], :secret_id::text[], :record_id::uuid[],
                        :new_nonce::uuid[], :fingerprint::bytea[], :sketch::bytea[], :on_stale::text[],
                        :ttl::bigint[], :lease::bigint[], :max_run::bigint[])
                 AS c (key_hash, tenant, scope, secret_id, record_id, new_nonce, fingerprint, sketch, on_stale, ttl,
                       lease, max_run)
            ON CONFLICT (key_hash) DO NOTHING
            RETURNING {applied}
            """);

    // Rows must be found by their primary key, independent of the statistics of a new table: the array matches that
    // index, conditions inside a CASE match no other, and the rest is a hash join of two small lists, in the order of
    // either. Both have the order of the digests: CommandBatch sorts the array. A nested loop would compare every row
    // of the batch with every other row.

    static final ArraySql TAKE_OVER = sql("""
            UPDATE idempotency_keys AS k
            SET claim_nonce = c.new_nonce,
                status = 'IN_PROGRESS',
                attempt_count = CASE WHEN {expires k} <= statement_timestamp() OR k.alias_of IS NOT NULL THEN 1 ELSE k.attempt_count + 1 END,
                record_id = CASE WHEN {expires k} <= statement_timestamp() OR k.alias_of IS NOT NULL THEN c.record_id ELSE k.record_id END,
                created_at = CASE WHEN {expires k} <= statement_timestamp() OR k.alias_of IS NOT NULL THEN statement_timestamp()
                                  ELSE k.created_at END,
                fence = greatest(k.fence + 1, (date_part('epoch', statement_timestamp()) * 1000000)::bigint),
                fingerprint = c.fingerprint,
                sketch = c.sketch,
                on_stale = CASE WHEN k.status = 'IN_PROGRESS' AND k.on_stale = 'RECONCILE' AND c.on_stale = 'RERUN'
                                THEN k.on_stale ELSE c.on_stale::semel_on_stale END,
                ttl_micros = c.ttl,
                lease_until = statement_timestamp() + c.lease * interval '1 microsecond',
                run_until = statement_timestamp() + c.max_run * interval '1 microsecond',
                due_at = statement_timestamp() + c.ttl * interval '1 microsecond',
                completed_at = NULL, result_type = NULL, result = NULL, reason = NULL, alias_of = NULL,
                alias_conflict = CASE WHEN {expires k} <= statement_timestamp() THEN NULL ELSE k.alias_conflict END
            FROM unnest(:key_hash::bytea[], :tenant::text[], :nonce::uuid[], :new_nonce::uuid[], :record_id::uuid[],
                        :fingerprint::bytea[], :sketch::bytea[], :on_stale::text[], :ttl::bigint[], :lease::bigint[],
                        :max_run::bigint[])
                 AS c (key_hash, tenant, nonce, new_nonce, record_id, fingerprint, sketch, on_stale, ttl, lease,
                       max_run)
            WHERE k.key_hash = ANY (:key_hash::bytea[]) AND k.key_hash = c.key_hash
              AND CASE WHEN k.tenant = c.tenant AND k.claim_nonce = c.nonce
                   AND (c.record_id IS NOT NULL
                        OR (k.alias_of IS NULL AND ({expires k} IS NULL OR {expires k} > statement_timestamp())))
                   AND (
                   k.status = 'RETRYABLE'
                   OR {expires k} <= statement_timestamp()
                   OR (k.status = 'IN_PROGRESS' AND k.lease_until <= statement_timestamp() AND k.on_stale <> 'PARK')
                   OR (k.alias_of IS NOT NULL AND NOT EXISTS (
                       SELECT 1 FROM idempotency_keys AS r
                       WHERE r.key_hash = k.alias_of AND r.tenant = k.tenant AND r.alias_of IS NULL
                         AND ({expires r} IS NULL OR {expires r} > statement_timestamp()))))
                  THEN true END
            RETURNING {applied}
            """);

    /**
     * Runs before updates of several kinds, because each update statement would lock only its own rows in order.
     *
     * <p>Inserts are not included. They run first, so a transaction that waits in them holds only new rows, which no update of
     * others sees. Inserts wait for inserts and updates in the order of the digests, and updates for updates in that order, so
     * transactions never wait for each other in a circle.
     */
    static final ArraySql LOCK = sql("""
            SELECT true AS locked FROM idempotency_keys AS k WHERE k.key_hash = ANY (:key_hash::bytea[])
            ORDER BY k.key_hash FOR NO KEY UPDATE
            """);

    static final ArraySql RENEW = sql("""
            UPDATE idempotency_keys AS k
            SET lease_until = least(statement_timestamp() + c.lease * interval '1 microsecond', k.run_until)
            FROM unnest(:key_hash::bytea[], :tenant::text[], :nonce::uuid[], :lease::bigint[])
                 AS c (key_hash, tenant, nonce, lease)
            WHERE k.key_hash = ANY (:key_hash::bytea[]) AND k.key_hash = c.key_hash
              AND CASE WHEN k.tenant = c.tenant AND k.claim_nonce = c.nonce AND k.status = 'IN_PROGRESS' THEN true END
            RETURNING {applied}
            """);

    private static final String SETTLING = """
            UPDATE idempotency_keys AS k
            SET status = c.status::semel_status,
                result_type = c.result_type,
                result = c.result,
                reason = c.reason,
                completed_at = statement_timestamp()
            FROM unnest(:key_hash::bytea[], :tenant::text[], :nonce::uuid[], :status::text[], :result_type::text[],
                        :result::bytea[], :reason::text[])
                 AS c (key_hash, tenant, nonce, status, result_type, result, reason)
            WHERE k.key_hash = ANY (:key_hash::bytea[]) AND k.key_hash = c.key_hash
              AND CASE WHEN k.tenant = c.tenant AND k.claim_nonce = c.nonce AND k.status IN ('IN_PROGRESS', 'UNKNOWN')
                        AND k.alias_of IS NULL THEN true END
            """;

    static final ArraySql SETTLE = sql(SETTLING + "RETURNING {applied}");

    /** Reports the claim by its update count only. */
    static final ArraySql SETTLE_COUNTED = sql(SETTLING);

    /** Reading this setting fails, because it does not exist: its name is in the message. */
    static final String CLAIM_LOST = "semel.claim_lost";

    /** Fails if the claim is not found, so that the statements behind it are not executed. */
    static final ArraySql SETTLE_OR_FAIL =
            sql("""
            WITH settled AS ({settling} RETURNING true)
            SELECT CASE WHEN EXISTS (SELECT FROM settled) THEN true ELSE current_setting('{lost}')::boolean END
            """.replace("{settling}", SETTLING).replace("{lost}", CLAIM_LOST));

    /**
     * Brings the next sweep of the row forward. The sweep postpones a claim that must be reconciled, and this command can change
     * that policy.
     */
    static final ArraySql GIVE_BACK = sql("""
            UPDATE idempotency_keys AS k
            SET claim_nonce = c.new_nonce,
                status = c.status::semel_status,
                attempt_count = greatest(k.attempt_count - 1, 0),
                on_stale = coalesce(c.on_stale::semel_on_stale, k.on_stale),
                reason = c.reason,
                lease_until = least(statement_timestamp(), k.run_until),
                due_at = least(k.due_at, least(statement_timestamp(), k.run_until) + k.ttl_micros * interval '1 microsecond'),
                completed_at = CASE WHEN c.status = 'RETRYABLE' THEN statement_timestamp() END
            FROM unnest(:key_hash::bytea[], :tenant::text[], :nonce::uuid[], :new_nonce::uuid[], :status::text[],
                        :on_stale::text[], :reason::text[])
                 AS c (key_hash, tenant, nonce, new_nonce, status, on_stale, reason)
            WHERE k.key_hash = ANY (:key_hash::bytea[]) AND k.key_hash = c.key_hash
              AND CASE WHEN k.tenant = c.tenant AND k.claim_nonce = c.nonce AND k.status = 'IN_PROGRESS' THEN true END
            RETURNING {applied}
            """);

    static final ArraySql READ = sql("""
            SELECT {snapshot}
            FROM unnest(:key_hash::bytea[], :tenant::text[], :largest::bigint[]) AS c (key_hash, tenant, largest)
            JOIN idempotency_keys AS k
              ON k.key_hash = ANY (:key_hash::bytea[]) AND k.key_hash = c.key_hash
             AND CASE WHEN k.tenant = c.tenant THEN true END
            """);

    static final ArraySql INSERT_POINTER = sql("""
            INSERT INTO idempotency_keys
                (key_hash, tenant, scope, secret_id, record_id, claim_nonce, fingerprint, status, on_stale, fence,
                 created_at, lease_until, run_until, reason, alias_of, due_at)
            SELECT c.key_hash, c.tenant, c.scope, c.secret_id, c.record_id, c.new_nonce, c.fingerprint, 'UNKNOWN', 'PARK',
                   (date_part('epoch', statement_timestamp()) * 1000000)::bigint, statement_timestamp(),
                   statement_timestamp(), statement_timestamp(), c.reason, c.alias_of, NULL
            FROM unnest(:key_hash::bytea[], :tenant::text[], :scope::text[], :secret_id::text[], :record_id::uuid[],
                        :new_nonce::uuid[], :fingerprint::bytea[], :reason::text[], :alias_of::bytea[])
                 AS c (key_hash, tenant, scope, secret_id, record_id, new_nonce, fingerprint, reason, alias_of)
            ON CONFLICT (key_hash) DO NOTHING
            """);

    /**
     * Checks again that the row is reclaimable: it has expired, is a pointer without a record, or points to the record just
     * made.
     */
    static final ArraySql POINT = sql("""
            UPDATE idempotency_keys AS k
            SET alias_of = c.alias_of, claim_nonce = c.new_nonce, record_id = c.record_id, fingerprint = c.fingerprint,
                status = 'UNKNOWN', on_stale = 'PARK', attempt_count = 1, ttl_micros = NULL, reason = c.reason,
                fence = greatest(k.fence + 1, (date_part('epoch', statement_timestamp()) * 1000000)::bigint),
                created_at = statement_timestamp(), lease_until = statement_timestamp(),
                run_until = statement_timestamp(), completed_at = NULL, due_at = NULL,
                result_type = NULL, result = NULL, alias_conflict = NULL, sketch = NULL
            FROM unnest(:key_hash::bytea[], :tenant::text[], :nonce::uuid[], :new_nonce::uuid[], :record_id::uuid[],
                        :fingerprint::bytea[], :reason::text[], :alias_of::bytea[])
                 AS c (key_hash, tenant, nonce, new_nonce, record_id, fingerprint, reason, alias_of)
            WHERE k.key_hash = c.key_hash AND k.tenant = c.tenant AND k.claim_nonce = c.nonce
              AND ({expires k} <= statement_timestamp()
                   OR k.alias_of = c.alias_of
                   OR (k.alias_of IS NOT NULL AND NOT EXISTS (
                       SELECT 1 FROM idempotency_keys AS r
                       WHERE r.key_hash = k.alias_of AND r.tenant = k.tenant AND r.alias_of IS NULL
                         AND ({expires r} IS NULL OR {expires r} > statement_timestamp()))))
            """);

    static final NamedSql NOTE_CONFLICT = NamedSql.of("""
            UPDATE idempotency_keys SET alias_conflict = :other
            WHERE key_hash = :key_hash AND tenant = :tenant AND alias_of IS NULL AND alias_conflict IS NULL
            """);

    /**
     * The plan settings keep a plan that was cached for a small table from scanning a large one. All settings end
     * with the transaction, so sessions of a user's pool or of PgBouncer stay unchanged. The columns are booleans
     * because those have a fixed length.
     */
    static final String SETTINGS = """
            SELECT set_config('lock_timeout', '%d', true) IS NOT NULL,
                   set_config('statement_timeout', '%d', true) IS NOT NULL,
                   set_config('idle_in_transaction_session_timeout', '%d', true) IS NOT NULL,
                   set_config('plan_cache_mode', 'force_generic_plan', true) IS NOT NULL,
                   set_config('enable_nestloop', 'off', true) IS NOT NULL,
                   set_config('enable_mergejoin', 'off', true) IS NOT NULL,
                   set_config('enable_bitmapscan', 'off', true) IS NOT NULL,
                   set_config('enable_seqscan', 'off', true) IS NOT NULL
            """;

    private PostgresSql() {}

    private static ArraySql sql(String text) {
        return ArraySql.of(expiring(text.replace("{snapshot}", SNAPSHOT).replace("{applied}", APPLIED)));
    }

    /** Replaces <code>{expires k}</code> by the time at which the row {@code k} expires. */
    static String expiring(String text) {
        return EXPIRES.matcher(text).replaceAll(match -> expires(match.group(1)));
    }

    static String expires(String table) {
        return "CASE WHEN %1$s.status <> 'UNKNOWN' THEN %1$s.completed_at + %1$s.ttl_micros * interval '1 microsecond' END"
                .formatted(table);
    }
}
