// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The start of the server, from the command line to the banner, and its end after SIGTERM. */
@BlackBox
class StartTest {
    @TempDir
    Path folder;

    @Test
    void startsWithoutSettingsAndPrintsHowToUseIt() throws IOException {
        try (SemelProcess server = SemelProcess.start(Launch.in(folder.resolve("data")))) {
            String banner = server.output();
            assertThat(banner)
                    .contains("http://127.0.0.1:" + server.port())
                    .contains("curl ")
                    .contains(folder.resolve("data").toString())
                    .containsIgnoringCase("development");
            assertThat(Client.exchange(server.uri() + "/health", Ask.get("/health"))
                            .status())
                    .isEqualTo(200);
            assertThat(Database.embedded(server.data())).isNotNull();
        }
    }

    @Test
    void keepsItsSecretToItself() throws IOException {
        Path data = folder.resolve("data");
        JsonObject body = new JsonObject().put("scope", "s").put("inputs", Marks.text("in"));
        try (SemelProcess server = SemelProcess.start(Launch.in(data))) {
            Caller caller = caller(server);
            Claims.succeed(caller, Claims.granted(caller, body), new JsonObject().put("ok", true));
            try (Stream<Path> files = Files.list(data)) {
                List<Path> secrets = files.filter(
                                file -> file.getFileName().toString().contains("secret"))
                        .toList();
                assertThat(secrets).hasSize(1);
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(secrets.get(0))))
                        .isEqualTo("rw-------");
                assertThat(server.output())
                        .doesNotContain(Files.readString(secrets.get(0)).strip());
            }
            assertThat(server.terminate()).isZero();
            server.start();
            assertThat(Claims.claim(caller, body).get("status"))
                    .as("found again, because the secret is the same")
                    .isEqualTo("succeeded");
        }
    }

    @Test
    void takesItsOptionsFromTheEnvironmentToo() {
        Launch launch = Launch.in(folder.resolve("data"))
                .withVariable("SEMEL_PORT", "0")
                .withVariable("SEMEL_HOST", "127.0.0.1")
                .withVariable("SEMEL_DATA_DIR", folder.resolve("data").toString());
        try (SemelProcess server = SemelProcess.start(launch)) {
            assertThat(Database.embedded(server.data())).isNotNull();
        }
    }

    @Test
    void preferstheCommandLineToTheEnvironmentToTheFile() throws IOException {
        Path file = Files.writeString(folder.resolve("semel.yml"), "server: {host: 127.0.0.1, port: 18081}\n");
        Launch launch = Launch.in(folder).with("--config", file.toString());
        assertThat(printed(launch)).contains("18081");
        Launch withVariable = launch.withVariable("SEMEL_PORT", "18082");
        assertThat(printed(withVariable)).contains("18082").doesNotContain("18081");
        assertThat(printed(withVariable.with("--port", "18083")))
                .contains("18083")
                .doesNotContain("18082")
                .doesNotContain("18081");
    }

    @Test
    void printsItsSettingsWithoutSecrets() throws IOException {
        String secret = Marks.text("idempotency-secret-of-more-than-32-bytes");
        String password = Marks.text("password");
        String site = Marks.text("site-secret");
        Path file = Files.writeString(folder.resolve("semel.yml"), """
                database: {url: "jdbc:postgresql://127.0.0.1:5432/semel", user: semel, password: "${SEMEL_DATABASE_PASSWORD}"}
                redis: {url: "redis://:%s@127.0.0.1:6379"}
                calls: {sites: {site-1: {secret: "%s", signing: required}}}
                """.formatted(password, site));
        String printed = printed(Launch.in(folder)
                .with("--config", file.toString())
                .withVariable("IDEMPOTENCY_SECRET", secret)
                .withVariable("IDEMPOTENCY_TTL_HOURS", "7")
                .withVariable("SEMEL_DATABASE_PASSWORD", password));
        assertThat(printed)
                .contains("jdbc:postgresql://127.0.0.1:5432/semel", "site-1", "7")
                .doesNotContain(secret, password, site);
    }

    private static String printed(Launch launch) {
        SemelProcess.Ended ended = SemelProcess.run(launch, "serve", "--print-config");
        assertThat(ended.exitCode()).as(ended.output()).isZero();
        return ended.output();
    }

    @Test
    void listsItsOptions() {
        SemelProcess.Ended ended = SemelProcess.run(Launch.in(folder), "serve", "--help");
        assertThat(ended.exitCode()).isZero();
        assertThat(ended.output())
                .contains(
                        "--port",
                        "--host",
                        "--data-dir",
                        "--database-url",
                        "--redis-url",
                        "--config",
                        "--print-port-file",
                        "--print-config",
                        "--production",
                        "SEMEL_PORT",
                        "SEMEL_HOST",
                        "SEMEL_DATA_DIR",
                        "SEMEL_DATABASE_URL",
                        "SEMEL_DATABASE_USER",
                        "SEMEL_DATABASE_PASSWORD",
                        "SEMEL_REDIS_URL",
                        "SEMEL_PRODUCTION");
    }

    @Test
    void namesAnUnknownSettingAndTheNearestOne() throws IOException {
        for (String[] wrong : new String[][] {
            {"servre: {port: 0}", "servre", "server"},
            {"server: {prot: 0}", "prot", "port"},
            {"calls: {site: {}}", "site", "sites"},
            {"calls: {sites: {a: {secrt: x}}}", "secrt", "secret"},
            {"database: {ulr: x}", "ulr", "url"},
            {"ledger: {on_mismach: reject}", "on_mismach", "on_mismatch"}
        }) {
            Path file = Files.writeString(folder.resolve("semel.yml"), wrong[0] + "\n");
            SemelProcess.Ended ended =
                    SemelProcess.refused(Launch.in(folder.resolve("data")).with("--config", file.toString()));
            assertThat(ended.exitCode()).as(ended.output()).isNotZero();
            assertThat(ended.output()).contains(wrong[1], wrong[2]).doesNotContain("\tat ");
        }
    }

    @Test
    void saysWhatIsWrongWithASetting() throws IOException {
        Path notYaml = Files.writeString(folder.resolve("semel.yml"), "server: {port: [\n");
        Launch launch = Launch.in(folder.resolve("data"));
        refused(launch.with("--config", notYaml.toString()), "semel.yml");
        refused(launch.with("--config", folder.resolve("absent.yml").toString()), "absent.yml");
        refused(launch.with("--prot", "0"), "--prot");
        refused(launch.withVariable("IDEMPOTENCY_TTL_HOURS", "soon"), "IDEMPOTENCY_TTL_HOURS");
        refused(launch.withVariable("STEP_DEDUP_TTL_HOURS", "-1"), "STEP_DEDUP_TTL_HOURS");
        refused(launch.withVariable("WEBHOOK_DEDUP_TTL_HOURS", "0"), "WEBHOOK_DEDUP_TTL_HOURS");
        String password = Marks.text("password");
        refused(
                launch.with("--database-url", "jdbc:oracle:thin:@x").withVariable("SEMEL_DATABASE_PASSWORD", password),
                "database");
    }

    @Test
    void saysThatThePortIsTaken() {
        try (SemelProcess first = SemelProcess.start(Launch.in(folder.resolve("first")))) {
            SemelProcess.Ended second = SemelProcess.run(
                    Launch.in(folder),
                    "serve",
                    "--port",
                    "" + first.port(),
                    "--data-dir",
                    folder.resolve("second").toString());
            assertThat(second.exitCode()).isNotZero();
            assertThat(second.output()).contains("" + first.port()).contains("--port");
        }
    }

    private static void refused(Launch launch, String named) {
        SemelProcess.Ended ended = SemelProcess.refused(launch);
        assertThat(ended.exitCode()).as(ended.output()).isNotZero();
        assertThat(ended.output()).contains(named).doesNotContain("\tat ");
    }

    @Test
    void listensOnLoopbackOnly() throws IOException {
        try (SemelProcess server = SemelProcess.start(Launch.in(folder.resolve("data")))) {
            for (NetworkInterface each : Collections.list(NetworkInterface.getNetworkInterfaces())) {
                for (InetAddress address : Collections.list(each.getInetAddresses())) {
                    if (address instanceof Inet4Address && !address.isLoopbackAddress()) {
                        assertThat(connects(address, server.port()))
                                .as("%s", address)
                                .isFalse();
                    }
                }
            }
            assertThat(connects(InetAddress.getLoopbackAddress(), server.port()))
                    .isTrue();
        }
    }

    private static boolean connects(InetAddress address, int port) {
        try (Socket socket = new Socket(address, port)) {
            return socket.isConnected();
        } catch (IOException refused) {
            return false;
        }
    }

    @Test
    void finishesRunningRequestsWhenItIsStopped() throws IOException {
        try (SemelProcess server = SemelProcess.start(Launch.in(folder.resolve("data")))) {
            Caller caller = caller(server);
            JsonObject body = Claims.fresh();
            Claims.granted(caller, body);
            CompletableFuture<Answer> running = CompletableFuture.supplyAsync(
                    () -> Claims.claim(caller, body.copy().put("wait_ms", 2_000)));
            // Responses to later requests show that the waiting request has arrived.
            for (int i = 0; i < 20; i++) {
                Ledger.ingest(caller, Marks.text("key"));
            }
            int exit = server.terminate();
            Answer answer = running.join();
            assertThat(answer.status()).as("%s", answer).isIn(202, 503);
            assertThat(exit).as(server.output()).isZero();
            assertThat(connects(InetAddress.getLoopbackAddress(), server.port()))
                    .isFalse();
        }
    }

    private static Caller caller(SemelProcess server) {
        return new Caller(new Client(server, OpenApiSource.read(server)), Marks.name("tenant"), java.util.Map.of());
    }
}
