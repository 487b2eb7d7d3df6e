// SPDX-License-Identifier: Apache-2.0
package dev.semel.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.server.config.ConfigException;
import dev.semel.server.config.Setting;
import dev.semel.server.config.SettingsReader;
import dev.semel.server.doctor.Doctor;
import dev.semel.server.doctor.Finding;
import dev.semel.server.http.HttpRoute;
import dev.semel.server.http.Routes;
import dev.semel.testservers.DynamoServer;
import dev.semel.testservers.FreePort;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The server and its commands on a table in DynamoDB. The acceptance tests run more on it. */
class OnDynamoDbTest {
    static {
        // The SDK finds them here. Only the other tests of this class use the SDK.
        System.setProperty("aws.accessKeyId", "anyKey");
        System.setProperty("aws.secretAccessKey", "anySecret");
    }

    @TempDir
    Path folder;

    private final String table = "server_" + UUID.randomUUID();

    private String url() {
        return url(DynamoServer.shared().endpoint().toString());
    }

    private String url(String endpoint) {
        return "dynamodb://eu-central-1/%s?endpoint=%s".formatted(table, endpoint);
    }

    private CommandRun run(String... command) {
        List<String> all = new java.util.ArrayList<>(List.of(command));
        all.addAll(List.of("--database-url", url()));
        return CommandRun.of(all.toArray(String[]::new));
    }

    private Set<String> routes(Map<Setting, String> more) {
        Map<Setting, String> options = new java.util.HashMap<>(more);
        options.put(Setting.PORT, "0");
        options.put(Setting.DATA_DIR, folder.resolve("data").toString());
        Routes routes = new Routes();
        try (SemelServer server = SemelServer.start(SettingsReader.read(options, Optional.empty(), Map.of()))) {
            server.resources().forEach(resource -> resource.addTo(routes));
        }
        Set<String> all = new TreeSet<>();
        for (HttpRoute route : routes.all()) {
            all.add("%s %s %s".formatted(route.method(), route.path(), route.access()));
        }
        return all;
    }

    /** A route that cannot be served is not missing: it says why. */
    @Test
    void everyRouteOfAnSqlServerHasAnAnswer() {
        assertThat(run("migrate").exit()).isZero();

        Set<String> served = routes(Map.of(Setting.DATABASE_URL, url()));

        assertThat(served).hasSizeGreaterThan(60).containsExactlyElementsOf(routes(Map.of()));
    }

    @Test
    void theTableIsCreatedByMigrateOnly() {
        CommandRun refused = CommandRun.of("serve", "--port", "0", "--database-url", url());
        assertThat(refused.exit()).isEqualTo(2);
        assertThat(refused.err())
                .contains(
                        "The table " + table + " does not exist in eu-central-1",
                        "semel migrate --database-url " + url());

        CommandRun created = run("migrate", "--json");
        assertThat(created.text("status")).isEqualTo("current");
        assertThat(created.text("done")).contains("create the table " + table);
        assertThat(run("migrate").out()).contains("is current").doesNotContain("Done");
        assertThat(run("migrate", "--print").out()).contains("AWS::DynamoDB::Table");
        try (InProcessServer server = server()) {
            assertThat(server.post("/v1/claims", "{\"scope\":\"s\",\"key\":\"k\"}")
                            .status())
                    .isEqualTo(201);
        }
    }

    private InProcessServer server() {
        return InProcessServer.in(folder, "", Map.of(Setting.DATABASE_URL.variable(), url()));
    }

    @Test
    void commandsWorkOrSayWhatToUseInstead() {
        assertThat(run("migrate").exit()).isZero();

        assertThat(run("cleanup").out()).contains("claims");
        CommandRun backup = run("backup", folder.resolve("copy.db").toString());
        assertThat(backup.exit()).isEqualTo(2);
        assertThat(backup.err()).contains("point-in-time recovery of DynamoDB");
        assertThat(folder.resolve("copy.db")).doesNotExist();
    }

    @Test
    void theDoctorChecksTheTable() {
        assertThat(findings(url())).extracting(Finding::check).contains("database", "secret");
        assertThat(run("migrate").exit()).isZero();
        assertThat(findings(url()))
                .extracting(Finding::check)
                .containsExactlyInAnyOrder("secret", "dynamodb.deletion_protection");
        assertThat(findings("dynamodb://eu-central-1/abc?endpoint=http://dynamodb.invalid:8000"))
                .extracting(Finding::check)
                .contains("dynamodb.endpoint", "database");
    }

    private List<Finding> findings(String url) {
        return new Doctor(
                        SettingsReader.readForTools(
                                Map.of(Setting.DATABASE_URL, url, Setting.DATA_DIR, folder.toString()),
                                Optional.empty(),
                                Map.of()),
                        Clock.systemUTC())
                .findings();
    }

    @Test
    void aServerThatCannotReachItsTableSaysWhy() {
        assertThatThrownBy(() -> start(url("http://127.0.0.1:" + FreePort.choose())))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("does not answer (");
        assertThatThrownBy(() -> start("dynamodb://eu-centrall-1/abc?endpoint=http://dynamodb.invalid"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("did you mean eu-central-1?");
    }

    private void start(String url) {
        SemelServer.start(SettingsReader.read(
                        Map.of(
                                Setting.PORT,
                                "0",
                                Setting.DATA_DIR,
                                folder.resolve("data").toString(),
                                Setting.DATABASE_URL,
                                url),
                        Optional.empty(),
                        Map.of()))
                .close();
    }

    @Test
    void theSettingsAreShownWithoutWhatIsForSql() {
        CommandRun printed = run("serve", "--print-config");
        assertThat(printed.exit()).isZero();
        assertThat(printed.out()).contains("url: " + url()).doesNotContain("pool_size", "anySecret");
    }
}
