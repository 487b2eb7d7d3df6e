// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.OwnerToken;
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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * PostgreSQL: a transaction-level advisory lock on the first 64 bits of the digest, tried without waiting in the same
 * round trip as the insert. Without it, an insert would wait until the other transaction ends. The lock is released
 * after the commit is visible, so its next holder sees the result of the previous one.
 */
final class PostgresTransactions implements TransactionDialect {
    /** Tries the lock of each row, and inserts the row if the lock is held. The order of the rows is that of the locks. */
    static final ArraySql CLAIM = ArraySql.of("""
            INSERT INTO idempotency_keys
                (key_hash, tenant, scope, secret_id, record_id, claim_nonce, fingerprint, sketch, status, on_stale,
                 attempt_count, fence, ttl_micros, created_at, lease_until, run_until, result_type, result, completed_at,
                 due_at)
            SELECT c.key_hash, c.tenant, c.scope, c.secret_id, c.record_id, c.new_nonce, c.fingerprint, c.sketch,
                   c.status::semel_status, c.on_stale::semel_on_stale, 1,
                   (date_part('epoch', statement_timestamp()) * 1000000)::bigint, c.ttl, statement_timestamp(),
                   statement_timestamp() + c.lease * interval '1 microsecond',
                   statement_timestamp() + c.max_run * interval '1 microsecond',
                   c.result_type, c.result, CASE WHEN c.status = 'SUCCEEDED' THEN statement_timestamp() END,
                   statement_timestamp() + c.ttl * interval '1 microsecond'
            FROM unnest(:lock::bigint[], :key_hash::bytea[], :tenant::text[], :scope::text[], :secret_id::text[],
                        :record_id::uuid[], :new_nonce::uuid[], :fingerprint::bytea[], :sketch::bytea[],
                        :on_stale::text[], :ttl::bigint[], :lease::bigint[], :max_run::bigint[], :status::text[],
                        :result_type::text[], :result::bytea[])
                 AS c (lock, key_hash, tenant, scope, secret_id, record_id, new_nonce, fingerprint, sketch, on_stale, ttl,
                       lease, max_run, status, result_type, result)
            WHERE pg_try_advisory_xact_lock(c.lock)
            ON CONFLICT (key_hash) DO NOTHING
            RETURNING claim_nonce, fence
            """);

    /** The bounds of a group's transaction. The columns are booleans because those have a fixed length. */
    private static final String BOUNDS = """
            SELECT set_config('lock_timeout', '%1$d', true) IS NOT NULL,
                   set_config('idle_in_transaction_session_timeout', '%1$d', true) IS NOT NULL
            """.formatted(GROUP_BOUND.toMillis());

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
    public WorkStatements workOn(Connection connection, Stage stage) {
        return stage == Stage.NESTED ? new WorkStatements(connection, this) : new PostgresWork(connection, this, stage);
    }

    /** Needs no bound: this transaction already holds the lock of the row. */
    @Override
    public boolean settle(Connection connection, Command.Settle settlement) throws SQLException {
        try (PreparedStatement statement =
                PostgresSql.SETTLE_COUNTED.prepareOne(connection, ClaimParameters.of(settlement))) {
            return statement.executeUpdate() == 1;
        }
    }

    private Verdict applied(Connection connection, Command command) throws SQLException {
        CommandBatch batch = new CommandBatch(List.of(command));
        dialect.apply(connection, batch, STATEMENT_TIMEOUT);
        return batch.verdicts().get(0);
    }

    private Optional<Verdict> insert(Connection connection, Command.Insert insert) throws SQLException {
        Optional<Verdict> applied = inserted(connection, CLAIM, insert);
        return applied.isPresent() ? applied : refused(connection, insert);
    }

    /** Returns whether the insert was applied. Otherwise the row exists, or another transaction holds its lock. */
    static Optional<Verdict> inserted(Connection connection, ArraySql claim, Command.Insert insert)
            throws SQLException {
        ClaimParameters running = ClaimParameters.of(insert)
                .put("lock", lockOf(insert.ref()))
                .put("status", "IN_PROGRESS")
                .put("result_type", null)
                .put("result", null);
        try (PreparedStatement statement = claim.prepareOne(connection, running)) {
            boolean first = statement.execute();
            if (!first) {
                // That was the result of BEGIN.
                statement.getMoreResults();
            }
            try (ResultSet row = statement.getResultSet()) {
                return row.next()
                        ? Optional.of(new Verdict.Applied(
                                insert.ref(),
                                insert.scope(),
                                insert.record(),
                                1,
                                row.getLong("fence"),
                                insert.terms().lease()))
                        : Optional.empty();
            }
        }
    }

    /** The verdict on an insert that was not applied. Empty if another transaction holds the lock. */
    Optional<Verdict> refused(Connection connection, Command.Insert insert) throws SQLException {
        // A separate statement, because the first one cannot see commits that happened while it ran.
        Snapshot seen = row(connection, insert.ref());
        boolean settled = seen != null && (!seen.reclaimable() || seen.aliasOf() != null);
        if (settled) {
            return Optional.of(Verdict.of(insert, seen));
        }
        // Read again under the lock, because its last holder may have committed since.
        return lock(connection, List.of(insert.ref()))
                ? Optional.of(Verdict.of(insert, row(connection, insert.ref())))
                : Optional.empty();
    }

    private @Nullable Snapshot row(Connection connection, ClaimRef ref) throws SQLException {
        Map<ClaimRef, Snapshot> found = new HashMap<>();
        dialect.read(connection, List.of(ref), StoredResult.MAX_BYTES, found);
        return found.get(ref);
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
    public TransactionBounds boundsBeforeInserts() {
        return TransactionBounds.none();
    }

    /** Sets the bounds of the group's transaction in the same round trip. */
    @Override
    public Set<ClaimRef> insertSettled(Connection connection, List<SettledClaim> claims) throws SQLException {
        Map<OwnerToken, ClaimRef> byToken = new HashMap<>();
        List<ClaimParameters> rows = new ArrayList<>(claims.size());
        for (SettledClaim claim : claims) {
            ClaimRef ref = claim.insert().ref();
            byToken.put(claim.insert().token(), ref);
            rows.add(claim.parameters().put("lock", lockOf(ref)));
        }
        Set<ClaimRef> fresh = new HashSet<>();
        try (PreparedStatement statement = ArraySql.prepareAll(connection, BOUNDS, List.of(CLAIM), List.of(rows))) {
            statement.execute();
            statement.getMoreResults();
            try (ResultSet inserted = statement.getResultSet()) {
                while (inserted.next()) {
                    ClaimRef ref = byToken.get(ClaimRows.token(inserted));
                    if (ref != null) {
                        fresh.add(ref);
                    }
                }
            }
        }
        return fresh;
    }

    private static long lockOf(ClaimRef ref) {
        return ByteBuffer.wrap(ref.digest().bytes()).getLong();
    }
}
