// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.claim.StoreException;
import dev.semel.jdbc.sql.Connections;
import dev.semel.jdbc.sql.SqlFailures;
import dev.semel.spi.Verdict;
import dev.semel.testkit.Commands;
import dev.semel.testservers.DatabaseKind;
import dev.semel.testservers.EachDatabase;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;

/** Every error of a driver or a pool on a closed connection means that the command was not judged by the database. */
@ParameterizedClass
@EachDatabase
class ClosedConnectionTest {
    private final DatabaseKind kind;
    private ClaimDatabase database;

    @TempDir
    private Path folder;

    ClosedConnectionTest(DatabaseKind kind) {
        this.kind = kind;
    }

    @BeforeEach
    void open() {
        database = ClaimDatabase.of(kind, folder.resolve("claims.db"));
        database.execute("CREATE TABLE things (name VARCHAR(10))");
    }

    @AfterEach
    void close() throws Exception {
        database.close();
    }

    /** A data source as users of this database have it. Closed with the database. */
    private DataSource source() {
        return kind == DatabaseKind.SQLITE
                ? database.closing(SqliteFile.open(folder.resolve("claims.db")))
                : database.pool(1);
    }

    private interface Call {
        void run() throws SQLException;
    }

    /** A call after closing may succeed. If it fails, the failure must not blame the command. */
    private static void unreachable(List<String> wrong, String what, Call call) {
        try {
            call.run();
        } catch (SQLException e) {
            StoreException.Kind is = SqlFailures.kindOf(e);
            if (is != StoreException.Kind.UNREACHABLE) {
                wrong.add("%s is %s: %s (SQLState %s, code %d)"
                        .formatted(what, is, e, e.getSQLState(), e.getErrorCode()));
            }
        }
    }

    private static void everyCall(List<String> wrong, Connection connection, PreparedStatement prepared) {
        unreachable(wrong, "executing what was prepared", prepared::executeUpdate);
        unreachable(wrong, "binding", () -> prepared.setString(1, "b"));
        unreachable(wrong, "adding to a batch", prepared::addBatch);
        unreachable(wrong, "a batch", prepared::executeBatch);
        unreachable(wrong, "closing the statement", prepared::close);
        unreachable(wrong, "createStatement", () -> connection.createStatement().execute("SELECT 1"));
        unreachable(
                wrong,
                "prepareStatement",
                () -> connection
                        .prepareStatement("INSERT INTO things VALUES (?)")
                        .close());
        unreachable(wrong, "commit", connection::commit);
        unreachable(wrong, "rollback", connection::rollback);
        unreachable(wrong, "setAutoCommit", () -> connection.setAutoCommit(!connection.getAutoCommit()));
        unreachable(wrong, "setNetworkTimeout", () -> connection.setNetworkTimeout(Runnable::run, 1_000));
        unreachable(wrong, "setSavepoint", connection::setSavepoint);
    }

    private static PreparedStatement prepared(Connection connection) throws SQLException {
        PreparedStatement statement = connection.prepareStatement("INSERT INTO things VALUES (?)");
        statement.setString(1, "a");
        return statement;
    }

    @Test
    void everyCallOnAClosedConnectionIsUnreachable() throws SQLException {
        List<String> wrong = new ArrayList<>();
        for (boolean inTransaction : List.of(false, true)) {
            Connection connection = database.connect();
            connection.setAutoCommit(!inTransaction);
            PreparedStatement statement = prepared(connection);
            statement.executeUpdate();
            connection.close();
            everyCall(wrong, connection, statement);
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void everyCallOnAPooledConnectionWhosePhysicalOneIsClosedIsUnreachable() throws SQLException {
        List<String> wrong = new ArrayList<>();
        DataSource pool = source();
        for (boolean inTransaction : List.of(false, true)) {
            try (Connection connection = pool.getConnection()) {
                connection.setAutoCommit(!inTransaction);
                PreparedStatement statement = prepared(connection);
                connection.unwrap(Connection.class).close();
                everyCall(wrong, connection, statement);
            } catch (SQLException e) {
                unreachable(wrong, "closing", () -> {
                    throw e;
                });
            }
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void aClosedPoolIsUnreachable() throws Exception {
        List<String> wrong = new ArrayList<>();
        DataSource pool = source();
        try (Connection connection = pool.getConnection()) {
            PreparedStatement statement = prepared(connection);
            ((AutoCloseable) pool).close();
            everyCall(wrong, connection, statement);
        }
        unreachable(wrong, "getConnection", () -> pool.getConnection().close());
        assertThat(wrong).isEmpty();
    }

    /** A settlement on a dead connection of the pool must not count as rejected by the database. */
    @Test
    void aStoreOnADeadConnectionNeverRejects() throws SQLException {
        DataSource pool = source();
        JdbcClaimStore store = JdbcClaimStore.migrating(pool);
        for (int i = 0; i < 3; i++) {
            try (Connection connection = pool.getConnection()) {
                connection.unwrap(Connection.class).close();
            } catch (SQLException e) {
                assertThat(SqlFailures.kindOf(e)).isEqualTo(StoreException.Kind.UNREACHABLE);
            }
            answered(store);
        }
    }

    /** Retries until the pool has noticed. The database is available all the time. */
    private static void answered(JdbcClaimStore store) {
        var insert = Commands.insert(CrossingLanes.ref("acme", (int) System.nanoTime()));
        for (int attempt = 0; ; attempt++) {
            try {
                assertThat(store.apply(List.of(insert)).get(0)).isInstanceOf(Verdict.Applied.class);
                return;
            } catch (StoreException e) {
                assertThat(e.kind()).isEqualTo(StoreException.Kind.UNREACHABLE);
                assertThat(attempt)
                        .as("calls on a pool with one dead connection")
                        .isLessThan(5);
            }
        }
    }

    /** A failure while a broken connection is restored must not hide the failure that broke it. */
    @Test
    void theFirstFailureIsThrown() {
        JdbcClaimStore store = JdbcClaimStore.migrating(source());
        Connections connections = new Connections(source(), kind != DatabaseKind.SQLITE, Duration.ofSeconds(2));
        Connections others = new Connections(source(), kind != DatabaseKind.SQLITE, Duration.ofSeconds(2));
        SQLException first = new SQLException("the first failure", "23505");

        assertThatThrownBy(() -> connections.run(connection -> {
                    connection.unwrap(Connection.class).close();
                    throw first;
                }))
                .isInstanceOf(StoreException.class)
                .hasCause(first);
        assertThatThrownBy(() -> others.run(connection -> store.dialect()
                        .inTransaction(
                                connection,
                                inTransaction -> {
                                    try (Statement statement = inTransaction.createStatement()) {
                                        statement.execute("INSERT INTO things VALUES ('lost')");
                                    }
                                    inTransaction.unwrap(Connection.class).close();
                                    throw first;
                                },
                                Duration.ofSeconds(2))))
                .isInstanceOf(StoreException.class)
                .hasCause(first);
    }
}
