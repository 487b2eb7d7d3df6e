// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Digest;
import dev.semel.claim.StoredResult;
import dev.semel.jdbc.sql.ArraySql;
import dev.semel.jdbc.sql.Connections;
import dev.semel.jdbc.sql.NamedSql;
import dev.semel.jdbc.sql.TransactionBounds;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import dev.semel.spi.Verdict;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * PostgreSQL: a transaction-level advisory lock on the first 64 bits of the digest, tried without waiting in the same
 * round trip as the insert. Without it, an insert would wait until the other transaction ends. The lock is released
 * after the commit is visible, so its next holder sees the result of the previous one.
 */
final class PostgresTransactions implements TransactionDialect {
    /** Tries the lock once per row: a CTE that is read twice is evaluated once. */
    private static final ArraySql CLAIM = ArraySql.of("""
            WITH tried AS MATERIALIZED (
                SELECT c.*, pg_try_advisory_xact_lock(c.lock) AS locked
                FROM unnest(:lock::bigint[], :key_hash::bytea[], :tenant::text[], :scope::text[], :secret_id::text[],
                            :record_id::uuid[], :new_nonce::uuid[], :fingerprint::bytea[], :sketch::bytea[],
                            :on_stale::text[], :ttl::bigint[], :lease::bigint[], :max_run::bigint[], :status::text[],
                            :result_type::text[], :result::bytea[])
                     AS c (lock, key_hash, tenant, scope, secret_id, record_id, new_nonce, fingerprint, sketch,
                           on_stale, ttl, lease, max_run, status, result_type, result)
            ), fresh AS (
                INSERT INTO idempotency_keys
                    (key_hash, tenant, scope, secret_id, record_id, claim_nonce, fingerprint, sketch, status, on_stale,
                     attempt_count, fence, ttl_micros, created_at, lease_until, run_until, result_type, result, completed_at,
                     due_at)
                SELECT t.key_hash, t.tenant, t.scope, t.secret_id, t.record_id, t.new_nonce, t.fingerprint, t.sketch,
                       t.status::semel_status, t.on_stale::semel_on_stale, 1,
                       (extract(epoch FROM statement_timestamp()) * 1000000)::bigint, t.ttl, statement_timestamp(),
                       statement_timestamp() + t.lease * interval '1 microsecond',
                       statement_timestamp() + t.max_run * interval '1 microsecond',
                       t.result_type, t.result,
                       CASE WHEN t.status = 'SUCCEEDED' THEN statement_timestamp() END,
                       statement_timestamp() + t.ttl * interval '1 microsecond'
                FROM tried AS t
                WHERE t.locked
                ON CONFLICT (key_hash) DO NOTHING
                RETURNING key_hash, fence
            )
            SELECT tried.key_hash, tried.locked, fresh.fence FROM tried LEFT JOIN fresh ON fresh.key_hash = tried.key_hash
            """);

    private static final NamedSql LOCK = NamedSql.of("SELECT pg_try_advisory_xact_lock(:lock)");

    /** The shortest possible wait; zero would mean no limit. {@link #WAIT_AGAIN} restores the previous setting. */
    private static final String DO_NOT_WAIT = """
            SELECT set_config('semel.lock_timeout', current_setting('lock_timeout'), true),
                   set_config('lock_timeout', '1ms', true)
            """;

    private static final String WAIT_AGAIN =
            "SELECT set_config('lock_timeout', current_setting('semel.lock_timeout'), true)";

    /** Lock not available. */
    private static final String LOCKED = "55P03";

    private static final Duration STATEMENT_TIMEOUT = Duration.ofSeconds(5);

    private final PostgresDialect dialect;

    PostgresTransactions(PostgresDialect dialect) {
        this.dialect = dialect;
    }

    @Override
    public Optional<Verdict> acquire(Connection connection, Command command) throws SQLException {
        if (command instanceof Command.Insert insert) {
            return insert(connection, insert);
        }
        // A take-over follows a refusal under the lock, so this transaction already holds the lock.
        return Optional.of(applied(connection, command));
    }

    @Override
    public boolean settle(Connection connection, Command.Settle settlement) throws SQLException {
        return applied(connection, settlement) instanceof Verdict.Applied;
    }

    private Verdict applied(Connection connection, Command command) throws SQLException {
        CommandBatch batch = new CommandBatch(List.of(command));
        dialect.apply(connection, batch, STATEMENT_TIMEOUT);
        return batch.verdicts().get(0);
    }

    private Optional<Verdict> insert(Connection connection, Command.Insert insert) throws SQLException {
        boolean locked;
        ClaimParameters running = ClaimParameters.of(insert)
                .put("lock", lockOf(insert.ref()))
                .put("status", "IN_PROGRESS")
                .put("result_type", null)
                .put("result", null);
        try (PreparedStatement statement = CLAIM.prepareOne(connection, running);
                ResultSet rows = statement.executeQuery()) {
            rows.next();
            long fence = rows.getLong("fence");
            if (!rows.wasNull()) {
                return Optional.of(new Verdict.Applied(
                        insert.ref(),
                        insert.scope(),
                        insert.record(),
                        1,
                        fence,
                        insert.terms().lease()));
            }
            locked = rows.getBoolean("locked");
        }
        // A separate statement, because the first one cannot see commits that happened while it ran.
        Map<ClaimRef, Snapshot> found = new HashMap<>();
        dialect.read(connection, List.of(insert.ref()), StoredResult.MAX_BYTES, found);
        Snapshot seen = found.get(insert.ref());
        boolean settled = seen != null && (!seen.reclaimable() || seen.aliasOf() != null);
        return locked || settled ? Optional.of(Verdict.of(insert, seen)) : Optional.empty();
    }

    /** The engine takes no advisory lock, so a statement may wait briefly for its row here. */
    @Override
    public <R> R withoutWaiting(Connection connection, Connections.Work<R> work) throws SQLException {
        try (Statement settings = connection.createStatement()) {
            settings.execute(DO_NOT_WAIT);
            R result = work.run(connection);
            // After a failure the caller rolls back to its savepoint, which also restores the setting.
            settings.execute(WAIT_AGAIN);
            return result;
        }
    }

    @Override
    public boolean isTaken(SQLException failure) {
        return LOCKED.equals(failure.getSQLState());
    }

    @Override
    public TransactionBounds bounds() {
        return TransactionBounds.onPostgresKeepingIsolation(GROUP_BOUND, GROUP_BOUND);
    }

    @Override
    public AliasStatements aliasStatements() {
        return dialect;
    }

    /** Stops at the first lock that is not available, so that one of two concurrent callers succeeds. */
    @Override
    public boolean lock(Connection connection, List<ClaimRef> refs) throws SQLException {
        try (PreparedStatement statement = LOCK.prepare(connection)) {
            for (ClaimRef ref : refs) {
                try (ResultSet row = LOCK.bind(statement, ClaimParameters.none().put("lock", lockOf(ref)))
                        .executeQuery()) {
                    if (!row.next() || !row.getBoolean(1)) {
                        return false;
                    }
                }
            }
            return true;
        }
    }

    @Override
    public Set<ClaimRef> insertSettled(Connection connection, List<SettledClaim> claims) throws SQLException {
        Map<Digest, ClaimRef> refs = new HashMap<>();
        claims.forEach(
                claim -> refs.put(claim.insert().ref().digest(), claim.insert().ref()));
        List<ClaimParameters> rows = claims.stream()
                .map(claim ->
                        claim.parameters().put("lock", lockOf(claim.insert().ref())))
                .toList();
        Set<ClaimRef> fresh = new HashSet<>();
        try (PreparedStatement statement = CLAIM.prepare(connection, rows);
                ResultSet found = statement.executeQuery()) {
            while (found.next()) {
                ClaimRef ref = refs.get(new Digest(found.getBytes("key_hash")));
                if (ref != null && found.getObject("fence") != null) {
                    fresh.add(ref);
                }
            }
        }
        return fresh;
    }

    private static long lockOf(ClaimRef ref) {
        return ByteBuffer.wrap(ref.digest().bytes()).getLong();
    }
}
