// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.OwnerToken;
import dev.semel.jdbc.sql.ListSql;
import dev.semel.jdbc.sql.NamedSql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/**
 * Locks on MySQL that are taken at once or not at all, by NOWAIT. Without the hint, the optimizer may scan a small table, and
 * would meet rows that others have locked.
 */
final class MySqlSql {
    /** Lock not available without waiting. It undoes that statement only. */
    private static final int NOT_AVAILABLE = 3572;

    /** Lock wait timeout. It undoes that statement only, unless the server has innodb_rollback_on_timeout. */
    private static final int TIMEOUT = 1205;

    private static final long PAUSE_NANOS = 2_000_000;

    private static final String ROW = """
            SELECT {snapshot} FROM idempotency_keys FORCE INDEX (PRIMARY) WHERE key_hash = :key_hash
            """.replace("{snapshot}", MariaDbSql.SNAPSHOT);

    private static final String NONCES = """
            SELECT claim_nonce FROM idempotency_keys FORCE INDEX (PRIMARY) WHERE key_hash IN ({rows})
            """;

    private static final String AT_ONCE = " FOR UPDATE NOWAIT";

    /**
     * Locks a row and returns its latest version. Fails if another transaction has locked or inserted it. If there is no row, it
     * locks nothing at READ COMMITTED.
     */
    static final NamedSql LOCK = NamedSql.of(ROW + AT_ONCE);

    private static final ListSql LOCK_MANY = ListSql.of(NONCES, ":key_hash").followedBy(AT_ONCE);

    private static final ListSql READ_NONCES = ListSql.of(NONCES, ":key_hash");

    private MySqlSql() {}

    /** Whether another transaction holds a lock. The transaction goes on. A deadlock is not meant: it ends the transaction. */
    static boolean isTaken(SQLException failure) {
        return failure.getErrorCode() == NOT_AVAILABLE || failure.getErrorCode() == TIMEOUT;
    }

    /** Locks these rows, in their order, or fails once other transactions have had so much time to end. */
    static void lock(Connection connection, Collection<ClaimRef> refs, Duration wait) throws SQLException {
        // The server's shortest wait is a second, so the query is sent again until it succeeds.
        long end = System.nanoTime() + wait.toNanos();
        while (true) {
            try {
                lock(connection, refs);
                return;
            } catch (SQLException e) {
                if (e.getErrorCode() != NOT_AVAILABLE || System.nanoTime() - end >= 0) {
                    throw e;
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    /** Locks these rows, in their order. Fails at once if another transaction has locked or inserted one of them. */
    static void lock(Connection connection, Collection<ClaimRef> refs) throws SQLException {
        nonces(connection, LOCK_MANY, refs);
    }

    /** The tokens of these claims, as this transaction sees them. */
    static Set<OwnerToken> tokens(Connection connection, Collection<ClaimRef> refs) throws SQLException {
        return nonces(connection, READ_NONCES, refs);
    }

    private static Set<OwnerToken> nonces(Connection connection, ListSql sql, Collection<ClaimRef> refs)
            throws SQLException {
        List<ClaimParameters> digests = refs.stream().map(ClaimParameters::of).toList();
        Set<OwnerToken> found = new HashSet<>();
        try (PreparedStatement statement = PreparedSizes.prepare(connection, sql, digests);
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                found.add(new OwnerToken(rows.getBytes(1)));
            }
        }
        return found;
    }
}
