// SPDX-License-Identifier: Apache-2.0
package dev.semel.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.CallerTransactions;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.Semel;
import dev.semel.Work;
import dev.semel.claim.AliasedKey;
import dev.semel.claim.Fingerprint;
import dev.semel.jdbc.JdbcClaimStore;
import dev.semel.jdbc.TransactionalClaims;
import dev.semel.messaging.Disposition.Acknowledge;
import dev.semel.messaging.Disposition.DeadLettered;
import dev.semel.messaging.Disposition.Redeliver;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;

class TransactionalGateTest {
    @TempDir
    Path folder;

    private final List<DeadLetter> letters = new ArrayList<>();
    private JdbcClaimStore store;
    private Semel semel;
    private TransactionalClaims claims;
    private ConsumerGate<String> gate;

    @BeforeEach
    void open() throws SQLException {
        store = JdbcClaimStore.sqlite(folder.resolve("claims.db"));
        semel = GateFixture.engine(store);
        claims = TransactionalClaims.on(store, semel.secrets());
        gate = ConsumerGate.<String>on(semel, GateFixture.SCOPE)
                .key(GateFixture::id)
                .maxAttempts(2)
                .deadLetters((message, letter) -> letters.add(letter))
                .build();
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE effects (message TEXT NOT NULL)");
        }
    }

    @AfterEach
    void close() throws Exception {
        semel.close();
        store.close();
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("claims.db") + "?busy_timeout=10000");
    }

    private int effects() throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT count(*) FROM effects")) {
            rows.next();
            return rows.getInt(1);
        }
    }

    private static void insert(Connection connection, String message) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("INSERT INTO effects (message) VALUES (?)")) {
            statement.setString(1, message);
            statement.executeUpdate();
        }
    }

    @Test
    void effectAndClaimAreOneCommit() throws SQLException {
        for (int i = 0; i < 3; i++) {
            assertThat(gate.receive("1|a", claims, (message, connection, run) -> insert(connection, message)))
                    .isEqualTo(new Acknowledge(i > 0));
        }

        assertThat(effects()).isEqualTo(1);
    }

    @Test
    void theWritesOfAFailedAttemptAreUndoneAndThePoisonMessageGoesToTheSink() throws SQLException {
        TransactionalMessageHandler<String> failing = (message, connection, run) -> {
            insert(connection, message);
            throw new IllegalStateException("after the write");
        };

        assertThat(gate.receive("1|a", claims, failing)).isInstanceOf(Redeliver.class);
        assertThat(gate.receive("1|a", claims, failing)).isInstanceOf(DeadLettered.class);
        assertThat(gate.receive("1|a", claims, failing)).isEqualTo(new Acknowledge(true));

        assertThat(effects()).isZero();
        assertThat(letters).hasSize(1);
        assertThat(letters.get(0).attempts()).isEqualTo(2);
    }

    @Test
    void aHandlerThatEndsItsTransactionFailsAndGoesToTheSinkAfterItsAttempts() throws SQLException {
        TransactionalMessageHandler<String> ending = (message, connection, run) -> {
            insert(connection, message);
            connection.rollback();
        };

        assertAttemptsCount(() -> gate.receive("1|a", claims, ending));
    }

    /** Two attempts, and then the sink. The writes of none of them stay. */
    private void assertAttemptsCount(Supplier<Disposition> delivery) throws SQLException {
        assertThat(delivery.get()).isInstanceOf(Redeliver.class);
        assertThat(delivery.get()).isInstanceOf(DeadLettered.class);
        assertThat(delivery.get()).isEqualTo(new Acknowledge(true));

        assertThat(effects()).isZero();
        assertThat(letters).extracting(DeadLetter::attempts).containsExactly(2);
    }

    @Test
    void aMessageWhoseCommitIsRejectedUsesUpItsAttempts() throws SQLException {
        SQLiteDataSource source = new SQLiteDataSource();
        source.setUrl("jdbc:sqlite:" + folder.resolve("claims.db") + "?busy_timeout=10000");
        source.setEnforceForeignKeys(true);
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE customers (id TEXT PRIMARY KEY)");
            statement.execute("""
                    CREATE TABLE orders (
                        customer TEXT REFERENCES customers (id) DEFERRABLE INITIALLY DEFERRED
                    )""");
        }
        try (JdbcClaimStore checking = JdbcClaimStore.on(source)) {
            TransactionalClaims checked = TransactionalClaims.on(checking, semel.secrets());

            assertAttemptsCount(() -> gate.receive("1|a", checked, (message, connection, run) -> {
                insert(connection, message);
                try (Statement statement = connection.createStatement()) {
                    statement.execute("INSERT INTO orders (customer) VALUES ('nobody')");
                }
            }));
        }
    }

    /** As Spring does after an exception has left an inner {@code @Transactional} method. */
    private final class RollingBack implements CallerTransactions {
        @Override
        public boolean isActive() {
            return false;
        }

        @Override
        public <T> Outcome<T> execute(Operation<T> operation, AliasedKey key, Fingerprint fingerprint, Work<T> work) {
            try (Connection connection = connect()) {
                connection.setAutoCommit(false);
                Outcome<T> outcome = claims.execute(connection, operation, key, fingerprint, work);
                if (outcome instanceof Outcome.Succeeded && !outcome.isReplayed()) {
                    connection.rollback();
                    return new Outcome.Retryable<>(new IllegalStateException("marked for rollback"));
                }
                connection.commit();
                return outcome;
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @Test
    void aMessageWhoseTransactionTheFrameworkRollsBackUsesUpItsAttempts() throws SQLException {
        try (Semel joining = Semel.on(store)
                .secrets(GateFixture.SECRETS)
                .callerTransactions(new RollingBack())
                .build()) {
            ConsumerGate<String> joined = ConsumerGate.<String>on(joining, GateFixture.SCOPE)
                    .key(GateFixture::id)
                    .maxAttempts(2)
                    .joinTransaction()
                    .deadLetters((message, letter) -> letters.add(letter))
                    .build();

            assertAttemptsCount(() -> joined.receive("1|a", (message, run) -> {}));
        }
    }

    /** As a framework does: it opens a transaction, binds its connection to the thread, and commits or rolls back. */
    private final class Framework implements CallerTransactions {
        private static final ThreadLocal<Connection> CURRENT = new ThreadLocal<>();

        @Override
        public boolean isActive() {
            return CURRENT.get() != null;
        }

        @Override
        public <T> Outcome<T> execute(Operation<T> operation, AliasedKey key, Fingerprint fingerprint, Work<T> work) {
            return claims.inTransaction(operation, key, fingerprint, (connection, run) -> {
                CURRENT.set(connection);
                try {
                    return work.run(run);
                } finally {
                    CURRENT.remove();
                }
            });
        }
    }

    @Test
    void aGateThatJoinsTheFrameworksTransactionWritesOnce() throws SQLException {
        Framework framework = new Framework();
        try (Semel joining = Semel.on(store)
                .secrets(GateFixture.SECRETS)
                .callerTransactions(framework)
                .build()) {
            ConsumerGate<String> joined = ConsumerGate.<String>on(joining, GateFixture.SCOPE)
                    .key(GateFixture::id)
                    .maxAttempts(2)
                    .joinTransaction()
                    .deadLetters((message, letter) -> letters.add(letter))
                    .build();
            MessageHandler<String> failing = (message, run) -> {
                insert(Framework.CURRENT.get(), message);
                throw new IllegalStateException("after the write");
            };

            assertThat(joined.receive("1|a", failing)).isInstanceOf(Redeliver.class);
            assertThat(joined.receive("1|a", (message, run) -> insert(Framework.CURRENT.get(), message)))
                    .isEqualTo(new Acknowledge(false));
            assertThat(joined.receive("1|a", failing)).isEqualTo(new Acknowledge(true));
            joined.receive("2|b", failing);
            assertThat(joined.receive("2|b", failing)).isInstanceOf(DeadLettered.class);

            assertThatThrownBy(() -> joined.receiveAll(List.of("3|c"), messages -> {}))
                    .hasMessageContaining("joinTransaction()");
        }
        assertThat(effects()).isEqualTo(1);
        assertThat(letters).hasSize(1);
    }
}
