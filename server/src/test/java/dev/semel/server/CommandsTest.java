// SPDX-License-Identifier: Apache-2.0
package dev.semel.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.server.config.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands migrate, cleanup, token and backup, each on a real database. */
class CommandsTest {
    private static final String CLAIM = "{\"scope\":\"s\",\"key\":\"%s\"}";

    private static final String PRODUCTION = "server: {production: true}\nsecret: " + "0123456789abcdef".repeat(4);

    @TempDir
    Path folder;

    @Test
    void aServerThatMayNotMigrateNeedsTheCommand() {
        String data = folder.resolve("data").toString();
        CommandRun refused = CommandRun.of("serve", "--port", "0", "--data-dir", data, "--no-migrate");
        assertThat(refused.exit()).isEqualTo(2);
        assertThat(refused.err().strip()).hasLineCount(1).contains("semel migrate");

        assertThat(CommandRun.of("migrate", "--data-dir", data, "--json").text("status"))
                .isEqualTo("current");
        assertThat(CommandRun.of("migrate", "--data-dir", data).exit())
                .as("again")
                .isZero();

        try (InProcessServer server = InProcessServer.in(folder, "server: {migrate: false}", Map.of())) {
            assertThat(server.post("/v1/claims", CLAIM.formatted("a")).status()).isEqualTo(201);
        }
    }

    @Test
    void theStatementsArePrintedAndSuffice() throws Exception {
        CommandRun printed = CommandRun.of(
                "migrate", "--print", "--data-dir", folder.resolve("data").toString());

        assertThat(printed.exit()).isZero();
        assertThat(folder.resolve("data")).doesNotExist();
        Files.createDirectories(folder.resolve("data"));
        // One connection, because a pragma of the statements holds for its connection.
        execute(folder.resolve("data/semel.db"), printed.out().split(";\\s*(\\n\\s*\\n|$)"));
        try (InProcessServer server = InProcessServer.in(folder, "server: {migrate: false}", Map.of())) {
            assertThat(server.post("/v1/claims", CLAIM.formatted("a")).status()).isEqualTo(201);
        }
    }

    @Test
    void expiredClaimsAreCountedThenDeleted() throws Exception {
        try (InProcessServer server = InProcessServer.in(folder)) {
            for (int i = 0; i < 3; i++) {
                InProcessServer.Reply claim = server.post("/v1/claims", CLAIM.formatted("k" + i));
                server.post(
                        "/v1/claims/%s/succeed".formatted(claim.text("claim_id")),
                        "{\"token\":\"%s\"}".formatted(claim.text("token")));
            }
        }
        String data = folder.resolve("data").toString();
        execute(folder.resolve("data/semel.db"), "UPDATE idempotency_keys SET completed_at = 1, due_at = 1");

        assertThat(CommandRun.of("cleanup", "--dry-run", "--data-dir", data, "--json")
                        .text("due"))
                .startsWith("{\"claims\":3,");
        assertThat(CommandRun.of("cleanup", "--data-dir", data, "--json").text("report"))
                .startsWith("{\"claims\":3,");
        assertThat(CommandRun.of("cleanup", "--data-dir", data).out()).contains("rows", "0");
    }

    @Test
    void aTokenOpensTheServerAndWasNotStored() throws IOException {
        CommandRun created =
                CommandRun.of("token", "create", "--tenant", "acme", "--actor", "ops", "--role", "operator");
        assertThat(created.exit()).isZero();
        String token = created.out().lines().findFirst().orElseThrow();
        String yaml = created.out().substring(created.out().indexOf("tokens:"));

        try (InProcessServer server = InProcessServer.in(folder, yaml + PRODUCTION, Map.of())) {
            String url = "http://127.0.0.1:" + server.port();
            assertThat(CommandRun.of("keys", "list", "--url", url, "--token", token)
                            .exit())
                    .isZero();
            CommandRun refused = CommandRun.of("keys", "list", "--url", url, "--token", token + "x");
            assertThat(refused.exit()).isEqualTo(1);
            assertThat(refused.err()).contains("401", "SEMEL_TOKEN").doesNotContain(token);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\"b", "", "a\nb"})
    void namesThatYamlCouldMisreadAreRefused(String name) {
        assertThat(CommandRun.of("token", "create", "--tenant", name, "--actor", "ops")
                        .exit())
                .isEqualTo(2);
        assertThat(CommandRun.of("token", "create", "--tenant", "a", "--actor", "b", "--role", "root")
                        .exit())
                .isEqualTo(2);
    }

    @Test
    void aTokenOfSeveralTenantsNeedsTheName() throws IOException {
        CommandRun created = CommandRun.of("token", "create", "--tenant", "north,south", "--actor", "ops");
        String token = created.out().lines().findFirst().orElseThrow();
        String yaml = created.out().substring(created.out().indexOf("tokens:"));
        assertThat(CommandRun.of("token", "create", "--tenant", "*", "--actor", "ops")
                        .out())
                .contains("tenants: [\"*\"]");

        try (InProcessServer server = InProcessServer.in(folder, yaml + PRODUCTION, Map.of())) {
            String url = "http://127.0.0.1:" + server.port();
            CommandRun refused = CommandRun.of("keys", "list", "--url", url, "--token", token);
            assertThat(refused.err()).contains("several tenants", "Set --tenant");
            assertThat(CommandRun.of("keys", "list", "--url", url, "--token", token, "--tenant", "south")
                            .exit())
                    .isZero();
        }
    }

    @Test
    void aBackupOfARunningServerIsRestored() throws IOException {
        Path copy = folder.resolve("copy.db");
        try (InProcessServer server = InProcessServer.in(folder)) {
            assertThat(server.post("/v1/claims", CLAIM.formatted("before")).status())
                    .isEqualTo(201);
            CommandRun backup = CommandRun.of(
                    "backup",
                    copy.toString(),
                    "--data-dir",
                    folder.resolve("data").toString());
            assertThat(backup.exit()).as(backup.err()).isZero();
            assertThat(server.post("/v1/claims", CLAIM.formatted("after")).status())
                    .isEqualTo(201);
        }
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(copy)))
                .isEqualTo("rw-------");
        Path restored = Files.createDirectories(folder.resolve("restored/data"));
        Files.copy(copy, restored.resolve("semel.db"));
        Files.copy(folder.resolve("data/secret"), restored.resolve("secret"));
        try (InProcessServer server = InProcessServer.in(folder.resolve("restored"))) {
            assertThat(server.post("/v1/claims", CLAIM.formatted("before")).status())
                    .as("still claimed")
                    .isEqualTo(202);
            assertThat(server.post("/v1/claims", CLAIM.formatted("after")).status())
                    .as("claimed after the backup")
                    .isEqualTo(201);
        }
    }

    /** Such a name is read as options of SQLite, so that another file would be checked than the copy. */
    @Test
    void aBackupNeedsAPlainName() {
        String data = folder.resolve("data").toString();
        CommandRun.of("migrate", "--data-dir", data);

        CommandRun refused =
                CommandRun.of("backup", folder.resolve("copy?cache=shared").toString(), "--data-dir", data);

        assertThat(refused.exit()).isEqualTo(2);
        assertThat(refused.err()).contains("question mark");
        assertThat(folder.resolve("copy")).doesNotExist();
        assertThat(folder.resolve("copy?cache=shared")).doesNotExist();
    }

    @Test
    void namesThatCannotBeStoredAreReportedInOneLine() {
        String data = folder.resolve("data").toString();
        CommandRun.of("migrate", "--data-dir", data);

        for (String tenant : new String[] {"", "a\u001bb", "a".repeat(256)}) {
            CommandRun refused = CommandRun.of("keys", "list", "--data-dir", data, "--tenant", tenant);
            assertThat(refused.exit()).isEqualTo(1);
            assertThat(refused.err().strip()).hasLineCount(1).startsWith("semel: A tenant must");
        }
    }

    /** A new secret would find no claim, and work that is done would run again. */
    @Test
    void aBackupIsNotServedWithoutItsSecret() throws IOException {
        try (InProcessServer server = InProcessServer.in(folder)) {
            assertThat(server.post("/v1/claims", CLAIM.formatted("before")).status())
                    .isEqualTo(201);
        }
        Path data = folder.resolve("data");
        Path kept = Files.move(data.resolve("secret"), folder.resolve("kept"));

        assertThatThrownBy(() -> InProcessServer.in(folder))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("Restore the file `secret`");
        assertThat(data.resolve("secret")).doesNotExist();
        CommandRun doctor = CommandRun.of("doctor", "--data-dir", data.toString());
        assertThat(doctor.exit()).isEqualTo(1);
        assertThat(doctor.out()).contains("error secret.claims", "1 claims");

        Files.move(kept, data.resolve("secret"));
        assertThat(CommandRun.of("doctor", "--data-dir", data.toString()).exit())
                .isZero();
        try (InProcessServer server = InProcessServer.in(folder)) {
            assertThat(server.post("/v1/claims", CLAIM.formatted("before")).status())
                    .as("still claimed")
                    .isEqualTo(202);
        }
    }

    @Test
    void aBackupReplacesNothing() throws IOException {
        String data = folder.resolve("data").toString();
        CommandRun.of("migrate", "--data-dir", data);
        Path taken = Files.writeString(folder.resolve("taken"), "precious");

        assertThat(CommandRun.of("backup", taken.toString(), "--data-dir", data).err())
                .contains("exists already");
        assertThat(taken).hasContent("precious");
        assertThat(CommandRun.of("backup", folder.resolve("no/such").toString(), "--data-dir", data)
                        .exit())
                .isEqualTo(1);
        assertThat(CommandRun.of("backup", "x", "--database-url", "jdbc:postgresql://127.0.0.1:1/x")
                        .err())
                .contains("pg_dump");
    }

    @Test
    void everyCommandExplainsItself() {
        assertThat(CommandRun.of("--help").out())
                .contains(
                        "serve",
                        "migrate",
                        "keys",
                        "cleanup",
                        "token",
                        "backup",
                        "doctor",
                        "Exit codes",
                        "2   wrong usage");
        for (String command : new String[] {"migrate", "cleanup", "backup", "doctor"}) {
            assertThat(CommandRun.of(command, "--help").out()).contains("--json", "Exit codes", "--data-dir");
        }
        assertThat(CommandRun.of("keys", "succeed", "--help").out()).contains("--fence", "--result-file", "--json");
        assertThat(CommandRun.of("kyes").exit()).isEqualTo(2);
        assertThat(CommandRun.of("keys").exit()).isEqualTo(2);
    }

    private static void execute(Path file, String... all) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement()) {
            for (String sql : all) {
                if (!sql.isBlank()) {
                    statement.execute(sql);
                }
            }
        }
    }
}
