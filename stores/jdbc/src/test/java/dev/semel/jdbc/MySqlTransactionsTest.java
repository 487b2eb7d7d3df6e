// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Codec;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.claim.AliasedKey;
import dev.semel.claim.ClaimKey;
import dev.semel.claim.Fingerprint;
import dev.semel.key.Secrets;
import dev.semel.testservers.MySqlServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
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

    /** A part that is undone would leave locks on gaps, so that nobody could make a new claim until the transaction ends. */
    @ParameterizedTest
    @ValueSource(ints = {REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE})
    void anyHigherLevelIsRefused_andTheTransactionGoesOn(int isolation) throws Exception {
        Connection connection = beginPrepared(isolation);
        Effects.add(connection, "before");
        for (AliasedKey key : List.of(AliasedKey.of(key("a")), key("a").alsoKnownAs("b"))) {
            assertThatThrownBy(() -> claims.execute(connection, PAY, key, Fingerprint.NONE, run -> "a"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("needs READ COMMITTED")
                    .hasMessageContaining("TRANSACTION_READ_COMMITTED");
        }
        // At SERIALIZABLE, any read of a missing row locks a gap, also the one that tells the level.
        assertThat(single(connection, GAPS)).isEqualTo(isolation == REPEATABLE_READ ? "0" : "1");
        connection.commit();
        assertThat(effects.counts()).isEqualTo(Map.of("before", 1));
        assertThat(effects.claims()).isEmpty();
    }

    @Test
    void aTransactionOfItsOwnHasTheLevelOfThePool() {
        TransactionalClaims atDefault =
                TransactionalClaims.on(database.defaultPool(1), Secrets.of("0123456789abcdef0123456789abcdef"));

        assertThatThrownBy(() -> atDefault.inTransaction(PAY, key("a"), (connection, run) -> "a"))
                .hasMessageContaining("the session's level is REPEATABLE READ");

        assertThat(claims.inTransaction(PAY, key("a"), (connection, run) -> "a"))
                .isEqualTo(new Outcome.Succeeded<>("a", false));
    }

    /** A refused claim with several keys, work that throws after an inner claim, and a savepoint of the caller's own. */
    @Test
    void whatIsUndoneLeavesNoGapLocked() throws Exception {
        Connection first = beginPrepared(READ_COMMITTED);
        Connection second = begin(READ_COMMITTED);
        pay(first, "a");
        AliasedKey several = key("b").alsoKnownAs("a", "c");
        assertThat(claims.execute(second, PAY, several, Fingerprint.NONE, run -> "b"))
                .isInstanceOf(Outcome.InProgress.class);
        claims.execute(second, PAY, key("d"), run -> {
            pay(second, "e");
            throw new IllegalArgumentException("undone");
        });
        Savepoint own = second.setSavepoint();
        pay(second, "f");
        second.rollback(own);

        assertThat(single(second, GAPS)).isEqualTo("0");
        for (String key : List.of("g", "h", "i", "j")) {
            assertThat(pay(first, key)).isEqualTo(new Outcome.Succeeded<>(key, false));
        }
    }

    /** Otherwise nobody could claim any key in the gap until the transaction ends: in a small table, no key at all. */
    @Test
    void aClaimLocksNoGap() throws Exception {
        Connection first = beginPrepared(READ_COMMITTED);
        Connection second = begin(READ_COMMITTED);
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
