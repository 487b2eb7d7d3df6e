// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * Handwritten SQL on a table of its own on PostgreSQL, as narrow as an idempotency table can be that stores a result: two commits
 * and one index.
 */
final class RawNarrow {
    static final String TABLE = "bench_narrow";

    static final String DDL = """
            CREATE TABLE bench_narrow (
                key_hash     bytea       NOT NULL PRIMARY KEY,
                fingerprint  bytea       NOT NULL,
                token        uuid        NOT NULL,
                created_at   timestamptz NOT NULL,
                lease_until  timestamptz NOT NULL,
                completed_at timestamptz,
                status       smallint    NOT NULL,
                result       bytea
            ) WITH (fillfactor = 30)
            """;

    private static final String CLAIM = """
            INSERT INTO bench_narrow (key_hash, fingerprint, token, created_at, lease_until, status)
            VALUES (?, ?, ?, now(), now() + interval '5 minutes', 0)
            ON CONFLICT (key_hash) DO NOTHING
            """;

    private static final String COMPLETE = """
            UPDATE bench_narrow SET status = 1, result = ?, completed_at = now() WHERE key_hash = ? AND token = ?
            """;

    private static final SecureRandom RANDOM = new SecureRandom();

    private final DataSource pool;

    RawNarrow(DataSource pool) {
        this.pool = pool;
    }

    /** Claims and completes a first-time key. */
    void firstTime(long number) throws SQLException {
        byte[] digest = new byte[32];
        RANDOM.nextBytes(digest);
        UUID token = UUID.randomUUID();
        requireOne(CLAIM, digest, digest, token);
        requireOne(COMPLETE, MeasuredResult.bytes(), digest, token);
    }

    private void requireOne(String sql, byte[] first, byte[] second, UUID third) throws SQLException {
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setBytes(1, first);
            statement.setBytes(2, second);
            statement.setObject(3, third);
            if (statement.executeUpdate() != 1) {
                throw new SQLException("One row was expected: " + sql);
            }
        }
    }
}
