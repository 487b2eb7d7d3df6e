// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import static java.util.stream.Collectors.joining;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Command;
import dev.semel.claim.Snapshot;
import dev.semel.claim.StoredResult;
import dev.semel.claim.SweepReport;
import dev.semel.jdbc.sql.Connections;
import dev.semel.jdbc.sql.ListSql;
import dev.semel.jdbc.sql.NamedSql;
import dev.semel.jdbc.sql.Transaction;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * MariaDB and MySQL: reads without locks first, then inserts what is absent, then conditional updates; what they left
 * behind is read back, because updates have no RETURNING. Moments are UTC, whatever the session's zone.
 *
 * <p>A duplicate that slipped in between is met with a no-op ON DUPLICATE KEY UPDATE rather than with IGNORE, which
 * would also hide truncated data.
 */
final class MariaDbDialect implements Dialect {
    /** Left alone, the optimiser takes the many nulls in the index for one value that every lookup would find. */
    private static final String BY_ALIAS = "FORCE INDEX (idempotency_keys_alias_idx)";

    private static final int DUPLICATE_KEY = 1062;

    /** Duplicate column, duplicate key name, nothing there to drop, a trigger that is there. */
    private static final Set<Integer> WAS_THERE = Set.of(1060, 1061, 1091, 1359);

    static final String SNAPSHOT = """
            key_hash, tenant, scope, status, claim_nonce, record_id, fingerprint, attempt_count, fence, on_stale,
            result_type, result, reason, alias_of,
            CASE WHEN status = 'IN_PROGRESS' THEN TIMESTAMPDIFF(MICROSECOND, UTC_TIMESTAMP(6), lease_until)
                 ELSE 0 END AS lease_left,
            TIMESTAMPDIFF(MICROSECOND, UTC_TIMESTAMP(6), expires_at) AS ttl_left
            """;

    static final String INSERT = """
            INSERT INTO idempotency_keys
                (key_hash, tenant, scope, secret_id, record_id, claim_nonce, fingerprint, status, on_stale,
                 attempt_count, fence, ttl_micros, created_at, updated_at, started_at, lease_until, run_until, due_at)
            VALUES {rows}
            ON DUPLICATE KEY UPDATE attempt_count = idempotency_keys.attempt_count
            """;

    /** A column that stands further left may be used: the row is written out once for every claim. */
    static final String INSERT_ROW = """
            (:key_hash, :tenant, :scope, :secret_id, :record_id, :new_nonce, :fingerprint, 'IN_PROGRESS', :on_stale, 1,
             TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6)), :ttl, UTC_TIMESTAMP(6), created_at, created_at,
             created_at + INTERVAL :lease MICROSECOND, created_at + INTERVAL :max_run MICROSECOND,
             created_at + INTERVAL ttl_micros MICROSECOND)""";

    private static final ListSql INSERT_MANY = ListSql.of(INSERT, INSERT_ROW);

    private static final ListSql INSERT_RETURNING = INSERT_MANY.followedBy(" RETURNING " + SNAPSHOT);

    static final NamedSql INSERT_ONE = NamedSql.of("""
            INSERT INTO idempotency_keys
                (key_hash, tenant, scope, secret_id, record_id, claim_nonce, fingerprint, status, on_stale,
                 attempt_count, fence, ttl_micros, created_at, updated_at, started_at, lease_until, run_until, due_at)
            VALUES\s
            """ + INSERT_ROW);

    /** Assignments take effect from left to right here: what depends on expires_at or status stands before these. */
    static final NamedSql TAKE_OVER = NamedSql.of("""
            UPDATE idempotency_keys
            SET attempt_count = CASE WHEN expires_at <= UTC_TIMESTAMP(6) OR alias_of IS NOT NULL THEN 1 ELSE attempt_count + 1 END,
                record_id = CASE WHEN expires_at <= UTC_TIMESTAMP(6) OR alias_of IS NOT NULL THEN :record_id ELSE record_id END,
                created_at = CASE WHEN expires_at <= UTC_TIMESTAMP(6) OR alias_of IS NOT NULL THEN UTC_TIMESTAMP(6) ELSE created_at END,
                on_stale = CASE WHEN status = 'IN_PROGRESS' AND on_stale = 'RECONCILE' AND :on_stale = 'RERUN'
                                THEN on_stale ELSE :on_stale END,
                alias_conflict = CASE WHEN expires_at <= UTC_TIMESTAMP(6) THEN NULL ELSE alias_conflict END,
                alias_of = NULL,
                claim_nonce = :new_nonce,
                status = 'IN_PROGRESS',
                fence = GREATEST(fence + 1, TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6))),
                fingerprint = :fingerprint,
                ttl_micros = :ttl,
                updated_at = UTC_TIMESTAMP(6),
                started_at = UTC_TIMESTAMP(6),
                lease_until = UTC_TIMESTAMP(6) + INTERVAL :lease MICROSECOND,
                run_until = UTC_TIMESTAMP(6) + INTERVAL :max_run MICROSECOND,
                due_at = UTC_TIMESTAMP(6) + INTERVAL ttl_micros MICROSECOND,
                completed_at = NULL, expires_at = NULL, result_type = NULL, result = NULL, reason = NULL
            WHERE key_hash = :key_hash AND tenant = :tenant AND claim_nonce = :nonce
              AND (status = 'RETRYABLE'
                   OR expires_at <= UTC_TIMESTAMP(6)
                   OR (status = 'IN_PROGRESS' AND lease_until <= UTC_TIMESTAMP(6) AND on_stale <> 'PARK')
                   OR key_hash IN (
                       -- A table of its own, because MySQL reads none that it is updating.
                       SELECT d.key_hash FROM (
                           SELECT p.key_hash
                           FROM idempotency_keys AS p
                           LEFT JOIN idempotency_keys AS r
                               ON r.key_hash = p.alias_of AND r.alias_of IS NULL
                               AND (r.expires_at IS NULL OR r.expires_at > UTC_TIMESTAMP(6))
                           WHERE p.key_hash = :key_hash AND p.alias_of IS NOT NULL AND r.key_hash IS NULL
                           LIMIT 1) AS d))
            """);

    private static final NamedSql RENEW = NamedSql.of("""
            UPDATE idempotency_keys
            SET lease_until = LEAST(UTC_TIMESTAMP(6) + INTERVAL :lease MICROSECOND, run_until),
                updated_at = UTC_TIMESTAMP(6)
            WHERE key_hash = :key_hash AND tenant = :tenant AND claim_nonce = :nonce AND status = 'IN_PROGRESS'
            """);

    static final NamedSql SETTLE = NamedSql.of("""
            UPDATE idempotency_keys
            SET status = :status, result_type = :result_type, result = :result, reason = :reason,
                completed_at = UTC_TIMESTAMP(6), updated_at = UTC_TIMESTAMP(6),
                expires_at = CASE WHEN :status <> 'UNKNOWN'
                                  THEN UTC_TIMESTAMP(6) + INTERVAL ttl_micros MICROSECOND END
            WHERE key_hash = :key_hash AND tenant = :tenant AND claim_nonce = :nonce
              AND status IN ('IN_PROGRESS', 'UNKNOWN') AND alias_of IS NULL
            """);

    // For many rows at once, as a join in the order of the batch. Nothing here depends on the order of assignments,
    // which a join leaves open: that is why take-overs, which do, go one by one.

    private static final ListSql RENEW_MANY =
            ListSql.of("""
            UPDATE ({rows}) AS c
            STRAIGHT_JOIN idempotency_keys AS k ON k.key_hash = c.key_hash
            SET k.lease_until = LEAST(UTC_TIMESTAMP(6) + INTERVAL c.lease MICROSECOND, k.run_until),
                k.updated_at = UTC_TIMESTAMP(6)
            WHERE k.tenant = c.tenant AND k.claim_nonce = c.nonce AND k.status = 'IN_PROGRESS'
            """, selected("key_hash", "tenant", "nonce", "lease"), " UNION ALL ");

    private static final ListSql SETTLE_MANY = ListSql.of(
            """
            UPDATE ({rows}) AS c
            STRAIGHT_JOIN idempotency_keys AS k ON k.key_hash = c.key_hash
            SET k.status = c.status, k.result_type = c.result_type, k.result = c.result, k.reason = c.reason,
                k.completed_at = UTC_TIMESTAMP(6), k.updated_at = UTC_TIMESTAMP(6),
                k.expires_at = CASE WHEN c.status <> 'UNKNOWN'
                                    THEN UTC_TIMESTAMP(6) + INTERVAL k.ttl_micros MICROSECOND END
            WHERE k.tenant = c.tenant AND k.claim_nonce = c.nonce
              AND k.status IN ('IN_PROGRESS', 'UNKNOWN') AND k.alias_of IS NULL
            """, selected("key_hash", "tenant", "nonce", "status", "result_type", "result", "reason"), " UNION ALL ");

    private static final ListSql READ = ListSql.of("""
            SELECT {snapshot} FROM idempotency_keys WHERE key_hash IN ({rows})
            """.replace("{snapshot}", SNAPSHOT), ":key_hash");

    private static final ListSql READ_OF_ONE_TENANT = READ.followedBy(" AND tenant = :one_of");

    static final NamedSql INSERT_POINTER = NamedSql.of("""
            INSERT INTO idempotency_keys
                (key_hash, tenant, scope, secret_id, record_id, claim_nonce, fingerprint, status, on_stale, fence,
                 created_at, updated_at, started_at, lease_until, run_until, reason, alias_of, due_at)
            VALUES (:key_hash, :tenant, :scope, :secret_id, :record_id, :new_nonce, :fingerprint, 'UNKNOWN', 'PARK',
                    TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6)), UTC_TIMESTAMP(6), UTC_TIMESTAMP(6),
                    UTC_TIMESTAMP(6), UTC_TIMESTAMP(6), UTC_TIMESTAMP(6), :reason, :alias_of, NULL)
            """);

    static final NamedSql POINT = NamedSql.of("""
            UPDATE idempotency_keys
            SET alias_of = :alias_of, claim_nonce = :new_nonce, record_id = :record_id, fingerprint = :fingerprint,
                status = 'UNKNOWN', on_stale = 'PARK', attempt_count = 1, ttl_micros = NULL, reason = :reason,
                fence = GREATEST(fence + 1, TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6))),
                created_at = UTC_TIMESTAMP(6), updated_at = UTC_TIMESTAMP(6), started_at = UTC_TIMESTAMP(6),
                lease_until = UTC_TIMESTAMP(6), run_until = UTC_TIMESTAMP(6), completed_at = NULL, expires_at = NULL, due_at = NULL,
                result_type = NULL, result = NULL, alias_conflict = NULL
            WHERE key_hash = :key_hash AND tenant = :tenant AND claim_nonce = :nonce
            """);

    static final NamedSql NOTE_CONFLICT = NamedSql.of("""
            UPDATE idempotency_keys SET alias_conflict = :other
            WHERE key_hash = :key_hash AND tenant = :tenant AND alias_of IS NULL AND alias_conflict IS NULL
            """);

    private static final NamedSql LOCK_DUE = NamedSql.of("""
            SELECT key_hash, on_stale,
                   CASE WHEN expires_at <= UTC_TIMESTAMP(6) THEN 'delete'
                        WHEN status = 'IN_PROGRESS' AND on_stale <> 'RECONCILE' AND lease_until <= UTC_TIMESTAMP(6)
                             AND lease_until + INTERVAL ttl_micros MICROSECOND <= UTC_TIMESTAMP(6) THEN 'move'
                        ELSE 'postpone' END AS todo
            FROM idempotency_keys
            WHERE due_at <= UTC_TIMESTAMP(6)
            ORDER BY due_at LIMIT :limit FOR UPDATE SKIP LOCKED
            """);

    private static final ListSql DELETE =
            ListSql.of("DELETE FROM idempotency_keys WHERE key_hash IN ({rows})", ":key_hash");

    private static final ListSql POSTPONE = ListSql.of("""
            UPDATE idempotency_keys
            SET due_at = COALESCE(expires_at,
                    CASE WHEN status = 'IN_PROGRESS' AND lease_until <= UTC_TIMESTAMP(6)
                              AND lease_until + INTERVAL ttl_micros MICROSECOND > UTC_TIMESTAMP(6)
                         THEN lease_until ELSE UTC_TIMESTAMP(6) END + INTERVAL ttl_micros MICROSECOND)
            WHERE key_hash IN ({rows})
            """, ":key_hash");

    private static final ListSql MOVE_ABANDONED = ListSql.of("""
            UPDATE idempotency_keys
            SET status = CASE on_stale WHEN 'PARK' THEN 'UNKNOWN' ELSE 'RETRYABLE' END,
                reason = :reason,
                completed_at = UTC_TIMESTAMP(6), updated_at = UTC_TIMESTAMP(6),
                expires_at = CASE WHEN on_stale <> 'PARK'
                                  THEN UTC_TIMESTAMP(6) + INTERVAL ttl_micros MICROSECOND END,
                due_at = UTC_TIMESTAMP(6) + INTERVAL ttl_micros MICROSECOND
            WHERE key_hash IN ({rows})
            """, ":key_hash");

    /** MariaDB's inserts say what they found or made; MySQL's do not. */
    private final boolean returning;

    MariaDbDialect(boolean returning) {
        this.returning = returning;
    }

    @Override
    public String folder() {
        return "mariadb";
    }

    @Override
    public boolean hasNetwork() {
        return true;
    }

    /**
     * A statement that is too large makes the server drop the connection, which looks like a broken network and would
     * be tried again for ever. Escaping can double a byte, and the rest of the statement needs a little.
     */
    @Override
    public int largestResult(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT @@max_allowed_packet")) {
            long packet = rows.next() ? rows.getLong(1) : 0;
            return (int) Math.max(0, Math.min(StoredResult.MAX_BYTES, (packet - 65_536) / 2));
        }
    }

    /** The isolation is set for the next transaction only, so that a user's pool stays as it was. */
    private static <R> R readCommitted(Connection connection, Connections.Work<R> work) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET TRANSACTION ISOLATION LEVEL READ COMMITTED");
        }
        return Transaction.run(connection, work);
    }

    @Override
    public void apply(Connection connection, Batch batch, Duration statementTimeout) throws SQLException {
        readCommitted(connection, inTransaction -> {
            insert(inTransaction, batch.only(Command.Insert.class), batch);
            update(inTransaction, TAKE_OVER, batch.only(Command.TakeOver.class));
            update(inTransaction, RENEW, RENEW_MANY, batch.only(Command.Renew.class));
            update(inTransaction, SETTLE, SETTLE_MANY, batch.only(Command.Settle.class));
            readInto(inTransaction, batch.open(), batch);
            return batch;
        });
    }

    private void insert(Connection connection, List<Command.Insert> inserts, Batch batch) throws SQLException {
        readInto(connection, inserts.stream().map(Command.Insert::ref).toList(), batch);
        Set<ClaimRef> open = new HashSet<>(batch.open());
        List<Parameters> absent = inserts.stream()
                .filter(insert -> open.contains(insert.ref()))
                .map(Parameters::of)
                .toList();
        if (absent.isEmpty()) {
            return;
        }
        if (!returning) {
            try (PreparedStatement statement = INSERT_MANY.prepareAll(connection, absent)) {
                statement.executeUpdate();
            }
            return;
        }
        Map<ClaimRef, Snapshot> found = new HashMap<>();
        try (PreparedStatement statement = INSERT_RETURNING.prepareAll(connection, absent)) {
            Rows.collect(statement, found);
        }
        found.forEach(batch::found);
    }

    private static void update(Connection connection, NamedSql one, ListSql many, List<? extends Command> commands)
            throws SQLException {
        if (commands.size() < 2) {
            update(connection, one, commands);
            return;
        }
        List<Parameters> rows = commands.stream().map(Parameters::of).toList();
        try (PreparedStatement statement = many.prepareAll(connection, rows)) {
            statement.executeUpdate();
        }
    }

    private static void update(Connection connection, NamedSql sql, List<? extends Command> commands)
            throws SQLException {
        if (commands.isEmpty()) {
            return;
        }
        try (PreparedStatement statement = sql.prepare(connection)) {
            for (Command command : commands) {
                sql.bind(statement, Parameters.of(command)).addBatch();
            }
            statement.executeBatch();
        }
    }

    private void readInto(Connection connection, List<ClaimRef> refs, Batch batch) throws SQLException {
        Map<ClaimRef, Snapshot> found = new HashMap<>();
        read(connection, refs, found);
        found.forEach(batch::found);
    }

    @Override
    public void read(Connection connection, Collection<ClaimRef> refs, Map<ClaimRef, Snapshot> seen)
            throws SQLException {
        if (refs.isEmpty()) {
            return;
        }
        List<String> tenants = refs.stream().map(ClaimRef::tenant).distinct().toList();
        List<Parameters> rows = refs.stream().map(Parameters::of).toList();
        for (int i = 0; i < tenants.size(); i++) {
            rows.get(i).put("one_of", tenants.get(i));
        }
        ListSql sql = tenants.size() == 1
                ? READ_OF_ONE_TENANT
                : READ.followedBy(" AND tenant IN (%s)".formatted(repeated(":one_of", tenants.size())));
        Map<ClaimRef, Snapshot> found = new LinkedHashMap<>();
        try (PreparedStatement statement = sql.prepareAll(connection, rows)) {
            Rows.collect(statement, found);
        }
        // The tenant is compared here, exactly; the collation would not.
        found.keySet().retainAll(refs);
        seen.putAll(found);
    }

    @Override
    public int write(Connection connection, Command command) throws SQLException {
        NamedSql sql = command instanceof Command.Insert ? INSERT_ONE : TAKE_OVER;
        return written(connection, sql, Parameters.of(command));
    }

    @Override
    public int writePointer(Connection connection, boolean isNew, Parameters parameters) throws SQLException {
        return written(connection, isNew ? INSERT_POINTER : POINT, parameters);
    }

    /** Plain inserts, because the count of an ON DUPLICATE KEY UPDATE depends on the driver's settings. */
    static int written(Connection connection, NamedSql sql, Parameters parameters) throws SQLException {
        try (PreparedStatement statement = sql.prepare(connection, parameters)) {
            return statement.executeUpdate();
        } catch (SQLException e) {
            if (e.getErrorCode() == DUPLICATE_KEY) {
                return 0;
            }
            throw e;
        }
    }

    @Override
    public void noteConflict(Connection connection, Parameters parameters) throws SQLException {
        try (PreparedStatement statement = NOTE_CONFLICT.prepare(connection, parameters)) {
            statement.executeUpdate();
        }
    }

    @Override
    public <R> R inTransaction(Connection connection, Connections.Work<R> work, Duration statementTimeout)
            throws SQLException {
        return readCommitted(connection, work);
    }

    @Override
    public SweepReport sweep(Connection connection, int limit, Duration statementTimeout) throws SQLException {
        return readCommitted(connection, inTransaction -> sweep(inTransaction, limit));
    }

    private static SweepReport sweep(Connection connection, int limit) throws SQLException {
        Map<String, List<Parameters>> due = new HashMap<>();
        int found = 0;
        Sweeps sweeps = new Sweeps(limit);
        try (PreparedStatement statement = LOCK_DUE.prepare(connection, sweeps.parameters());
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                found++;
                due.computeIfAbsent(rows.getString("todo"), todo -> new ArrayList<>())
                        .add(sweeps.parameters()
                                .put("key_hash", rows.getBytes("key_hash"))
                                .put("on_stale", rows.getString("on_stale")));
            }
        }
        List<Parameters> expired = due.getOrDefault("delete", List.of());
        List<Parameters> abandoned = due.getOrDefault("move", List.of());
        change(connection, POSTPONE, due.getOrDefault("postpone", List.of()));
        change(connection, DELETE, expired);
        change(connection, MOVE_ABANDONED, abandoned);
        int parked = (int) abandoned.stream()
                .filter(row -> "PARK".equals(row.get("on_stale")))
                .count();
        return new SweepReport(expired.size(), abandoned.size() - parked, parked, found == limit);
    }

    private static void change(Connection connection, ListSql sql, List<Parameters> rows) throws SQLException {
        if (rows.isEmpty()) {
            return;
        }
        try (PreparedStatement statement = sql.prepareAll(connection, rows)) {
            statement.executeUpdate();
        }
    }

    private static String repeated(String text, int times) {
        return String.join(", ", Collections.nCopies(times, text));
    }

    private static String selected(String... names) {
        return "SELECT "
                + Arrays.stream(names).map(name -> ":" + name + " AS " + name).collect(joining(", "));
    }

    @Override
    public String byAliasIndex() {
        return BY_ALIAS;
    }

    @Override
    public String now() {
        return "UTC_TIMESTAMP(6)";
    }

    @Override
    public String nowInMicros() {
        return "TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6))";
    }

    @Override
    public boolean wasThere(SQLException failure) {
        return WAS_THERE.contains(failure.getErrorCode());
    }

    @Override
    public String microsOf(String column) {
        return "TIMESTAMPDIFF(MICROSECOND, '1970-01-01', " + column + ")";
    }

    @Override
    public String ofMicros(String parameter) {
        return "TIMESTAMPADD(MICROSECOND, " + parameter + ", '1970-01-01')";
    }

    /** Data definition commits by itself here; each file's statements can be repeated instead. */
    @Override
    public void migrating(Connection connection, MigrationSteps steps) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            try (ResultSet lock = statement.executeQuery("SELECT GET_LOCK('semel_schema', 60)")) {
                if (!lock.next() || lock.getInt(1) != 1) {
                    throw new SQLException("Another process has held the lock 'semel_schema' for over a minute");
                }
            }
            try {
                steps.run();
            } finally {
                statement.execute("DO RELEASE_LOCK('semel_schema')");
            }
        }
    }
}
