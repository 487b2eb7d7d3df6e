// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Command;
import dev.semel.claim.Snapshot;
import dev.semel.claim.StoredResult;
import dev.semel.claim.SweepReport;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * PostgreSQL: conditional insert and conditional update of whole arrays, each with RETURNING. The clock is {@code
 * statement_timestamp()}: {@code now()} would be the start of the transaction.
 */
final class PostgresDialect implements Dialect {
    private static final String SNAPSHOT = """
            k.key_hash, k.tenant, k.scope, k.status, k.claim_nonce, k.record_id, k.fingerprint, k.attempt_count,
            k.fence, k.on_stale, k.result_type, k.result, k.reason, k.alias_of,
            CASE WHEN k.status = 'IN_PROGRESS'
                 THEN (extract(epoch FROM k.lease_until - statement_timestamp()) * 1000000)::bigint
                 ELSE 0 END AS lease_left,
            coalesce(k.expires_at <= statement_timestamp(), false) AS expired
            """;

    /** Of fixed length, every one: the driver sends statements together only while it can bound what comes back. */
    private static final String APPLIED = """
            k.claim_nonce, k.record_id, k.attempt_count, k.fence,
            CASE WHEN k.status = 'IN_PROGRESS'
                 THEN (extract(epoch FROM k.lease_until - statement_timestamp()) * 1000000)::bigint
                 ELSE 0 END AS lease_left
            """;

    private static final ArraySql INSERT = ArraySql.of("""
            INSERT INTO idempotency_keys AS k
                (key_hash, tenant, scope, secret_id, record_id, claim_nonce, fingerprint, status, on_stale,
                 attempt_count, fence, ttl_micros, created_at, updated_at, started_at, lease_until, run_until)
            SELECT c.key_hash, c.tenant, c.scope, c.secret_id, c.record_id, c.new_nonce, c.fingerprint, 'IN_PROGRESS',
                   c.on_stale, 1, (extract(epoch FROM statement_timestamp()) * 1000000)::bigint, c.ttl,
                   statement_timestamp(), statement_timestamp(), statement_timestamp(),
                   statement_timestamp() + c.lease * interval '1 microsecond',
                   statement_timestamp() + c.max_run * interval '1 microsecond'
            FROM unnest(:key_hash::bytea[], :tenant::text[], :scope::text[], :secret_id::text[], :record_id::uuid[],
                        :new_nonce::uuid[], :fingerprint::bytea[], :on_stale::text[], :ttl::bigint[],
                        :lease::bigint[], :max_run::bigint[])
                 AS c (key_hash, tenant, scope, secret_id, record_id, new_nonce, fingerprint, on_stale, ttl, lease,
                       max_run)
            ON CONFLICT (key_hash) DO NOTHING
            RETURNING %s
            """.formatted(APPLIED));

    // Rows are found by their primary key and in no other way, in its order, whatever the planner believes about a
    // young
    // table: the array suits that index, conditions inside a CASE suit no other, and what is left is a hash join of two
    // small lists. A nested loop would compare every row of the batch with every other.

    private static final ArraySql TAKE_OVER = ArraySql.of("""
            UPDATE idempotency_keys AS k
            SET claim_nonce = c.new_nonce,
                status = 'IN_PROGRESS',
                attempt_count = CASE WHEN k.expires_at <= statement_timestamp() OR k.alias_of IS NOT NULL THEN 1 ELSE k.attempt_count + 1 END,
                record_id = CASE WHEN k.expires_at <= statement_timestamp() OR k.alias_of IS NOT NULL THEN c.record_id ELSE k.record_id END,
                created_at = CASE WHEN k.expires_at <= statement_timestamp() OR k.alias_of IS NOT NULL THEN statement_timestamp()
                                  ELSE k.created_at END,
                fence = greatest(k.fence + 1, (extract(epoch FROM statement_timestamp()) * 1000000)::bigint),
                fingerprint = c.fingerprint,
                on_stale = CASE WHEN k.status = 'IN_PROGRESS' AND k.on_stale = 'RECONCILE' AND c.on_stale = 'RERUN'
                                THEN k.on_stale ELSE c.on_stale END,
                ttl_micros = c.ttl,
                updated_at = statement_timestamp(),
                started_at = statement_timestamp(),
                lease_until = statement_timestamp() + c.lease * interval '1 microsecond',
                run_until = statement_timestamp() + c.max_run * interval '1 microsecond',
                completed_at = NULL, expires_at = NULL, result_type = NULL, result = NULL, reason = NULL, alias_of = NULL,
                alias_conflict = CASE WHEN k.expires_at <= statement_timestamp() THEN NULL ELSE k.alias_conflict END
            FROM unnest(:key_hash::bytea[], :tenant::text[], :nonce::uuid[], :new_nonce::uuid[], :record_id::uuid[],
                        :fingerprint::bytea[], :on_stale::text[], :ttl::bigint[], :lease::bigint[], :max_run::bigint[])
                 AS c (key_hash, tenant, nonce, new_nonce, record_id, fingerprint, on_stale, ttl, lease, max_run)
            WHERE k.key_hash = ANY (:key_hash::bytea[]) AND k.key_hash = c.key_hash
              AND CASE WHEN k.tenant = c.tenant AND k.claim_nonce = c.nonce AND (
                   k.status = 'RETRYABLE'
                   OR k.expires_at <= statement_timestamp()
                   OR (k.status = 'IN_PROGRESS' AND k.lease_until <= statement_timestamp() AND k.on_stale <> 'PARK')
                   OR (k.alias_of IS NOT NULL AND NOT EXISTS (
                       SELECT 1 FROM idempotency_keys AS r
                       WHERE r.key_hash = k.alias_of AND r.tenant = k.tenant AND r.alias_of IS NULL
                         AND (r.expires_at IS NULL OR r.expires_at > statement_timestamp()))))
                  THEN true END
            RETURNING %s
            """.formatted(APPLIED));

    private static final ArraySql RENEW = ArraySql.of("""
            UPDATE idempotency_keys AS k
            SET lease_until = least(statement_timestamp() + c.lease * interval '1 microsecond', k.run_until),
                updated_at = statement_timestamp()
            FROM unnest(:key_hash::bytea[], :tenant::text[], :nonce::uuid[], :lease::bigint[])
                 AS c (key_hash, tenant, nonce, lease)
            WHERE k.key_hash = ANY (:key_hash::bytea[]) AND k.key_hash = c.key_hash
              AND CASE WHEN k.tenant = c.tenant AND k.claim_nonce = c.nonce AND k.status = 'IN_PROGRESS' THEN true END
            RETURNING %s
            """.formatted(APPLIED));

    private static final ArraySql SETTLE = ArraySql.of("""
            UPDATE idempotency_keys AS k
            SET status = c.status,
                result_type = c.result_type,
                result = c.result,
                reason = c.reason,
                completed_at = statement_timestamp(),
                updated_at = statement_timestamp(),
                expires_at = CASE WHEN c.status <> 'UNKNOWN'
                                  THEN statement_timestamp() + k.ttl_micros * interval '1 microsecond' END
            FROM unnest(:key_hash::bytea[], :tenant::text[], :nonce::uuid[], :status::text[], :result_type::text[],
                        :result::bytea[], :reason::text[])
                 AS c (key_hash, tenant, nonce, status, result_type, result, reason)
            WHERE k.key_hash = ANY (:key_hash::bytea[]) AND k.key_hash = c.key_hash
              AND CASE WHEN k.tenant = c.tenant AND k.claim_nonce = c.nonce AND k.status IN ('IN_PROGRESS', 'UNKNOWN')
                        AND k.alias_of IS NULL THEN true END
            RETURNING %s
            """.formatted(APPLIED));

    private static final ArraySql READ = ArraySql.of("""
            SELECT %s
            FROM unnest(:key_hash::bytea[], :tenant::text[]) AS c (key_hash, tenant)
            JOIN idempotency_keys AS k
              ON k.key_hash = ANY (:key_hash::bytea[]) AND k.key_hash = c.key_hash
             AND CASE WHEN k.tenant = c.tenant THEN true END
            """.formatted(SNAPSHOT));

    private static final ArraySql INSERT_POINTER = ArraySql.of("""
            INSERT INTO idempotency_keys
                (key_hash, tenant, scope, secret_id, record_id, claim_nonce, fingerprint, status, on_stale, fence,
                 created_at, updated_at, started_at, lease_until, run_until, reason, alias_of)
            SELECT c.key_hash, c.tenant, c.scope, c.secret_id, c.record_id, c.new_nonce, c.fingerprint, 'UNKNOWN', 'PARK',
                   (extract(epoch FROM statement_timestamp()) * 1000000)::bigint, statement_timestamp(),
                   statement_timestamp(), statement_timestamp(), statement_timestamp(), statement_timestamp(),
                   c.reason, c.alias_of
            FROM unnest(:key_hash::bytea[], :tenant::text[], :scope::text[], :secret_id::text[], :record_id::uuid[],
                        :new_nonce::uuid[], :fingerprint::bytea[], :reason::text[], :alias_of::bytea[])
                 AS c (key_hash, tenant, scope, secret_id, record_id, new_nonce, fingerprint, reason, alias_of)
            ON CONFLICT (key_hash) DO NOTHING
            """);

    private static final ArraySql POINT = ArraySql.of("""
            UPDATE idempotency_keys AS k
            SET alias_of = c.alias_of, claim_nonce = c.new_nonce, record_id = c.record_id, fingerprint = c.fingerprint,
                status = 'UNKNOWN', on_stale = 'PARK', attempt_count = 1, ttl_micros = NULL, reason = c.reason,
                fence = greatest(k.fence + 1, (extract(epoch FROM statement_timestamp()) * 1000000)::bigint),
                created_at = statement_timestamp(), updated_at = statement_timestamp(),
                started_at = statement_timestamp(), lease_until = statement_timestamp(),
                run_until = statement_timestamp(), completed_at = NULL, expires_at = NULL, result_type = NULL,
                result = NULL, alias_conflict = NULL
            FROM unnest(:key_hash::bytea[], :tenant::text[], :nonce::uuid[], :new_nonce::uuid[], :record_id::uuid[],
                        :fingerprint::bytea[], :reason::text[], :alias_of::bytea[])
                 AS c (key_hash, tenant, nonce, new_nonce, record_id, fingerprint, reason, alias_of)
            WHERE k.key_hash = c.key_hash AND k.tenant = c.tenant AND k.claim_nonce = c.nonce
            """);

    private static final NamedSql NOTE_CONFLICT = NamedSql.of("""
            UPDATE idempotency_keys SET alias_conflict = :other
            WHERE key_hash = :key_hash AND tenant = :tenant AND alias_of IS NULL AND alias_conflict IS NULL
            """);

    private static final NamedSql DELETE_EXPIRED = NamedSql.of("""
            DELETE FROM idempotency_keys
            WHERE key_hash IN (
                SELECT key_hash FROM idempotency_keys
                WHERE expires_at <= statement_timestamp()
                ORDER BY expires_at LIMIT :limit
                FOR UPDATE SKIP LOCKED)
            """);

    private static final NamedSql MOVE_ABANDONED = NamedSql.of("""
            UPDATE idempotency_keys
            SET status = CASE on_stale WHEN 'PARK' THEN 'UNKNOWN' ELSE 'RETRYABLE' END,
                reason = :reason,
                completed_at = statement_timestamp(),
                updated_at = statement_timestamp(),
                expires_at = CASE WHEN on_stale <> 'PARK'
                                  THEN statement_timestamp() + ttl_micros * interval '1 microsecond' END
            WHERE key_hash IN (
                SELECT key_hash FROM idempotency_keys
                WHERE status = 'IN_PROGRESS' AND on_stale <> 'RECONCILE' AND lease_until <= statement_timestamp()
                  AND lease_until + ttl_micros * interval '1 microsecond' <= statement_timestamp()
                ORDER BY lease_until LIMIT :limit
                FOR UPDATE SKIP LOCKED)
            RETURNING status
            """);

    private static final String ENTRY = """
            SELECT key_hash, tenant, scope, secret_id, status, attempt_count, fence, on_stale, result_type, reason,
                   alias_conflict,
                   coalesce(octet_length(result), 0) AS result_size,
                   status = 'IN_PROGRESS' AND lease_until <= statement_timestamp() AS lapsed,
                   (extract(epoch FROM created_at) * 1000000)::bigint AS created_micros,
                   (extract(epoch FROM updated_at) * 1000000)::bigint AS updated_micros,
                   (extract(epoch FROM started_at) * 1000000)::bigint AS started_micros,
                   (extract(epoch FROM completed_at) * 1000000)::bigint AS completed_micros,
                   (extract(epoch FROM expires_at) * 1000000)::bigint AS expires_micros
            FROM idempotency_keys
            """;

    private static final NamedSql FIND = NamedSql.of(ENTRY + """
            WHERE tenant = :tenant AND alias_of IS NULL
              AND key_hash = (SELECT coalesce(a.alias_of, a.key_hash) FROM idempotency_keys AS a
                              WHERE a.key_hash = :key_hash AND a.tenant = :tenant)
            """);

    private static final NamedSql PAGE = NamedSql.of(ENTRY + """
            WHERE tenant = :tenant AND status = :status AND alias_of IS NULL
              AND (scope = :scope OR CAST(:scope AS text) IS NULL)
              AND created_at <= timestamptz 'epoch' + CAST(:created AS bigint) * interval '1 microsecond'
              AND (created_at < timestamptz 'epoch' + CAST(:created AS bigint) * interval '1 microsecond'
                   OR key_hash < :key_hash)
            ORDER BY created_at DESC, key_hash DESC LIMIT :limit
            """);

    private static final NamedSql COUNT = NamedSql.of("""
            SELECT status, count(*) FROM idempotency_keys WHERE tenant = :tenant AND alias_of IS NULL GROUP BY status
            """);

    /**
     * The plan settings keep a plan that was cached when the table was small from scanning it once it is large. All of
     * it ends with the transaction, so that a user's pool, or PgBouncer's, stays as it was. Booleans, because they are
     * of fixed length.
     */
    private static final String SETTINGS = """
            SELECT set_config('lock_timeout', '%d', true) IS NOT NULL,
                   set_config('statement_timeout', '%d', true) IS NOT NULL,
                   set_config('idle_in_transaction_session_timeout', '%d', true) IS NOT NULL,
                   set_config('plan_cache_mode', 'force_generic_plan', true) IS NOT NULL,
                   set_config('enable_nestloop', 'off', true) IS NOT NULL,
                   set_config('enable_mergejoin', 'off', true) IS NOT NULL,
                   set_config('enable_bitmapscan', 'off', true) IS NOT NULL,
                   set_config('enable_seqscan', 'off', true) IS NOT NULL
            """;

    /** Any number that other users of advisory locks are unlikely to have chosen. */
    private static final long MIGRATION_LOCK = 0x73656d656cL;

    private static final NamedSql ONLY_FOUND_BY = NamedSql.of("""
            SELECT count(*) FROM idempotency_keys AS k
            WHERE k.alias_of IS NULL AND (k.expires_at IS NULL OR k.expires_at > statement_timestamp())
              AND CASE WHEN k.secret_id = :secret_id THEN 1 ELSE -1 END
                  + COALESCE((SELECT sum(CASE WHEN p.secret_id = :secret_id THEN 1 ELSE -1 END)
                              FROM idempotency_keys AS p WHERE p.alias_of = k.key_hash), 0) > 0
            """);

    @Override
    public String folder() {
        return "postgresql";
    }

    @Override
    public boolean hasNetwork() {
        return true;
    }

    @Override
    public int largestResult(Connection connection) {
        return StoredResult.MAX_BYTES;
    }

    /**
     * One round trip: the statements go out together and, without a transaction of their own, are one implicit
     * transaction that commits at its end. Losers are read afterwards, in a second round trip, if there are any.
     */
    @Override
    public void apply(Connection connection, Batch batch, Duration statementTimeout) throws SQLException {
        if (batch.size() == 1) {
            applyOne(connection, batch, statementTimeout);
        } else {
            applyMany(connection, batch, statementTimeout);
        }
        if (!batch.open().isEmpty()) {
            Map<ClaimRef, Snapshot> found = new HashMap<>();
            read(connection, batch.open(), found);
            found.forEach(batch::found);
        }
    }

    private static void applyOne(Connection connection, Batch batch, Duration statementTimeout) throws SQLException {
        Command command = batch.sorted().get(0);
        try (PreparedStatement statement = sqlOf(command).prepareOne(connection, Parameters.of(command))) {
            statement.setQueryTimeout((int) Math.max(1, statementTimeout.toSeconds()));
            Rows.applied(statement, batch);
        }
    }

    private static ArraySql sqlOf(Command command) {
        if (command instanceof Command.Insert) {
            return INSERT;
        }
        if (command instanceof Command.TakeOver) {
            return TAKE_OVER;
        }
        return command instanceof Command.Renew ? RENEW : SETTLE;
    }

    private static void applyMany(Connection connection, Batch batch, Duration statementTimeout) throws SQLException {
        List<ArraySql> statements = new ArrayList<>();
        List<List<Parameters>> rows = new ArrayList<>();
        for (ArraySql sql : List.of(INSERT, TAKE_OVER, RENEW, SETTLE)) {
            List<Parameters> own = batch.sorted().stream()
                    .filter(command -> sqlOf(command) == sql)
                    .map(Parameters::of)
                    .toList();
            if (!own.isEmpty()) {
                statements.add(sql);
                rows.add(own);
            }
        }
        String settings = SETTINGS.formatted(
                statementTimeout.toMillis() / 2, statementTimeout.toMillis(), statementTimeout.toMillis() * 5);
        try (PreparedStatement statement = ArraySql.prepareAll(connection, settings, statements, rows)) {
            statement.execute();
            for (int i = 0; i < statements.size(); i++) {
                statement.getMoreResults();
                try (ResultSet changed = statement.getResultSet()) {
                    Rows.applied(changed, batch);
                }
            }
        }
    }

    @Override
    public void read(Connection connection, Collection<ClaimRef> refs, Map<ClaimRef, Snapshot> seen)
            throws SQLException {
        List<Parameters> rows = refs.stream().map(Parameters::of).toList();
        try (PreparedStatement statement = READ.prepare(connection, rows)) {
            Rows.collect(statement, seen);
        }
    }

    @Override
    public int write(Connection connection, Command command) throws SQLException {
        try (PreparedStatement statement = sqlOf(command).prepareOne(connection, Parameters.of(command));
                ResultSet changed = statement.executeQuery()) {
            return changed.next() ? 1 : 0;
        }
    }

    @Override
    public int writePointer(Connection connection, boolean isNew, Parameters parameters) throws SQLException {
        ArraySql sql = isNew ? INSERT_POINTER : POINT;
        try (PreparedStatement statement = sql.prepareOne(connection, parameters)) {
            return statement.executeUpdate();
        }
    }

    @Override
    public void noteConflict(Connection connection, Parameters parameters) throws SQLException {
        try (PreparedStatement statement = NOTE_CONFLICT.prepare(connection, parameters)) {
            statement.executeUpdate();
        }
    }

    /** A user's pool may have another isolation for its default; here each statement must see what others committed. */
    @Override
    public <R> R inTransaction(Connection connection, Connections.Work<R> work, Duration statementTimeout)
            throws SQLException {
        return Transaction.run(connection, inTransaction -> {
            try (Statement statement = inTransaction.createStatement()) {
                statement.execute("SET TRANSACTION ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = %d"
                        .formatted(statementTimeout.toMillis() / 2));
            }
            return work.run(inTransaction);
        });
    }

    @Override
    public SweepReport sweep(Connection connection, int limit, Duration statementTimeout) throws SQLException {
        int deleted;
        Sweeps sweeps = new Sweeps(limit);
        try (PreparedStatement statement = DELETE_EXPIRED.prepare(connection, sweeps.parameters())) {
            deleted = statement.executeUpdate();
        }
        try (PreparedStatement statement = MOVE_ABANDONED.prepare(connection, sweeps.parameters());
                ResultSet moved = statement.executeQuery()) {
            return sweeps.report(deleted, moved);
        }
    }

    @Override
    public NamedSql onlyFoundByStatement() {
        return ONLY_FOUND_BY;
    }

    @Override
    public String now() {
        return "statement_timestamp()";
    }

    @Override
    public String nowInMicros() {
        return "(extract(epoch FROM statement_timestamp()) * 1000000)::bigint";
    }

    @Override
    public NamedSql findStatement() {
        return FIND;
    }

    @Override
    public NamedSql pageStatement() {
        return PAGE;
    }

    @Override
    public NamedSql countStatement() {
        return COUNT;
    }

    @Override
    public void migrating(Connection connection, MigrationSteps steps) throws SQLException {
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute("SELECT pg_advisory_xact_lock(" + MIGRATION_LOCK + ")");
            steps.run();
            connection.commit();
        } catch (SQLException | RuntimeException e) {
            connection.rollback();
            throw e;
        } finally {
            connection.setAutoCommit(true);
        }
    }
}
