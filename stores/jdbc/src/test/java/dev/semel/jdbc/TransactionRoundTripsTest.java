// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Codec;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.key.Secrets;
import dev.semel.testservers.DatabaseKind;
import dev.semel.testservers.DatabaseServer;
import dev.semel.testservers.EachDatabase;
import dev.semel.testservers.RoundTrips;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/** How often a call waits for the database. Its effect is one statement. */
@ParameterizedClass
@EachDatabase(except = {DatabaseKind.MYSQL, DatabaseKind.SQLITE})
class TransactionRoundTripsTest {
    private static final Operation<String> PAY = Operation.of("pay", Codec.text());

    /** More calls than a driver makes until it prepares a statement on the server, which changes what it sends together. */
    private static final int WARM = 12;

    /**
     * The fewest of some calls count: if a driver sends two messages without waiting in between, the answer of the first one may
     * pass the second one, which then counts as another round trip.
     */
    private static final int MEASURED = 5;

    private final DatabaseKind kind;
    private ClaimDatabase database;
    private RoundTrips network;
    private Connection connection;
    private TransactionalClaims claims;
    private int keys;

    TransactionRoundTripsTest(DatabaseKind kind) {
        this.kind = kind;
    }

    @BeforeEach
    void open() throws Exception {
        DatabaseServer server = kind.sharedServer();
        database = ClaimDatabase.on(server);
        network = database.closing(new RoundTrips(server));
        JdbcClaimStore.migrating(database.pool(1));
        Effects.in(database);
        String through = database.url().replace(":" + server.port() + "/", ":" + network.port() + "/");
        SingleConnectionDataSource pool = new SingleConnectionDataSource(
                database.closing(DriverManager.getConnection(through, database.user(), database.password())), true);
        connection = pool.getConnection();
        claims = TransactionalClaims.on(pool, Secrets.of("0123456789abcdef0123456789abcdef"));
    }

    @AfterEach
    void close() throws Exception {
        database.close();
    }

    /** PostgreSQL: claim, effect, settlement with the commit. */
    @Test
    void aTransactionOfSemel() throws Exception {
        assertThat(trips(() -> pay("order-" + keys++))).isEqualTo(postgres() ? 3 : 9);
    }

    /** PostgreSQL: the refused insert, the read, the rollback. */
    @Test
    void aReplayInATransactionOfSemel() throws Exception {
        pay("order-17");

        assertThat(trips(() -> pay("order-17"))).isEqualTo(postgres() ? 3 : 4);
    }

    /** PostgreSQL: claim, effect, the undoing, settlement with the commit. */
    @Test
    void workThatFailsInATransactionOfSemel() throws Exception {
        assertThat(trips(() -> claims.inTransaction(PAY, PAY.key("acme", "order-" + keys++), (connection, run) -> {
                    Effects.add(connection, "effect");
                    throw new IllegalArgumentException("bad");
                })))
                .isEqualTo(postgres() ? 4 : 9);
    }

    /** PostgreSQL: claim, effect, settlement. The caller's commit is not counted. */
    @Test
    void aTransactionOfTheCaller() throws Exception {
        connection.setAutoCommit(false);

        assertThat(trips(() -> execute("order-" + keys++))).isEqualTo(postgres() ? 3 : 6);
    }

    /** PostgreSQL: the refused insert, the release of its savepoint, the read. */
    @Test
    void aReplayInATransactionOfTheCaller() throws Exception {
        pay("order-17");
        connection.setAutoCommit(false);

        assertThat(trips(() -> execute("order-17"))).isEqualTo(postgres() ? 3 : 1);
    }

    /** PostgreSQL: the claims with the bounds of the transaction, the effect, the commit. */
    @Test
    void aGroup() throws Exception {
        try (GroupedClaims<String, String> group =
                GroupedClaims.on(claims, PAY, (connection, rows) -> Effects.addAll(connection, rows))) {
            assertThat(trips(() -> group.submit(PAY.key("acme", "order-" + keys++), "effect", "paid")
                            .toCompletableFuture()
                            .get()))
                    .isEqualTo(postgres() ? 3 : 8);
        }
    }

    private boolean postgres() {
        return kind == DatabaseKind.POSTGRESQL;
    }

    private Outcome<String> pay(String key) {
        return claims.inTransaction(PAY, PAY.key("acme", key), (connection, run) -> {
            Effects.add(connection, "effect");
            return "paid";
        });
    }

    private void execute(String key) throws SQLException {
        claims.execute(connection, PAY, PAY.key("acme", key), run -> {
            Effects.add(connection, "effect");
            return "paid";
        });
    }

    private int trips(Call call) throws Exception {
        for (int i = 0; i < WARM; i++) {
            call.make();
        }
        int fewest = Integer.MAX_VALUE;
        for (int i = 0; i < MEASURED; i++) {
            network.taken();
            call.make();
            fewest = Math.min(fewest, network.taken());
        }
        return fewest;
    }

    private interface Call {
        void make() throws Exception;
    }
}
