// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.OwnerToken;
import dev.semel.claim.StoreException;
import dev.semel.claim.StoredResult;
import dev.semel.jdbc.sql.ListSql;
import dev.semel.jdbc.sql.NamedSql;
import dev.semel.jdbc.sql.TransactionBounds;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import dev.semel.spi.Verdict;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * MariaDB: statements that do not wait for locks. A statement that would have to wait fails with error 1205, which
 * undoes only that statement. Servers with innodb_rollback_on_timeout undo the transaction instead and are rejected.
 *
 * <p>Rows are read first, without locks, so that a replay locks nothing. Under REPEATABLE READ that read does not see
 * commits after the caller's snapshot; the insert finds such a row and returns its latest version.
 */
final class MariaDbTransactions implements TransactionDialect {
    /** Lock wait timeout: another transaction holds the row. */
    private static final int LOCKED = 1205;

    static final String WITHOUT_WAITING = "SET STATEMENT innodb_lock_wait_timeout = 0 FOR ";

    private static final NamedSql READ = reading("@@tx_isolation");

    private static final NamedSql LOCK = NamedSql.of(WITHOUT_WAITING + """
            SELECT {snapshot} FROM idempotency_keys WHERE key_hash = :key_hash FOR UPDATE
            """.replace("{snapshot}", MariaDbSql.SNAPSHOT));

    private static final NamedSql INSERT = NamedSql.of(WITHOUT_WAITING
            + MariaDbSql.INSERT.replace("{rows}", MariaDbSql.INSERT_ROW) + " RETURNING " + MariaDbSql.SNAPSHOT);

    private static final NamedSql TAKE_OVER = MariaDbSql.TAKE_OVER.after(WITHOUT_WAITING);

    private static final String INSERT_DONE = """
            INSERT INTO idempotency_keys
                (key_hash, tenant, scope, secret_id, record_id, claim_nonce, fingerprint, sketch, status, on_stale,
                 ttl_micros, lease_until, run_until, result_type, result, completed_at)
            VALUES {rows}
            ON DUPLICATE KEY UPDATE attempt_count = idempotency_keys.attempt_count
            """;

    private static final String DONE_ROW =
            "(:key_hash,:tenant,:scope,:secret_id,:record_id,:new_nonce,:fingerprint,:sketch,:status,:on_stale,:ttl,"
                    + "UTC_TIMESTAMP(6)+INTERVAL :lease MICROSECOND,UTC_TIMESTAMP(6)+INTERVAL :max_run MICROSECOND,"
                    + ":result_type,:result,UTC_TIMESTAMP(6))";

    /** Inserts settled claims. */
    static final ListSql INSERT_SETTLED = ListSql.of(INSERT_DONE, DONE_ROW);

    private static final ListSql INSERT_ALL_DONE =
            INSERT_SETTLED.after(WITHOUT_WAITING).followedBy(" RETURNING key_hash, claim_nonce");

    private final MariaDbDialect dialect;
    private final MariaDbAliases aliases = new MariaDbAliases();

    private MariaDbTransactions(MariaDbDialect dialect) {
        this.dialect = dialect;
    }

    static MariaDbTransactions on(MariaDbDialect dialect, Connection connection) throws SQLException {
        requireStatementRollback(connection);
        return new MariaDbTransactions(dialect);
    }

    /** Rejects a server on which a lock wait timeout ends the transaction. */
    static void requireStatementRollback(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT @@innodb_rollback_on_timeout")) {
            if (!row.next() || row.getBoolean(1)) {
                throw new StoreException(
                        StoreException.Kind.REJECTED,
                        "This server runs with innodb_rollback_on_timeout, so a conflict would roll back the caller's whole"
                                + " transaction. Set innodb_rollback_on_timeout = OFF to claim inside transactions");
            }
        }
    }

    /**
     * Reads a row without a lock. Also selects the isolation level: rows read at READ UNCOMMITTED must not be used as an answer.
     *
     * @param isolation the variable with the session's isolation level
     */
    static NamedSql reading(String isolation) {
        return NamedSql.of("""
                SELECT {isolation} AS isolation, k.*
                FROM (SELECT 1) AS one
                LEFT JOIN (SELECT {snapshot} FROM idempotency_keys WHERE key_hash = :key_hash) AS k ON TRUE
                """.replace("{isolation}", isolation).replace("{snapshot}", MariaDbSql.SNAPSHOT));
    }

    @Override
    public Optional<Verdict> acquire(Connection connection, Command command) throws SQLException {
        try {
            return Optional.of(
                    command instanceof Command.Insert insert
                            ? insert(connection, insert)
                            : takeOver(connection, (Command.TakeOver) command));
        } catch (SQLException e) {
            if (isTaken(e)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    @Override
    public AliasStatements aliasStatements() {
        return aliases;
    }

    @Override
    public boolean isTaken(SQLException failure) {
        return failure.getErrorCode() == LOCKED;
    }

    @Override
    public void readLatest(Connection connection, Collection<ClaimRef> refs, int largest, Map<ClaimRef, Snapshot> seen)
            throws SQLException {
        MariaDbAliases.readLatest(connection, refs, largest, seen);
    }

    private static Verdict insert(Connection connection, Command.Insert insert) throws SQLException {
        Snapshot seen = readCommitted(connection, READ, IsolationCheck.MARIADB, insert.ref());
        return Verdict.of(
                insert,
                seen != null ? seen : only(INSERT, connection, whole(ClaimParameters.of(insert)), insert.ref()));
    }

    private static Verdict takeOver(Connection connection, Command.TakeOver takeOver) throws SQLException {
        try (PreparedStatement statement = TAKE_OVER.prepare(connection, ClaimParameters.of(takeOver))) {
            statement.executeUpdate();
        }
        return Verdict.of(takeOver, only(LOCK, connection, whole(ClaimParameters.of(takeOver.ref())), takeOver.ref()));
    }

    static @Nullable Snapshot readCommitted(Connection connection, NamedSql sql, IsolationCheck isolation, ClaimRef ref)
            throws SQLException {
        try (PreparedStatement statement = sql.prepare(connection, whole(ClaimParameters.of(ref)));
                ResultSet row = statement.executeQuery()) {
            row.next();
            isolation.require(row.getString("isolation"));
            if (row.getBytes("key_hash") == null) {
                return null;
            }
            Snapshot seen = ClaimRows.snapshot(row);
            return seen.ref().equals(ref) ? seen : null;
        }
    }

    /** A statement on one claim returns its result, however large. */
    static ClaimParameters whole(ClaimParameters parameters) {
        return parameters.put("largest", StoredResult.MAX_BYTES);
    }

    static @Nullable Snapshot only(NamedSql sql, Connection connection, ClaimParameters parameters, ClaimRef ref)
            throws SQLException {
        Map<ClaimRef, Snapshot> found = new HashMap<>();
        try (PreparedStatement statement = sql.prepare(connection, parameters)) {
            ClaimRows.collect(statement, found);
        }
        return found.get(ref);
    }

    @Override
    public boolean settle(Connection connection, Command.Settle settlement) throws SQLException {
        try (PreparedStatement statement = MariaDbSql.SETTLE.prepare(connection, ClaimParameters.of(settlement))) {
            return statement.executeUpdate() == 1;
        }
    }

    @Override
    public TransactionBounds bounds() {
        return TransactionBounds.of(dialect.database(), GROUP_BOUND, GROUP_BOUND);
    }

    /** Uses one statement. If another transaction holds one of the keys, inserts one by one to find out which. */
    @Override
    public Set<ClaimRef> insertSettled(Connection connection, List<SettledClaim> claims) throws SQLException {
        return insertAbsent(dialect, connection, claims, MariaDbTransactions::inserted);
    }

    /** Inserts all that are absent at once. If a lock is refused, it inserts them one by one and leaves out those that are held. */
    static Set<ClaimRef> insertAbsent(
            MariaDbDialect dialect, Connection connection, List<SettledClaim> claims, SettledInsert insert)
            throws SQLException {
        List<ClaimRef> refs = claims.stream().map(claim -> claim.insert().ref()).toList();
        Map<ClaimRef, Snapshot> present = new HashMap<>();
        // Only their existence matters, not their results.
        dialect.read(connection, refs, 0, present);
        List<SettledClaim> absent = claims.stream()
                .filter(claim -> !present.containsKey(claim.insert().ref()))
                .toList();
        Set<ClaimRef> fresh = new HashSet<>();
        if (!absent.isEmpty() && !insert.inserted(connection, absent, fresh)) {
            for (SettledClaim claim : absent) {
                insert.inserted(connection, List.of(claim), fresh);
            }
        }
        return fresh;
    }

    @FunctionalInterface
    interface SettledInsert {
        /** Adds those that it has inserted, and returns true; or returns false because a lock is refused, and has done nothing. */
        boolean inserted(Connection connection, List<SettledClaim> claims, Set<ClaimRef> fresh) throws SQLException;
    }

    private static boolean inserted(Connection connection, List<SettledClaim> claims, Set<ClaimRef> fresh)
            throws SQLException {
        Map<OwnerToken, ClaimRef> byToken = new HashMap<>();
        List<ClaimParameters> rows = new ArrayList<>();
        for (SettledClaim claim : claims) {
            byToken.put(claim.insert().token(), claim.insert().ref());
            rows.add(claim.parameters());
        }
        try (PreparedStatement statement = PreparedSizes.prepare(connection, INSERT_ALL_DONE, rows);
                ResultSet found = statement.executeQuery()) {
            while (found.next()) {
                ClaimRef ref = byToken.get(new OwnerToken(found.getBytes("claim_nonce")));
                if (ref != null) {
                    fresh.add(ref);
                }
            }
            return true;
        } catch (SQLException e) {
            if (e.getErrorCode() == LOCKED) {
                return false;
            }
            throw e;
        }
    }
}
