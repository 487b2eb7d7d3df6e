// SPDX-License-Identifier: Apache-2.0
package dev.semel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.testservers.DatabaseServer;
import dev.semel.testservers.MariaDbServer;
import dev.semel.testservers.PostgresServer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;

/** The server does not start on an unsuitable database. One line says why and what to do. */
class SchemaStartTest {
    private static final AtomicInteger COUNT = new AtomicInteger();

    @TempDir
    Path folder;

    private final StringWriter err = new StringWriter();
    private String url;
    private String user = "";
    private String password = "";

    enum Kind {
        POSTGRESQL,
        MARIADB,
        SQLITE
    }

    @ParameterizedTest
    @CsvSource({
        "POSTGRESQL, idempotency_keys",
        "POSTGRESQL, events",
        "POSTGRESQL, calls",
        "MARIADB, idempotency_keys",
        "MARIADB, events",
        "MARIADB, calls",
        "SQLITE, idempotency_keys",
        "SQLITE, events",
        "SQLITE, calls"
    })
    void anotherApplicationsTable(Kind kind, String table) throws Exception {
        database(kind);
        execute("CREATE TABLE %s (n INTEGER)".formatted(table));

        assertThat(serve()).isEqualTo(2);
        assertThat(err.toString().strip())
                .hasLineCount(1)
                .startsWith("semel: The database ")
                .contains("The table %s already exists".formatted(table), "of its own")
                .doesNotContain("Check that it is running", "Exception");
        assertThat(tables()).as("a rejected database stays unchanged").containsExactly(table);
    }

    @ParameterizedTest
    @EnumSource
    void theUniqueIndexOfCallEventsIsMissing(Kind kind) throws Exception {
        database(kind);
        InProcessServer.in(
                        folder,
                        "",
                        Map.of(
                                "SEMEL_DATABASE_URL",
                                url,
                                "SEMEL_DATABASE_USER",
                                user,
                                "SEMEL_DATABASE_PASSWORD",
                                password))
                .close();
        execute("DROP INDEX calls_site_signature_hash_uq" + (kind == Kind.MARIADB ? " ON calls" : ""));

        assertThat(serve()).isEqualTo(2);
        assertThat(err.toString().strip())
                .hasLineCount(1)
                .contains("CREATE UNIQUE INDEX calls_site_signature_hash_uq ON calls (site_id, signature_hash)")
                .doesNotContain("Check that it is running", "Exception");
    }

    @Test
    void aStandbyIsCalledReadOnly() throws Exception {
        database(Kind.POSTGRESQL);
        String name = url.replaceFirst(".*/", "").replaceFirst("\\?.*", "");
        execute("ALTER DATABASE %s SET default_transaction_read_only = on".formatted(name));

        assertThat(serve()).isEqualTo(2);
        assertThat(err.toString().strip())
                .hasLineCount(1)
                .contains("is read-only", "Connect to the primary")
                .doesNotContain("Check that it is running", "Exception");
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void theUserIsUnknown(Kind kind) throws Exception {
        database(kind);
        user = "nobody";
        password = "nothing";

        assertThat(serve()).isEqualTo(2);
        assertThat(err.toString().strip())
                .hasLineCount(1)
                .contains("refuses the user or the password (SQLState 28", "SEMEL_DATABASE_PASSWORD")
                .doesNotContain("Check that it is running", "Exception", "nothing");
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void theDatabaseDoesNotExist(Kind kind) throws Exception {
        database(kind);
        url = url.replace("schema_start_", "absent_");

        assertThat(serve()).isEqualTo(2);
        assertThat(err.toString().strip())
                .hasLineCount(1)
                .contains("/absent_", "does not exist (SQLState ", "Create it, or correct --database-url")
                .doesNotContain("Check that it is running", "Exception");
    }

    @Test
    void theUserHasNoRightsOnTheDatabase() throws Exception {
        database(Kind.MARIADB);
        execute("CREATE USER visitor IDENTIFIED BY 'visitor'");
        user = "visitor";
        password = "visitor";

        assertThat(serve()).isEqualTo(2);
        assertThat(err.toString().strip())
                .hasLineCount(1)
                .contains("refuses this user (SQLState 42000)", "Grant the user all rights")
                .doesNotContain("Check that it is running", "Exception");
    }

    private void database(Kind kind) {
        if (kind == Kind.SQLITE) {
            url = "jdbc:sqlite:" + folder.resolve("app.db");
            return;
        }
        DatabaseServer server = kind == Kind.POSTGRESQL ? PostgresServer.shared() : MariaDbServer.shared();
        url = server.createDatabase("schema_start_" + COUNT.incrementAndGet());
        user = server.user();
        password = server.password();
    }

    private void execute(String sql) throws Exception {
        try (Connection connection = DriverManager.getConnection(url, user, password);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private List<String> tables() throws Exception {
        List<String> tables = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection(url, user, password);
                ResultSet rows = connection
                        .getMetaData()
                        .getTables(connection.getCatalog(), connection.getSchema(), "%", new String[] {
                            "TABLE", "BASE TABLE"
                        })) {
            while (rows.next()) {
                tables.add(rows.getString("TABLE_NAME"));
            }
        }
        return tables;
    }

    private int serve() throws Exception {
        Path config = Files.writeString(folder.resolve("start.yml"), """
                database:
                  url: "%s"
                  user: "%s"
                  password: "%s"
                """.formatted(
                        url, user.isEmpty() ? "nobody" : user, password.isEmpty() ? "nothing" : password));
        return Main.run(
                new CommandLine(new Main())
                        .setOut(new PrintWriter(new StringWriter(), true))
                        .setErr(new PrintWriter(err, true)),
                "serve",
                "--port",
                "0",
                "--data-dir",
                folder.resolve("data").toString(),
                "--config",
                config.toString());
    }
}
