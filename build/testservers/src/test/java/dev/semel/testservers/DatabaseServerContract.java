// SPDX-License-Identifier: Apache-2.0
package dev.semel.testservers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The tests of every database server. A subclass starts the server and queries its settings. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class DatabaseServerContract {

    DatabaseServer server;

    abstract DatabaseServer start(Map<String, String> settings);

    /** SQL for the value of a setting in a session. */
    abstract String valueOf(String setting);

    /** The settings that make commits durable, with their required values. */
    abstract Map<String, String> durable();

    /** One of those settings, with a value that is not durable. */
    abstract Map<String, String> notDurable();

    @BeforeAll
    void startServer() {
        server = start(Map.of());
    }

    @AfterAll
    void closeServer() {
        server.close();
    }

    @Test
    void answers() throws SQLException {
        assertThat(ask(server, "SELECT 1")).isEqualTo("1");
    }

    @Test
    void isDurable() throws SQLException {
        for (Map.Entry<String, String> setting : durable().entrySet()) {
            assertThat(ask(server, valueOf(setting.getKey()))).isEqualTo(setting.getValue());
        }
    }

    @Test
    void refusesToBeAnythingElse() {
        String setting = notDurable().keySet().iterator().next();

        assertThatIllegalStateException()
                .isThrownBy(() -> start(notDurable()))
                .withMessageContaining("%s=%s", setting, notDurable().get(setting));
    }

    @Test
    void takesSettingsButNotItsPort() throws SQLException {
        try (DatabaseServer small = start(Map.of("max_connections", "23"))) {
            assertThat(ask(small, valueOf("max_connections"))).isEqualTo("23");
        }
        assertThatIllegalArgumentException().isThrownBy(() -> start(Map.of("port", "20000")));
    }

    @Test
    void reportsWhyItDoesNotStart() {
        assertThatIllegalStateException()
                .isThrownBy(() -> start(Map.of("no_such_setting", "1")))
                .withMessageContaining("no_such_setting");
    }

    @Test
    void wantsThePassword() {
        assertThatThrownBy(() -> DriverManager.getConnection(server.jdbcUrl(), server.user(), "wrong"))
                .isInstanceOf(SQLException.class);
    }

    @Test
    void createsDatabases() throws SQLException {
        String url = server.createDatabase("another_one");

        execute(server, url, "CREATE TABLE here (id INT)");
        assertThat(ask(server, url, "SELECT count(*) FROM here")).isEqualTo("0");
        assertThatIllegalArgumentException().isThrownBy(() -> server.createDatabase("a; DROP DATABASE another_one"));
    }

    @Test
    void keepsWhatItCommittedThroughKillAndRestart() throws SQLException {
        execute(server, server.jdbcUrl(), "CREATE TABLE kept (id INT)");
        execute(server, server.jdbcUrl(), "INSERT INTO kept VALUES (42)");
        long killed = server.pid();

        server.kill();
        assertThatThrownBy(() -> connect(server, server.jdbcUrl())).isInstanceOf(SQLException.class);
        server.restart();

        assertThat(server.pid()).isNotEqualTo(killed);
        assertThat(ask(server, "SELECT id FROM kept")).isEqualTo("42");
    }

    @Test
    void isKilledWithAllItsChildren() throws SQLException {
        try (Connection client = connect(server, server.jdbcUrl())) {
            assertThat(client.isValid(1)).isTrue();
            ProcessTree tree = treeOf(server);

            server.kill();

            assertThat(tree.isGone()).isTrue();
            assertThat(client.isValid(1)).isFalse();
        }
        server.restart();
    }

    @Test
    void restartsAlsoFromRunning() throws SQLException {
        server.restart();

        assertThat(ask(server, "SELECT 1")).isEqualTo("1");
    }

    @Test
    void leavesNothingBehindWhenClosed() throws SQLException {
        DatabaseServer second = start(Map.of());
        ProcessTree tree = treeOf(second);
        Path data = second.dataDirectory();
        assertThat(second.port()).isNotEqualTo(server.port());
        assertThat(data).isNotEqualTo(server.dataDirectory()).isDirectory();

        // A connected client must not keep the server from closing.
        try (Connection client = connect(second, second.jdbcUrl())) {
            assertThat(client.isValid(1)).isTrue();
            second.close();
        }

        assertThat(tree.isGone()).isTrue();
        assertThat(data.getParent()).doesNotExist();
        assertThatIllegalStateException().isThrownBy(second::restart);
        assertThat(ask(server, "SELECT 1")).isEqualTo("1");
    }

    private static ProcessTree treeOf(DatabaseServer server) {
        return ProcessTree.of(ProcessHandle.of(server.pid()).orElseThrow());
    }

    private static String ask(DatabaseServer server, String question) throws SQLException {
        return ask(server, server.jdbcUrl(), question);
    }

    private static String ask(DatabaseServer server, String url, String question) throws SQLException {
        try (Connection connection = connect(server, url);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(question)) {
            assertThat(rows.next()).isTrue();
            return rows.getString(1);
        }
    }

    private static void execute(DatabaseServer server, String url, String sql) throws SQLException {
        try (Connection connection = connect(server, url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static Connection connect(DatabaseServer server, String url) throws SQLException {
        return DriverManager.getConnection(url, server.user(), server.password());
    }
}
