// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.UUID;
import java.util.function.IntFunction;
import javax.sql.DataSource;

/**
 * Handwritten SQL on the shipped table: one statement claims and one completes, each in its own commit. It checks no
 * fingerprint and renews no lease, so it is a lower bound of the cost and not an alternative.
 */
final class RawSql {
    private static final SecureRandom RANDOM = new SecureRandom();

    private final DataSource pool;
    private final String insert;
    private final String update;
    private final boolean uuids;

    private RawSql(DataSource pool, boolean uuids, String insert, String update) {
        this.uuids = uuids;
        this.pool = pool;
        this.insert = insert;
        this.update = update;
    }

    static RawSql postgres(DataSource pool) {
        return new RawSql(pool, true, """
                INSERT INTO idempotency_keys
                    (key_hash, tenant, scope, secret_id, record_id, claim_nonce, fingerprint, status, on_stale, fence,
                     ttl_micros, created_at, updated_at, started_at, lease_until, run_until, due_at)
                VALUES (?, 'bench', 'raw', 'none', ?, ?, ?, 'IN_PROGRESS', 'RERUN', 1, 86400000000,
                        now(), now(), now(), now() + interval '5 minutes', now() + interval '1 hour',
                        now() + interval '1 day')
                ON CONFLICT (key_hash) DO NOTHING
                """, """
                UPDATE idempotency_keys
                SET status = 'SUCCEEDED', result_type = 'text/plain', result = ?, completed_at = now(),
                    updated_at = now(), expires_at = now() + interval '1 day'
                WHERE key_hash = ? AND claim_nonce = ?
                """);
    }

    static RawSql mariadb(DataSource pool) {
        return new RawSql(pool, false, """
                INSERT IGNORE INTO idempotency_keys
                    (key_hash, tenant, scope, secret_id, record_id, claim_nonce, fingerprint, status, on_stale, fence,
                     ttl_micros, created_at, updated_at, started_at, lease_until, run_until, due_at)
                VALUES (?, 'bench', 'raw', 'none', ?, ?, ?, 'IN_PROGRESS', 'RERUN', 1, 86400000000,
                        now(6), now(6), now(6), now(6) + INTERVAL 5 MINUTE, now(6) + INTERVAL 1 HOUR,
                        now(6) + INTERVAL 1 DAY)
                """, """
                UPDATE idempotency_keys
                SET status = 'SUCCEEDED', result_type = 'text/plain', result = ?, completed_at = now(6),
                    updated_at = now(6), expires_at = now(6) + INTERVAL 1 DAY
                WHERE key_hash = ? AND claim_nonce = ?
                """);
    }

    /** Claims and completes a first-time key. */
    void firstTime(long number) throws SQLException {
        byte[] digest = random(32);
        Object nonce = uuids ? UUID.randomUUID() : random(16);
        claim(digest, nonce);
        complete(digest, nonce);
    }

    private void claim(byte[] digest, Object nonce) throws SQLException {
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement(insert)) {
            statement.setBytes(1, digest);
            statement.setObject(2, nonce);
            statement.setObject(3, nonce);
            statement.setBytes(4, digest);
            if (statement.executeUpdate() != 1) {
                throw new SQLException("A random key already existed");
            }
        }
    }

    private void complete(byte[] digest, Object nonce) throws SQLException {
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement(update)) {
            statement.setBytes(1, "a result".getBytes(java.nio.charset.StandardCharsets.UTF_8));
            statement.setBytes(2, digest);
            statement.setObject(3, nonce);
            if (statement.executeUpdate() != 1) {
                throw new SQLException("Our own claim does not exist");
            }
        }
    }

    private static byte[] random(int length) {
        byte[] bytes = new byte[length];
        RANDOM.nextBytes(bytes);
        return bytes;
    }

    /** Raw two-commit SQL on PostgreSQL at its best pool size. */
    static Contender postgresAtItsBest(BenchDatabase database, int callers) throws Exception {
        return atItsBest("raw two-commit SQL", callers, size -> {
            RawSql sql = postgres(database.pool(size));
            return sql::firstTime;
        });
    }

    /** The contender with the pool size that is fastest on this machine, found by trying. */
    static Contender atItsBest(String name, int callers, IntFunction<Contender.BlockingCall> withPoolOf)
            throws Exception {
        return DrivenContender.atItsBest(size -> new DrivenContender(
                        new Contender.Blocking(name + ", pool of " + size, withPoolOf.apply(size)), callers))
                .contender();
    }
}
