// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Codec;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.claim.ClaimRef;
import dev.semel.claim.Digest;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.Status;
import dev.semel.key.Secret;
import dev.semel.key.Secrets;
import dev.semel.spi.ClaimBrowser;
import dev.semel.spi.Command;
import dev.semel.testkit.Commands;
import dev.semel.testservers.DatabaseKind;
import dev.semel.testservers.EachDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/**
 * A connection returns to its pool unchanged: no session setting, no lock and no prepared transaction remains. A pooler
 * that resets nothing, such as PgBouncer in transaction mode, gives the same session to other clients.
 *
 * <p>All calls use one physical connection, without a pool that would reset it.
 */
@ParameterizedClass
@EachDatabase(except = DatabaseKind.SQLITE)
class SessionStateTest {
    private static final Secret OLD = Secret.of("0123456789abcdef0123456789abcdef");
    private static final Secret FRESH = Secret.of("another secret of more than 32 bytes");
    private static final Operation<String> PAY = Operation.of("pay", Codec.text());

    /** Variables of MariaDB and MySQL that identify the connection, count, or describe the last statement. */
    private static final Set<String> VOLATILE = Set.of(
            "timestamp",
            "last_insert_id",
            "identity",
            "insert_id",
            "warning_count",
            "error_count",
            "rand_seed1",
            "rand_seed2",
            "pseudo_thread_id",
            "last_gtid",
            "in_transaction",
            "gtid_executed",
            "statement_id");

    private final DatabaseKind kind;
    private ClaimDatabase database;
    private Connection session;
    private SingleConnectionDataSource pool;
    private JdbcClaimStore store;

    SessionStateTest(DatabaseKind kind) {
        this.kind = kind;
    }

    @BeforeEach
    void open() throws SQLException {
        database = ClaimDatabase.of(kind, null);
        session = database.closing(database.connect());
        pool = new SingleConnectionDataSource(session, true);
        store = database.closing(JdbcClaimStore.migrating(pool));
        Effects.in(database);
    }

    @AfterEach
    void close() throws Exception {
        database.close();
    }

    /** Negative control: a setting and a lock that remain are detected. */
    @Test
    void remainingStateIsDetected() throws SQLException {
        Map<String, String> before = stateOf(session);
        boolean postgres = kind == DatabaseKind.POSTGRESQL;
        try (Statement statement = session.createStatement()) {
            statement.execute(postgres ? "SET lock_timeout = 7000" : "SET SESSION lock_wait_timeout = 7");
            assertThat(stateOf(session)).isNotEqualTo(before);
            statement.execute(postgres ? "RESET lock_timeout" : "SET SESSION lock_wait_timeout = DEFAULT");
            assertThat(stateOf(session)).isEqualTo(before);
            statement.execute(postgres ? "SELECT pg_advisory_lock(7)" : "SELECT GET_LOCK('seven', 0)");
            assertThat(stateOf(session)).isNotEqualTo(before);
        }
    }

    @Test
    void aMigrationLeavesNothingBehind() throws SQLException {
        try (Connection another = database.connect()) {
            assertThat(stateOf(session)).isEqualTo(stateOf(another));
        }
    }

    @Test
    void theStoreLeavesNothingBehind() throws SQLException {
        Map<String, String> before = stateOf(session);
        List<Command> batch = List.of(Commands.insert(ref(1)), Commands.insert(ref(2)), Commands.insert(ref(3)));

        unchanged(before, "inserts", () -> store.apply(batch));
        unchanged(before, "one refused insert", () -> store.apply(List.of(Commands.insert(ref(1)))));
        unchanged(before, "aliases", () -> store.apply(List.of(Commands.insert(ref(4), List.of(ref(5), ref(6))))));
        unchanged(
                before,
                "a conflict of aliases",
                () -> store.apply(List.of(Commands.insert(ref(1), List.of(ref(2), ref(7))))));
        unchanged(before, "a read", () -> store.read(List.of(ref(1), ref(5), ref(9))));
        unchanged(
                before,
                "renewals and settlements",
                () -> store.apply(List.of(
                        Commands.renew(store.read(List.of(ref(1))).get(ref(1)), Duration.ofSeconds(9)),
                        Commands.settle(store.read(List.of(ref(2))).get(ref(2)), Status.RETRYABLE),
                        Commands.settle(store.read(List.of(ref(3))).get(ref(3)), Status.SUCCEEDED, "done"))));
        unchanged(
                before,
                "a take-over",
                () -> store.apply(
                        List.of(Commands.takeOver(store.read(List.of(ref(2))).get(ref(2))))));
        unchanged(before, "a sweep", () -> store.sweep(10));
        unchanged(
                before,
                "a page",
                () -> store.page(ClaimBrowser.Query.of("acme", 10).withStatus(Status.SUCCEEDED)));
        unchanged(before, "counts", () -> store.counts("acme"));
        unchanged(before, "a count of digests", () -> store.onlyFoundBy(Commands.SECRET_ID));
        unchanged(before, "the epoch", () -> store.advance());
    }

    /** As a pool for claims in transactions must be set up on MySQL. */
    private void allowTransactions() throws SQLException {
        if (kind == DatabaseKind.MYSQL) {
            session.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        }
    }

    @Test
    void claimsInATransactionLeaveNothingBehind() throws SQLException {
        allowTransactions();
        for (Secrets secrets : List.of(Secrets.of(OLD), Secrets.of(FRESH, OLD))) {
            TransactionalClaims claims = TransactionalClaims.on(pool, secrets);
            Map<String, String> before = stateOf(session);

            unchanged(before, "a claim", () -> pay(claims, "first"));
            unchanged(before, "a replay", () -> pay(claims, "first"));
            unchanged(
                    before,
                    "aliases",
                    () -> claims.inTransaction(
                            PAY,
                            PAY.key("acme", "order-1").alsoKnownAs("invoice-1"),
                            Fingerprint.NONE,
                            (connection, run) -> "done"));
            unchanged(
                    before,
                    "work that fails",
                    () -> claims.inTransaction(PAY, PAY.key("acme", "bad"), (connection, run) -> {
                        throw new IllegalArgumentException("bad");
                    }));
            unchanged(
                    before,
                    "work that breaks the transaction",
                    () -> assertThatThrownBy(
                                    () -> claims.inTransaction(PAY, PAY.key("acme", "broken"), (connection, run) -> {
                                        connection.rollback();
                                        return "none";
                                    }))
                            .isInstanceOf(TransactionAbortedException.class));
        }
    }

    private static Outcome<String> pay(TransactionalClaims claims, String name) {
        return claims.inTransaction(PAY, PAY.key("acme", name), (connection, run) -> {
            Effects.add(connection, name);
            return name;
        });
    }

    @Test
    void groupsLeaveNothingBehind() throws SQLException {
        allowTransactions();
        TransactionalClaims claims = TransactionalClaims.on(pool, Secrets.of(OLD));
        Map<String, String> before = stateOf(session);
        try (GroupedClaims<String, String> group = GroupedClaims.on(claims, PAY, Effects::addAll)) {
            for (String name : List.of("one", "one", "poison", "two")) {
                unchanged(
                        before,
                        name,
                        () -> group.submit(PAY.key("acme", name), name, name)
                                .toCompletableFuture()
                                .handle((outcome, failure) -> outcome)
                                .get(60, TimeUnit.SECONDS));
            }
        }
    }

    @Test
    void anErrorOfAGroupsEffectLeavesNothingBehind() throws SQLException {
        allowTransactions();
        TransactionalClaims claims = TransactionalClaims.on(pool, Secrets.of(OLD));
        Map<String, String> before = stateOf(session);
        try (GroupedClaims<String, String> group = GroupedClaims.on(claims, PAY, (connection, rows) -> {
            throw new AssertionError("a defect of the effect");
        })) {
            unchanged(
                    before,
                    "an error",
                    () -> group.submit(PAY.key("acme", "one"), "one", "one")
                            .toCompletableFuture()
                            .handle((outcome, failure) -> outcome)
                            .get(60, TimeUnit.SECONDS));
        }
    }

    private void unchanged(Map<String, String> before, String what, Action action) throws SQLException {
        try {
            action.run();
        } catch (Exception e) {
            throw new AssertionError(what, e);
        }
        assertThat(stateOf(session)).as("after %s", what).isEqualTo(before);
    }

    private Map<String, String> stateOf(Connection connection) throws SQLException {
        Map<String, String> state = new TreeMap<>();
        state.put("JDBC auto-commit", String.valueOf(connection.getAutoCommit()));
        state.put("JDBC isolation", String.valueOf(connection.getTransactionIsolation()));
        state.put("JDBC read-only", String.valueOf(connection.isReadOnly()));
        state.put("JDBC network timeout", String.valueOf(connection.getNetworkTimeout()));
        if (kind == DatabaseKind.POSTGRESQL) {
            add(state, connection, "SELECT name, setting FROM pg_settings");
            add(
                    state,
                    connection,
                    "SELECT 'lock', count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()");
            add(state, connection, "SELECT 'prepared by SQL', count(*) FROM pg_prepared_statements WHERE from_sql");
            add(state, connection, "SELECT 'open cursors', count(*) FROM pg_cursors WHERE is_holdable");
            add(state, connection, "SELECT 'channels', count(*) FROM pg_listening_channels()");
            add(state, connection, "SELECT 'temporary schema', pg_my_temp_schema()");
            add(state, connection, "SELECT 'role', current_user");
        } else {
            boolean mySql = kind == DatabaseKind.MYSQL;
            add(
                    state,
                    connection,
                    "SELECT lower(variable_name), variable_value FROM %s.session_variables"
                            .formatted(mySql ? "performance_schema" : "information_schema"));
            // Variables of Semel keep the session's own values while a transaction runs.
            add(state, connection, mySql ? """
                    SELECT 'user variables', count(*) FROM performance_schema.user_variables_by_thread
                    WHERE thread_id = ps_current_thread_id()
                      AND variable_name NOT IN ('semel_lock_wait', 'semel_idle', 'semel_isolation', 'semel_claim_wait')
                    """ : """
                    SELECT 'user variables', count(*) FROM information_schema.user_variables
                    WHERE variable_name NOT IN ('semel_lock_wait', 'semel_idle')
                    """);
            add(state, connection, "SELECT 'locks', RELEASE_ALL_LOCKS()");
        }
        VOLATILE.forEach(state::remove);
        return state;
    }

    private static void add(Map<String, String> state, Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                state.put(rows.getString(1), String.valueOf(rows.getString(2)));
            }
        }
    }

    private static ClaimRef ref(int number) {
        byte[] digest = new byte[Digest.LENGTH];
        digest[0] = (byte) number;
        return new ClaimRef("acme", new Digest(digest));
    }

    private interface Action {
        void run() throws Exception;
    }
}
