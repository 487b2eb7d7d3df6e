// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import dev.semel.journal.Journal;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.UUID;
import javax.sql.DataSource;

/** A handwritten ledger: a key and an event in one transaction, on the shipped tables. */
final class RawLedger {
    private static final String NAME = "plain JDBC loop, two inserts a transaction";

    private static final String KEY = """
            INSERT INTO ledger_ingestion_idempotency (key_hash, org_id, idempotency_key, event_id, created_at)
            VALUES (?, ?, ?, ?, now())
            ON CONFLICT (key_hash) DO NOTHING
            """;

    private static final String EVENT = """
            INSERT INTO events (id, org_id, actor_id, event_type, entity_type, entity_id, payload)
            VALUES (?, ?, ?, ?, ?, ?, ?::json)
            """;

    private static final SecureRandom RANDOM = new SecureRandom();

    private final DataSource pool;
    private final MeasuredKeys keys = new MeasuredKeys();

    private RawLedger(DataSource pool) {
        this.pool = pool;
    }

    /** Finds the loop that serves as the baseline. */
    interface Choice {
        DrivenContender on(BenchDatabase database, Rounds rounds) throws Exception;
    }

    /** A loop with one connection per thread, in the number of threads that is fastest on this machine. */
    static DrivenContender best(BenchDatabase database, Rounds rounds) throws Exception {
        Journal.schema(database.pool(1)).migrate();
        return rounds.best(NAME, threads -> loop(database, threads));
    }

    /** A loop in this many threads. */
    static DrivenContender of(BenchDatabase database, int threads) {
        Journal.schema(database.pool(1)).migrate();
        return loop(database, threads);
    }

    private static DrivenContender loop(BenchDatabase database, int threads) {
        RawLedger ledger = new RawLedger(database.pool(threads));
        return new DrivenContender(
                new Contender.Blocking("%s, %d threads".formatted(NAME, threads), ledger::firstTime), threads);
    }

    private void firstTime(long number) throws SQLException {
        UUID id = UUID.randomUUID();
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            insertKey(connection, keys.firstTime(number), id);
            insertEvent(connection, id);
            connection.commit();
        }
    }

    private static void insertKey(Connection connection, String key, UUID id) throws SQLException {
        byte[] hash = new byte[32];
        RANDOM.nextBytes(hash);
        try (PreparedStatement statement = connection.prepareStatement(KEY)) {
            statement.setBytes(1, hash);
            statement.setString(2, LedgerWork.ORGANIZATION);
            statement.setString(3, key);
            statement.setObject(4, id);
            if (statement.executeUpdate() != 1) {
                throw new SQLException("A random key already existed");
            }
        }
    }

    private static void insertEvent(Connection connection, UUID id) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(EVENT)) {
            statement.setObject(1, id);
            statement.setString(2, LedgerWork.ORGANIZATION);
            statement.setString(3, LedgerWork.ACTOR);
            statement.setString(4, LedgerWork.EVENT_TYPE);
            statement.setString(5, LedgerWork.ENTITY_TYPE);
            statement.setString(6, LedgerWork.ENTITY);
            statement.setString(7, LedgerWork.PAYLOAD);
            statement.executeUpdate();
        }
    }
}
