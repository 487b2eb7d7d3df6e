// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import javax.sql.DataSource;

/**
 * Handwritten SQL on the shipped table: one statement claims and one completes, each in its own commit. It checks no
 * fingerprint and renews no lease, so it is a lower bound of the cost and not an alternative.
 */
final class RawSql {
    static final String NAME = "raw two-commit SQL";

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final String READ = "SELECT status, result FROM idempotency_keys WHERE key_hash = ?";

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
                     ttl_micros, created_at, lease_until, run_until, due_at)
                VALUES (?, 'bench', 'raw', 'none', ?, ?, ?, 'IN_PROGRESS', 'RERUN', 1, 86400000000,
                        now(), now() + interval '5 minutes', now() + interval '1 hour',
                        now() + interval '1 day')
                ON CONFLICT (key_hash) DO NOTHING
                """, """
                UPDATE idempotency_keys
                SET status = 'SUCCEEDED', result_type = 'text/plain', result = ?, completed_at = now()
                WHERE key_hash = ? AND claim_nonce = ?
                """);
    }

    static RawSql mariadb(DataSource pool) {
        return new RawSql(pool, false, """
                INSERT IGNORE INTO idempotency_keys
                    (key_hash, tenant, scope, secret_id, record_id, claim_nonce, fingerprint, status, on_stale, fence,
                     ttl_micros, created_at, lease_until, run_until, due_at)
                VALUES (?, 'bench', 'raw', 'none', ?, ?, ?, 'IN_PROGRESS', 'RERUN', 1, 86400000000,
                        now(6), now(6) + INTERVAL 5 MINUTE, now(6) + INTERVAL 1 HOUR,
                        now(6) + INTERVAL 1 DAY)
                """, """
                UPDATE idempotency_keys
                SET status = 'SUCCEEDED', result_type = 'text/plain', result = ?, completed_at = now(6)
                WHERE key_hash = ? AND claim_nonce = ?
                """);
    }

    /** Claims and completes a first-time key. */
    void firstTime(long number) throws SQLException {
        work(random(32));
    }

    /** Settles this many keys on these threads, for later duplicates. */
    List<byte[]> settle(int count, Executor threads) {
        List<byte[]> digests = Stream.generate(() -> random(32)).limit(count).toList();
        CompletableFuture.allOf(digests.stream()
                        .map(digest -> CompletableFuture.runAsync(() -> unchecked(() -> work(digest)), threads))
                        .toArray(CompletableFuture[]::new))
                .join();
        return digests;
    }

    /** Nine of ten calls are duplicates of these keys: the claim finds the row, and its result is read. */
    void mostlyDuplicates(long number, List<byte[]> settled) throws SQLException {
        if (MeasuredKeys.isDuplicate()) {
            duplicate(settled.get(ThreadLocalRandom.current().nextInt(settled.size())));
        } else {
            firstTime(number);
        }
    }

    private void work(byte[] digest) throws SQLException {
        Object nonce = newNonce();
        if (!claim(digest, nonce)) {
            throw new SQLException("A random key already existed");
        }
        complete(digest, nonce);
    }

    private void duplicate(byte[] digest) throws SQLException {
        if (claim(digest, newNonce())) {
            throw new SQLException("A settled key did not exist");
        }
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement(READ)) {
            statement.setBytes(1, digest);
            try (ResultSet row = statement.executeQuery()) {
                if (!row.next() || row.getBytes("result").length != MeasuredResult.TEXT.length()) {
                    throw new SQLException("A settled key has no result");
                }
            }
        }
    }

    private Object newNonce() {
        return uuids ? UUID.randomUUID() : random(16);
    }

    private boolean claim(byte[] digest, Object nonce) throws SQLException {
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement(insert)) {
            statement.setBytes(1, digest);
            statement.setObject(2, nonce);
            statement.setObject(3, nonce);
            statement.setBytes(4, digest);
            return statement.executeUpdate() == 1;
        }
    }

    private void complete(byte[] digest, Object nonce) throws SQLException {
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement(update)) {
            statement.setBytes(1, MeasuredResult.bytes());
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
    static Contender bestPostgres(BenchDatabase database, int callers, Rounds rounds) throws Exception {
        return rounds.bestPool(NAME, callers, size -> postgres(database.pool(size))::firstTime);
    }

    /** As {@link #bestPostgres}, for callers that do not block: as many threads as connections make the calls. */
    static Contender bestPostgresAsync(BenchDatabase database, int callers, Rounds rounds) throws Exception {
        return rounds.best(NAME + ", async callers", size -> {
                    RawSql sql = postgres(database.pool(size));
                    Executor threads = database.threads(size);
                    return new DrivenContender(
                            new Contender.Async(
                                    "%s on %d threads".formatted(NAME, size),
                                    number -> CompletableFuture.runAsync(
                                            () -> unchecked(() -> sql.firstTime(number)), threads)),
                            callers);
                })
                .contender();
    }

    private static void unchecked(Sql sql) {
        try {
            sql.run();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private interface Sql {
        void run() throws SQLException;
    }
}
