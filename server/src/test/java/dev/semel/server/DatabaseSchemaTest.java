// SPDX-License-Identifier: Apache-2.0
package dev.semel.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.jdbc.Schema;
import dev.semel.journal.Journal;
import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonArray;
import dev.semel.server.config.ConfigException;
import dev.semel.testservers.PostgresServer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The setting database.schema: everything that Semel stores is in this schema of PostgreSQL. */
class DatabaseSchemaTest {
    private static final String CLAIM = "{\"scope\":\"s\",\"key\":\"k\"}";
    private static final String LEDGER =
            "{\"idempotency_key\":\"k\",\"event\":{\"org_id\":\"default\",\"event_type\":\"paid\"}}";
    private static final PostgresServer DATABASE = PostgresServer.shared();

    /** Each test has its own schemas in it. */
    private static final String URL = DATABASE.createDatabase("schemas");

    @TempDir
    Path folder;

    @Test
    void serversInTwoSchemasDoNotSeeEachOther() throws Exception {
        try (InProcessServer north = server("north", "");
                InProcessServer south = server("south", "")) {
            for (InProcessServer server : List.of(north, south)) {
                assertThat(server.post("/v1/claims", CLAIM).status())
                        .as("claimed")
                        .isEqualTo(201);
                assertThat(server.post("/v1/claims", CLAIM).status())
                        .as("in progress")
                        .isEqualTo(202);
                assertThat(server.post("/api/ledger/ingest", LEDGER).status()).isEqualTo(201);
                assertThat(server.post("/webhooks/stripe", "{\"id\":\"evt_1\"}").text("status"))
                        .isEqualTo("processed");
                assertThat(size(server.get("/v1/inbox").member("events"))).isEqualTo(1);
                assertThat(size(server.get("/api/ledger/events?org_id=default").member("events")))
                        .isEqualTo(1);
                assertThat(server.post("/v1/cleanup", "{}").status()).isEqualTo(200);
            }
        }
        assertThat(rows("SELECT tablename FROM pg_tables WHERE schemaname = 'public'"))
                .as("nothing is elsewhere")
                .isEmpty();
        assertThat(rows("SELECT count(*) FROM north.idempotency_keys"))
                .isEqualTo(rows("SELECT count(*) FROM south.idempotency_keys"))
                .isNotEqualTo(List.of("0"));
    }

    @Test
    void allCommandsWorkInTheSchema() throws Exception {
        String config = config("west").toString();
        CommandRun refused = CommandRun.of("serve", "--no-migrate", "--port", "0", "--config", config);
        assertThat(refused.exit()).isEqualTo(2);
        assertThat(refused.err()).contains("semel migrate");

        List<CompletableFuture<CommandRun>> migrations = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            migrations.add(CompletableFuture.supplyAsync(() -> CommandRun.of("migrate", "--config", config)));
        }
        assertThat(migrations)
                .allSatisfy(run ->
                        assertThat(run.join().exit()).as(run.join().err()).isZero());

        try (InProcessServer server = server("west", "server: {migrate: false}\n")) {
            assertThat(server.post("/v1/claims", CLAIM).status()).isEqualTo(201);
        }
        CommandRun list = CommandRun.of("keys", "list", "--json", "--config", config, "--database-url", URL);
        assertThat(size(list.json().member("keys").orElseThrow())).isEqualTo(1);
        assertThat(CommandRun.of("cleanup", "--config", config, "--database-url", URL)
                        .exit())
                .isZero();
        CommandRun elsewhere = CommandRun.of(
                "keys", "list", "--config", config, "--database-url", URL, "--database-schema", "nowhere");
        assertThat(elsewhere.exit()).isEqualTo(2);
        assertThat(elsewhere.err()).contains("semel migrate");
    }

    @Test
    void theDoctorsFixesNameTheSchema() throws Exception {
        String config = config("east").toString();
        assertThat(CommandRun.of("migrate", "--config", config).exit()).isZero();
        assertThat(CommandRun.of("doctor", "--config", config).exit()).isZero();
        for (String index : List.of("calls_site_signature_hash_uq", "idempotency_keys_due_idx")) {
            execute("DROP INDEX east." + index);
            CommandRun found = CommandRun.of("doctor", "--config", config);
            assertThat(found.out()).contains(index);
            String fix = found.out().replaceFirst("(?s).*(SET search_path TO east; CREATE [^;]*;).*", "$1");

            execute(fix);

            assertThat(CommandRun.of("doctor", "--config", config).out()).doesNotContain(index);
        }
    }

    @Test
    void thePrintedStatementsSuffice() throws Exception {
        CommandRun printed = CommandRun.of(
                "migrate", "--print", "--config", config("printed").toString());
        assertThat(printed.out()).startsWith("CREATE SCHEMA IF NOT EXISTS printed;");
        // The migration runs in transactions, and SET LOCAL needs one.
        execute("BEGIN; " + printed.out() + " COMMIT;");

        try (InProcessServer server = server("printed", "server: {migrate: false}\n")) {
            assertThat(server.post("/v1/claims", CLAIM).status()).isEqualTo(201);
            assertThat(server.post("/webhooks/stripe", "{\"id\":\"evt_1\"}").text("status"))
                    .isEqualTo("processed");
        }
    }

    @Test
    void rowLevelSecurityCanBeAddedInTheSchema() throws Exception {
        assertThat(CommandRun.of("migrate", "--config", config("secured").toString())
                        .exit())
                .isZero();
        execute("SET search_path TO secured; " + rowLevelSecurity(Schema.class) + rowLevelSecurity(Journal.class));

        assertThat(rows("SELECT DISTINCT schemaname FROM pg_policies")).containsExactly("secured");
        try (InProcessServer server = server("secured", "")) {
            assertThat(server.post("/v1/claims", CLAIM).status()).isEqualTo(201);
        }
    }

    @Test
    void aUserWithoutTheRightToCreateASchemaNeedsAnExistingOne() throws Exception {
        String user = "limited_in_schema";
        execute("CREATE ROLE %s LOGIN PASSWORD '%s'".formatted(user, "word"));
        Path config = Files.writeString(
                folder.resolve("limited.yml"),
                "database: {url: \"%s\", user: %s, password: word, schema: granted}\nserver: {data_dir: \"%s\"}\n"
                        .formatted(URL, user, folder.resolve("data")));
        CommandRun refused = CommandRun.of("migrate", "--config", config.toString());
        assertThat(refused.exit()).isEqualTo(2);
        assertThat(refused.err()).contains("The schema granted", "CREATE SCHEMA granted AUTHORIZATION", "42501");

        execute("CREATE SCHEMA granted AUTHORIZATION " + user);

        CommandRun migrated = CommandRun.of("migrate", "--config", config.toString());
        assertThat(migrated.exit()).as(migrated.err()).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a;drop schema public",
                "Upper",
                "1st",
                "a-b",
                "a.b",
                "a\"b",
                "a b",
                "a,public",
                "pg_catalog",
                "pg_temp",
                "information_schema",
                "ä",
                "x123456789x123456789x123456789x123456789x123456789x123456789x123"
            })
    void otherNamesAreRefused(String name) {
        assertThatThrownBy(() -> InProcessServer.in(folder, "database: {schema: '%s'}".formatted(name), environment()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("database.schema) must have 1 to 63");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "jdbc:sqlite:data/semel.db | name another file",
                "jdbc:mariadb://127.0.0.1/semel | name another database in the URL",
                "jdbc:mysql://127.0.0.1/semel | name another database in the URL",
                "jdbc:postgresql://127.0.0.1/semel?currentSchema=b | remove one of them",
                "jdbc:postgresql://127.0.0.1/semel?options=-c%20search_path=b | remove one of them"
            })
    void otherDatabasesAreRefused(String other, String said) {
        CommandRun run = CommandRun.of("migrate", "--database-url", other, "--database-schema", "a");
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains("database.schema", said);
    }

    private InProcessServer server(String schema, String more) throws IOException {
        Path own = Files.createDirectories(folder.resolve(schema));
        return InProcessServer.in(
                own,
                "database: {schema: %s}\nsecret: 0123456789abcdef0123456789abcdef\n%s".formatted(schema, more),
                environment());
    }

    private Map<String, String> environment() {
        return Map.of(
                "SEMEL_DATABASE_URL",
                URL,
                "SEMEL_DATABASE_USER",
                DATABASE.user(),
                "SEMEL_DATABASE_PASSWORD",
                DATABASE.password());
    }

    private Path config(String schema) throws IOException {
        return Files.writeString(folder.resolve(schema + ".yml"), """
                server: {data_dir: "%s"}
                secret: 0123456789abcdef0123456789abcdef
                database: {url: "%s", user: %s, password: "%s", schema: %s}
                """.formatted(
                        folder.resolve("data"), URL, DATABASE.user(), DATABASE.password(), schema));
    }

    private static int size(Json rows) {
        return ((JsonArray) rows).elements().size();
    }

    private static String rowLevelSecurity(Class<?> anchor) throws IOException {
        try (InputStream file = anchor.getResourceAsStream("postgresql/option_row_level_security.sql")) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8) + "\n";
        }
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(URL, DATABASE.user(), DATABASE.password());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private List<String> rows(String sql) throws SQLException {
        List<String> all = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection(URL, DATABASE.user(), DATABASE.password());
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                all.add(rows.getString(1));
            }
        }
        return all;
    }
}
