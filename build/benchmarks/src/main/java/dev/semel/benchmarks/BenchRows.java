// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import java.sql.SQLException;

/** Millions of settled rows like those of claims, generated inside PostgreSQL. */
final class BenchRows {
    private static final int CHUNK = 500_000;

    private BenchRows() {}

    /** Adds rows that expire at this moment (SQL). They are sorted by digest, because that loads faster. */
    static void insert(BenchDatabase database, int count, String expiresAt) throws SQLException {
        for (int from = 0; from < count; from += CHUNK) {
            int size = Math.min(CHUNK, count - from);
            database.execute("""
                    INSERT INTO idempotency_keys
                        (key_hash, tenant, scope, secret_id, record_id, claim_nonce, fingerprint, status, on_stale, fence,
                         ttl_micros, created_at, lease_until, run_until, completed_at, due_at, result_type, result)
                    SELECT sha256(gen_random_uuid()::text::bytea), 'bench', 'bench', 'none', gen_random_uuid(),
                           gen_random_uuid(), sha256('none'), 'SUCCEEDED', 'RERUN', 1, 86400000000,
                           statement_timestamp(), statement_timestamp(), statement_timestamp(),
                           %1$s - interval '1 day', %1$s, 'text/plain', 'a result'
                    FROM generate_series(1, %2$d) ORDER BY 1
                    """.formatted(expiresAt, size));
            if (count > 2 * CHUNK) {
                Progress.note("  %,d of %,d rows".formatted(from + size, count));
            }
        }
        database.execute("VACUUM ANALYZE idempotency_keys");
    }
}
