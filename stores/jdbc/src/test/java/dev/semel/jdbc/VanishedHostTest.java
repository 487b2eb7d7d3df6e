// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.Codec;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.claim.ClaimRef;
import dev.semel.claim.Status;
import dev.semel.claim.StoreException;
import dev.semel.key.Secrets;
import dev.semel.spi.Command;
import dev.semel.spi.Verdict;
import dev.semel.testkit.Commands;
import dev.semel.testservers.DatabaseKind;
import dev.semel.testservers.DatabaseServer;
import dev.semel.testservers.EachDatabase;
import dev.semel.testservers.SilentNetwork;
import dev.semel.testservers.VanishingSockets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;

/**
 * A host vanishes before its commit without closing its connections, so its transaction stays open on the server. The
 * server ends it soon, and others can claim its keys.
 */
@ParameterizedClass
@EachDatabase(except = DatabaseKind.SQLITE)
class VanishedHostTest {
    private static final Pattern COMMIT = Pattern.compile("\\bCOMMIT\\b");
    private static final Duration STATEMENT_TIMEOUT = Duration.ofSeconds(1);

    /** Much longer than Semel's limits, much shorter than the servers' defaults, which are hours. */
    private static final Duration MAX_WAIT = Duration.ofSeconds(45);

    private static final Operation<String> PAY = Operation.of("pay", Codec.text());
    private static final Secrets SECRETS = Secrets.of("0123456789abcdef0123456789abcdef");

    private final DatabaseKind kind;
    private ClaimDatabase database;
    private SilentNetwork network;
    private DataSource vanishing;
    private DataSource pool;

    VanishedHostTest(DatabaseKind kind) {
        this.kind = kind;
    }

    @BeforeEach
    void open() throws Exception {
        DatabaseServer server = kind.sharedServer();
        database = ClaimDatabase.on(server);
        pool = database.pool(4);
        Schema.of(pool).migrate();
        network = new SilentNetwork(server, COMMIT);
        String through = database.through(network);
        vanishing = database.hastyPool(
                through + (through.contains("?") ? "&" : "?") + "socketFactory=" + VanishingSockets.class.getName(), 1);
    }

    @AfterEach
    void close() throws Exception {
        network.close();
        database.close();
    }

    private static ClaimRef ref(int number) {
        return CrossingLanes.ref("acme", number);
    }

    /** Retries until the other transaction has ended. */
    private static void awaitApplied(JdbcClaimStore store, Command command) {
        await().atMost(MAX_WAIT).until(() -> {
            try {
                return store.apply(List.of(command)).get(0) instanceof Verdict.Applied;
            } catch (StoreException e) {
                return false;
            }
        });
    }

    private void vanishes(Command... commands) {
        JdbcClaimStore store = JdbcClaimStore.on(vanishing).withStatementTimeout(STATEMENT_TIMEOUT);
        network.fallSilentAtCommit(1, SilentNetwork.At.BEFORE_COMMIT);
        CompletableFuture<Void> lost = CompletableFuture.runAsync(() -> store.apply(List.of(commands)));
        await().atMost(MAX_WAIT).until(network::isSilent);
        await().atMost(MAX_WAIT).until(lost::isDone);
        assertThat(lost).isCompletedExceptionally();
    }

    @Test
    void theKeysOfAnAliasedClaimAreFreeAgain() {
        vanishes(Commands.insert(ref(1), List.of(ref(2))));

        JdbcClaimStore other = JdbcClaimStore.on(pool).withStatementTimeout(STATEMENT_TIMEOUT);
        awaitApplied(other, Commands.insert(ref(2)));
        awaitApplied(other, Commands.insert(ref(1)));
    }

    @Test
    void theRowsOfAGroupAreFreeAgain() throws Exception {
        database.execute("CREATE TABLE counters (name VARCHAR(10) PRIMARY KEY, n INT)");
        database.execute("INSERT INTO counters VALUES ('a', 0)");
        try (GroupedClaims<String, String> lost = counting(vanishing);
                GroupedClaims<String, String> other = counting(pool)) {
            network.fallSilentAtCommit(1, SilentNetwork.At.BEFORE_COMMIT);
            lost.submit(PAY.key("acme", "k"), "a", "lost");
            await().atMost(MAX_WAIT).until(network::isSilent);

            await().atMost(MAX_WAIT)
                    .until(() -> other.submit(PAY.key("acme", "k"), "a", "other")
                                    .toCompletableFuture()
                                    .join()
                            instanceof Outcome.Succeeded);
        }
        assertThat(single("SELECT n FROM counters")).isEqualTo("1");
    }

    private static GroupedClaims<String, String> counting(DataSource source) {
        return GroupedClaims.on(TransactionalClaims.on(source, SECRETS), PAY, (connection, rows) -> {
            try (Statement statement = connection.createStatement()) {
                statement.executeUpdate("UPDATE counters SET n = n + 1");
            }
        });
    }

    /** A row that a vanished host has locked must not delay the other commands of a batch. */
    @Test
    void aBatchOnMariaDbIsFreeAgain() {
        if (!kind.isMariaDbOrMySql()) {
            // On PostgreSQL a batch and its commit are one message, which arrives completely or not at all.
            return;
        }
        JdbcClaimStore other = JdbcClaimStore.on(pool).withStatementTimeout(STATEMENT_TIMEOUT);
        Command.Insert first = Commands.insert(ref(1));
        Command.Insert second = Commands.insert(ref(2));
        other.apply(List.of(first, second));
        // Inserts and settlements need no transaction on MariaDB. Renewals have one.
        Command.Renew renewal = new Command.Renew(ref(1), first.token(), Duration.ofMinutes(1));
        vanishes(renewal, new Command.Renew(ref(2), second.token(), Duration.ofMinutes(1)));

        awaitApplied(other, renewal);
        awaitApplied(other, new Command.Settle(ref(2), second.token(), Status.SUCCEEDED, null, null));
    }

    /** The pool belongs to the user. Its sessions keep their own settings. */
    @Test
    void settingsOfATransactionAreRestored() throws SQLException {
        DataSource single = database.pool(1);
        JdbcClaimStore store = JdbcClaimStore.on(single);
        String settings = kind.isMariaDbOrMySql()
                ? "SELECT concat(@@innodb_lock_wait_timeout, ' ', @@wait_timeout, ' ', @@transaction_isolation)"
                : "SELECT concat(current_setting('lock_timeout'), ' ',"
                        + " current_setting('idle_in_transaction_session_timeout'), ' ',"
                        + " current_setting('transaction_isolation'))";
        try (Connection connection = single.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(
                    kind.isMariaDbOrMySql()
                            ? "SET SESSION innodb_lock_wait_timeout = 17, SESSION wait_timeout = 1717"
                            : "SET lock_timeout = 17000; SET idle_in_transaction_session_timeout = 1717000");
        }
        String before = single(single, settings);
        store.apply(List.of(Commands.insert(ref(1)), Commands.insert(ref(2))));
        store.apply(List.of(Commands.insert(ref(3), List.of(ref(4)))));
        store.apply(List.of(Commands.insert(ref(3), List.of(ref(5)))));
        store.sweep(10);
        store.advance();
        try (GroupedClaims<String, String> group =
                GroupedClaims.on(TransactionalClaims.on(single, SECRETS), PAY, (connection, rows) -> {
                    if (rows.contains("bad")) {
                        throw new IllegalStateException("bad");
                    }
                })) {
            group.submit(PAY.key("acme", "k"), "a", "done")
                    .toCompletableFuture()
                    .join();
            group.submit(PAY.key("acme", "l"), "bad", "done")
                    .toCompletableFuture()
                    .join();
        }

        assertThat(before).contains("17");
        assertThat(single(single, settings)).isEqualTo(before);
    }

    private String single(String sql) throws SQLException {
        return single(pool, sql);
    }

    private static String single(DataSource source, String sql) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }
}
