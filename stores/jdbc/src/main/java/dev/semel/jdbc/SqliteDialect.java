// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.StoredResult;
import dev.semel.claim.SweepReport;
import dev.semel.jdbc.sql.Database;
import dev.semel.jdbc.sql.NamedSql;
import dev.semel.jdbc.sql.Transaction;
import dev.semel.jdbc.sql.TransactionBounds;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * SQLite: a single writer, in a transaction that begins IMMEDIATE, runs one prepared conditional statement per row.
 * There are no round trips to save. Its clock has a resolution of milliseconds.
 */
final class SqliteDialect implements Dialect {
    static final String NOW = "CAST(round(unixepoch('subsec') * 1000000) AS INTEGER)";

    private static final String SNAPSHOT = """
            key_hash, tenant, scope, status, claim_nonce, record_id, fingerprint, sketch, attempt_count, fence,
            on_stale, result_type, reason, alias_of,
            CASE WHEN octet_length(result) <= :largest THEN result END AS result, octet_length(result) AS result_size,
            CASE WHEN status = 'IN_PROGRESS' THEN lease_until - {now} ELSE 0 END AS lease_left,
            {expires} - {now} AS ttl_left
            """;

    private static final String APPLIED = """
            claim_nonce, scope, record_id, attempt_count, fence,
            CASE WHEN status = 'IN_PROGRESS' THEN lease_until - {now} ELSE 0 END AS lease_left
            """;

    static final NamedSql INSERT = sql("""
            INSERT INTO idempotency_keys
                (key_hash, tenant, scope, secret_id, record_id, claim_nonce, fingerprint, sketch, status, on_stale,
                 attempt_count, fence, ttl_micros, created_at, lease_until, run_until, due_at)
            VALUES (:key_hash, :tenant, :scope, :secret_id, :record_id, :new_nonce, :fingerprint, :sketch,
                    'IN_PROGRESS', :on_stale, 1, {now}, :ttl, {now}, {now} + :lease, {now} + :max_run, {now} + :ttl)
            ON CONFLICT (key_hash) DO NOTHING
            RETURNING {applied}
            """);

    static final NamedSql TAKE_OVER = sql("""
            UPDATE idempotency_keys
            SET claim_nonce = :new_nonce,
                status = 'IN_PROGRESS',
                attempt_count = CASE WHEN {expires} <= {now} OR alias_of IS NOT NULL THEN 1 ELSE attempt_count + 1 END,
                record_id = CASE WHEN {expires} <= {now} OR alias_of IS NOT NULL THEN :record_id ELSE record_id END,
                created_at = CASE WHEN {expires} <= {now} OR alias_of IS NOT NULL THEN {now} ELSE created_at END,
                fence = max(fence + 1, {now}),
                fingerprint = :fingerprint,
                sketch = :sketch,
                on_stale = CASE WHEN status = 'IN_PROGRESS' AND on_stale = 'RECONCILE' AND :on_stale = 'RERUN'
                                THEN on_stale ELSE :on_stale END,
                ttl_micros = :ttl,
                lease_until = {now} + :lease,
                run_until = {now} + :max_run,
                due_at = {now} + :ttl,
                completed_at = NULL, result_type = NULL, result = NULL, reason = NULL, alias_of = NULL,
                alias_conflict = CASE WHEN {expires} <= {now} THEN NULL ELSE alias_conflict END
            WHERE key_hash = :key_hash AND tenant = :tenant AND claim_nonce = :nonce
              AND (:record_id IS NOT NULL OR (alias_of IS NULL AND ({expires} IS NULL OR {expires} > {now})))
              AND (status = 'RETRYABLE'
                   OR {expires} <= {now}
                   OR (status = 'IN_PROGRESS' AND lease_until <= {now} AND on_stale <> 'PARK')
                   OR (alias_of IS NOT NULL AND NOT EXISTS (
                       SELECT 1 FROM idempotency_keys AS r
                       WHERE r.key_hash = idempotency_keys.alias_of AND r.alias_of IS NULL
                         AND ({r expires} IS NULL OR {r expires} > {now}))))
            RETURNING {applied}
            """);

    private static final NamedSql RENEW = sql("""
            UPDATE idempotency_keys
            SET lease_until = min({now} + :lease, run_until)
            WHERE key_hash = :key_hash AND tenant = :tenant AND claim_nonce = :nonce AND status = 'IN_PROGRESS'
            RETURNING {applied}
            """);

    static final NamedSql SETTLE = sql("""
            UPDATE idempotency_keys
            SET status = :status, result_type = :result_type, result = :result, reason = :reason,
                completed_at = {now}
            WHERE key_hash = :key_hash AND tenant = :tenant AND claim_nonce = :nonce
              AND status IN ('IN_PROGRESS', 'UNKNOWN') AND alias_of IS NULL
            RETURNING {applied}
            """);

    /**
     * Brings the next sweep of the row forward. The sweep postpones a claim that must be reconciled, and this command can change
     * that policy.
     */
    private static final NamedSql GIVE_BACK = sql("""
            UPDATE idempotency_keys
            SET claim_nonce = :new_nonce, status = :status, attempt_count = max(attempt_count - 1, 0),
                on_stale = coalesce(:on_stale, on_stale), reason = :reason,
                lease_until = min({now}, run_until),
                due_at = min(due_at, min({now}, run_until) + ttl_micros),
                completed_at = CASE WHEN :status = 'RETRYABLE' THEN {now} END
            WHERE key_hash = :key_hash AND tenant = :tenant AND claim_nonce = :nonce AND status = 'IN_PROGRESS'
            RETURNING {applied}
            """);

    static final NamedSql READ =
            sql("SELECT {snapshot} FROM idempotency_keys WHERE key_hash = :key_hash AND tenant = :tenant");

    private static final NamedSql INSERT_POINTER = sql("""
            INSERT INTO idempotency_keys
                (key_hash, tenant, scope, secret_id, record_id, claim_nonce, fingerprint, status, on_stale, fence,
                 created_at, lease_until, run_until, reason, alias_of, due_at)
            VALUES (:key_hash, :tenant, :scope, :secret_id, :record_id, :new_nonce, :fingerprint, 'UNKNOWN', 'PARK',
                    {now}, {now}, {now}, {now}, :reason, :alias_of, NULL)
            ON CONFLICT (key_hash) DO NOTHING
            """);

    /**
     * Checks again that the row is reclaimable: it has expired, is a pointer without a record, or points to the record just
     * made.
     */
    private static final NamedSql POINT = sql("""
            UPDATE idempotency_keys
            SET alias_of = :alias_of, claim_nonce = :new_nonce, record_id = :record_id, fingerprint = :fingerprint,
                status = 'UNKNOWN', on_stale = 'PARK', attempt_count = 1, ttl_micros = NULL, reason = :reason,
                fence = max(fence + 1, {now}), created_at = {now}, lease_until = {now},
                run_until = {now}, completed_at = NULL, due_at = NULL,
                result_type = NULL, result = NULL, alias_conflict = NULL, sketch = NULL
            WHERE key_hash = :key_hash AND tenant = :tenant AND claim_nonce = :nonce
              AND ({expires} <= {now}
                   OR alias_of = :alias_of
                   OR (alias_of IS NOT NULL AND NOT EXISTS (
                       SELECT 1 FROM idempotency_keys AS r
                       WHERE r.key_hash = idempotency_keys.alias_of AND r.alias_of IS NULL
                         AND ({r expires} IS NULL OR {r expires} > {now}))))
            """);

    private static final NamedSql NOTE_CONFLICT = sql("""
            UPDATE idempotency_keys SET alias_conflict = :other
            WHERE key_hash = :key_hash AND tenant = :tenant AND alias_of IS NULL AND alias_conflict IS NULL
            """);

    private static NamedSql sql(String text) {
        return NamedSql.of(text.replace("{snapshot}", SNAPSHOT)
                .replace("{applied}", APPLIED)
                .replace("{expires}", expiring(""))
                .replace("{r expires}", expiring("r."))
                .replace("{now}", NOW));
    }

    /** @param prefix the table or alias with a dot, or nothing */
    static String expiring(String prefix) {
        return "(CASE WHEN {0}status <> 'UNKNOWN' THEN {0}completed_at + {0}ttl_micros END)".replace("{0}", prefix);
    }

    @Override
    public Database database() {
        return Database.SQLITE;
    }

    @Override
    public String folder() {
        return "sqlite";
    }

    @Override
    public boolean hasNetwork() {
        return false;
    }

    @Override
    public int largestResult(Connection connection) {
        return StoredResult.MAX_BYTES;
    }

    @Override
    public void apply(Connection connection, CommandBatch batch, Duration statementTimeout) throws SQLException {
        Transaction.run(connection, TransactionBounds.none(), inTransaction -> {
            write(inTransaction, INSERT, batch.only(Command.Insert.class), batch);
            write(inTransaction, TAKE_OVER, batch.only(Command.TakeOver.class), batch);
            write(inTransaction, RENEW, batch.only(Command.Renew.class), batch);
            write(inTransaction, SETTLE, batch.only(Command.Settle.class), batch);
            write(inTransaction, GIVE_BACK, batch.only(Command.GiveBack.class), batch);
            Map<ClaimRef, Snapshot> found = new HashMap<>();
            read(inTransaction, batch.open(), batch.largestResult(), found);
            found.forEach(batch::found);
            return batch;
        });
    }

    private static void write(Connection connection, NamedSql sql, List<? extends Command> commands, CommandBatch batch)
            throws SQLException {
        if (commands.isEmpty()) {
            return;
        }
        try (PreparedStatement statement = sql.prepare(connection)) {
            for (Command command : commands) {
                ClaimRows.applied(sql.bind(statement, ClaimParameters.of(command)), batch);
            }
        }
    }

    @Override
    public void read(Connection connection, Collection<ClaimRef> refs, int largest, Map<ClaimRef, Snapshot> seen)
            throws SQLException {
        try (PreparedStatement statement = READ.prepare(connection)) {
            for (ClaimRef ref : refs) {
                ClaimRows.collect(READ.bind(statement, ClaimParameters.of(ref).put("largest", largest)), seen);
            }
        }
    }

    @Override
    public int write(Connection connection, Command command) throws SQLException {
        NamedSql sql = command instanceof Command.Insert ? INSERT : TAKE_OVER;
        try (PreparedStatement statement = sql.prepare(connection, ClaimParameters.of(command));
                ResultSet changed = statement.executeQuery()) {
            return changed.next() ? 1 : 0;
        }
    }

    @Override
    public int writePointer(Connection connection, boolean isNew, ClaimParameters parameters) throws SQLException {
        try (PreparedStatement statement = (isNew ? INSERT_POINTER : POINT).prepare(connection, parameters)) {
            return statement.executeUpdate();
        }
    }

    @Override
    public void noteConflict(Connection connection, ClaimParameters parameters) throws SQLException {
        try (PreparedStatement statement = NOTE_CONFLICT.prepare(connection, parameters)) {
            statement.executeUpdate();
        }
    }

    @Override
    public SweepReport sweep(Connection connection, int limit, Duration statementTimeout) throws SQLException {
        return Transaction.run(
                connection, TransactionBounds.none(), inTransaction -> SqliteSweep.run(inTransaction, limit));
    }

    /** SQLite has one writer, so no rows are locked by others. */
    @Override
    public String skippingLocked() {
        return "";
    }

    @Override
    public String now() {
        return NOW;
    }

    @Override
    public String expires(String table) {
        return expiring(table + ".");
    }

    @Override
    public String nowInMicros() {
        return NOW;
    }

    @Override
    public String microsOf(String column) {
        return column;
    }

    @Override
    public String ofMicros(String parameter) {
        return parameter;
    }

    /** The transaction begins IMMEDIATE, so a second process waits here until the first has committed. */
    @Override
    public void migrating(Connection connection, MigrationSteps steps) throws SQLException {
        connection.setAutoCommit(false);
        try {
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
