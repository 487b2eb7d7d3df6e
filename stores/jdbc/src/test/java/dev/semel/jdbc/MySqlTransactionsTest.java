// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Codec;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.claim.ClaimKey;
import dev.semel.key.Secrets;
import dev.semel.testservers.MySqlServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/** What is particular to MySQL: locks on gaps, waits of at least a second, and deadlocks that end the transaction. */
@Tag("mysql")
@Timeout(120)
class MySqlTransactionsTest {
    private static final Operation<String> PAY = Operation.of("pay", Codec.text());
    private static final int READ_COMMITTED = Connection.TRANSACTION_READ_COMMITTED;
    private static final int REPEATABLE_READ = Connection.TRANSACTION_REPEATABLE_READ;

    /** The locks of a transaction that keep others from inserting new keys. */
    private static final String GAPS = """
            SELECT count(*) FROM performance_schema.data_locks
            WHERE thread_id = ps_current_thread_id() AND lock_type = 'RECORD' AND lock_mode NOT LIKE '%REC_NOT_GAP%'
            """;

    private ClaimDatabase database;
    private Effects effects;
    private TransactionalClaims claims;

    @BeforeEach
    void open() {
        database = ClaimDatabase.mariadb(MySqlServer.shared());
        JdbcClaimStore store = database.store(2);
        effects = Effects.in(database);
        claims = TransactionalClaims.on(store, Secrets.of("0123456789abcdef0123456789abcdef"));
    }

    @AfterEach
    void close() throws Exception {
        database.close();
    }

    /** A transaction of a caller whose driver prepares statements on the server. */
    private Connection beginPrepared(int isolation) throws SQLException {
        return begin(database.url() + "?useServerPrepStmts=true&cachePrepStmts=true", isolation);
    }

    private Connection begin(int isolation) throws SQLException {
        return begin(database.url(), isolation);
    }

    private Connection begin(String url, int isolation) throws SQLException {
        Connection connection =
                database.closing(DriverManager.getConnection(url, database.user(), database.password()));
        connection.setTransactionIsolation(isolation);
        connection.setAutoCommit(false);
        return connection;
    }

    private static ClaimKey key(String name) {
        return PAY.key("acme", name);
    }

    private Outcome<String> pay(Connection connection, String key) {
        return claims.execute(connection, PAY, key(key), run -> {
            Effects.add(connection, key);
            return key;
        });
    }

    private static String single(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            assertThat(row.next()).isTrue();
            return row.getString(row.getMetaData().getColumnCount());
        }
    }

    /** The insert would wait. It is not even sent. */
    @Test
    void underReadCommittedAnUncommittedClaimIsMetBeforeTheInsert() throws Exception {
        Connection first = beginPrepared(READ_COMMITTED);
        Connection second = begin(READ_COMMITTED);
        pay(first, "a");

        assertThat(pay(second, "a")).isInstanceOf(Outcome.InProgress.class);

        assertThat(single(second, "SHOW SESSION STATUS LIKE 'Com_insert'")).isEqualTo("0");
        first.commit();
        assertThat(pay(second, "a")).isEqualTo(new Outcome.Succeeded<>("a", true));
    }

    /** The session's own limit is a minute and a half, which is longer than this test may take. */
    @Test
    void underRepeatableReadTheInsertWaitsForASecond_andTheTransactionGoesOn() throws Exception {
        Connection first = beginPrepared(REPEATABLE_READ);
        Connection second = begin(REPEATABLE_READ);
        try (Statement statement = second.createStatement()) {
            statement.execute("SET SESSION innodb_lock_wait_timeout = 90");
        }
        pay(first, "a");
        pay(second, "b");

        assertThat(pay(second, "a")).isInstanceOf(Outcome.InProgress.class);

        assertThat(single(second, "SELECT @@SESSION.innodb_lock_wait_timeout")).isEqualTo("90");
        second.commit();
        first.rollback();
        assertThat(effects.counts()).isEqualTo(Map.of("b", 1));
        assertThat(effects.claims()).isEqualTo(Map.of("SUCCEEDED", 1));
    }

    /** Otherwise nobody could claim any key in the gap until the transaction ends: in a small table, no key at all. */
    @ParameterizedTest
    @ValueSource(ints = {READ_COMMITTED, REPEATABLE_READ})
    void aClaimLocksNoGap(int isolation) throws Exception {
        Connection first = beginPrepared(isolation);
        Connection second = begin(isolation);
        pay(first, "z");
        first.commit();

        for (String key : List.of("a", "z", "b")) {
            assertThat(pay(first, key)).isInstanceOf(Outcome.Succeeded.class);
            assertThat(single(first, GAPS)).as("after %s", key).isEqualTo("0");
        }
        for (String key : List.of("c", "d", "e")) {
            assertThat(pay(second, key)).isEqualTo(new Outcome.Succeeded<>(key, false));
        }
    }

    /** Negative control. */
    @Test
    void aLockOnAGapIsSeen() throws Exception {
        Connection connection = begin(REPEATABLE_READ);
        single(connection, "SELECT count(*) FROM idempotency_keys WHERE key_hash = repeat('x', 32) FOR UPDATE NOWAIT");

        assertThat(single(connection, GAPS)).isEqualTo("1");
    }

    /** The database rolls back the whole transaction of one of them. If that meant "taken", its caller would go on and commit. */
    @Test
    void aDeadlockEndsTheTransaction() throws Exception {
        Connection first = beginPrepared(REPEATABLE_READ);
        Connection second = begin(REPEATABLE_READ);
        int deadlocks = 0;
        // A machine that is busy may let the first one's wait end before the second one begins to wait.
        for (int round = 0; deadlocks == 0 && round < 30; round++) {
            String one = "one-" + round;
            String other = "other-" + round;
            pay(first, one);
            pay(second, other);
            CompletableFuture<Boolean> crossing = CompletableFuture.supplyAsync(() -> isDeadlock(first, other));
            boolean isDeadlock = isDeadlock(second, one);
            if (crossing.get(60, TimeUnit.SECONDS)) {
                deadlocks++;
                first.rollback();
                second.commit();
            } else if (isDeadlock) {
                deadlocks++;
                second.rollback();
                first.commit();
            } else {
                first.rollback();
                second.rollback();
            }
        }
        assertThat(deadlocks).isEqualTo(1);
        assertThat(effects.counts().values()).containsOnly(1);
        assertThat(effects.claims())
                .isEqualTo(Map.of("SUCCEEDED", effects.counts().size()));
    }

    private boolean isDeadlock(Connection connection, String key) {
        try {
            pay(connection, key);
            return false;
        } catch (TransactionAbortedException e) {
            assertThat(e.retryable()).isTrue();
            assertThat(((SQLException) e.getCause()).getErrorCode()).isEqualTo(1213);
            return true;
        }
    }

    /** A pool's connection may have any settings. They are the same afterwards. */
    @Test
    void groupsRestoreTheSessionsSettings() throws Exception {
        try (Connection session = database.connect()) {
            try (Statement statement = session.createStatement()) {
                statement.execute("SET SESSION innodb_lock_wait_timeout = 17, SESSION wait_timeout = 1717,"
                        + " SESSION transaction_isolation = 'SERIALIZABLE'");
            }
            String settings = "SELECT concat_ws(' ', @@SESSION.innodb_lock_wait_timeout, @@SESSION.wait_timeout,"
                    + " @@SESSION.transaction_isolation)";
            TransactionalClaims onSession = TransactionalClaims.on(
                    new SingleConnectionDataSource(session, true), Secrets.of("0123456789abcdef0123456789abcdef"));
            try (GroupedClaims<String, String> group = GroupedClaims.on(onSession, PAY, Effects::addAll)) {
                for (String row : List.of("one", "one", "poison")) {
                    group.submit(key(row), row, row)
                            .toCompletableFuture()
                            .handle((outcome, failure) -> outcome)
                            .get(60, TimeUnit.SECONDS);
                }
            }

            assertThat(single(session, settings)).isEqualTo("17 1717 SERIALIZABLE");
        }
        assertThat(effects.counts()).isEqualTo(Map.of("one", 1));
    }
}
