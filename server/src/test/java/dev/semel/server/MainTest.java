// SPDX-License-Identifier: Apache-2.0
package dev.semel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.internal.Sha256;
import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonNumber;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The command line and the process that it starts. */
class MainTest {
    private static final String EVENT = "{\"id\":\"evt-4711\"}";

    @TempDir
    Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void helpListsEveryOption() {
        assertThat(run("serve", "--help")).isZero();
        assertThat(out.toString())
                .contains(
                        "--port",
                        "--host",
                        "--data-dir",
                        "--database-url",
                        "--redis-url",
                        "--config",
                        "--print-port-file",
                        "--production",
                        "--print-config",
                        "--no-migrate",
                        "--log-format",
                        "SEMEL_PORT",
                        "IDEMPOTENCY_SECRET",
                        "IDEMPOTENCY_PREVIOUS_SECRETS");
    }

    @Test
    void theEffectiveSettingsArePrinted() {
        assertThat(run("serve", "--port", "4711", "--print-config")).isZero();
        assertThat(out.toString()).contains("mode: development", "port: 4711");
    }

    @Test
    void badSettingsEndWithTwo() {
        assertThat(run("serve", "--port", "x")).isEqualTo(2);
        assertThat(err.toString()).startsWith("semel: --port must be a whole number");
        assertThat(run("serve", "--prot", "1")).isEqualTo(2);
        assertThat(err.toString())
                .contains("Unknown options: '--prot', '1'", "--port", "See `semel serve --help`")
                .doesNotContain("Usage:");
        assertThat(run("serve", "--production")).isEqualTo(2);
        assertThat(err.toString()).contains("IDEMPOTENCY_SECRET is not set");
    }

    @Test
    void anUnavailableDatabaseIsReported() {
        assertThat(run("serve", "--port", "0", "--database-url", "jdbc:postgresql://127.0.0.1:1/x?password=geheim"))
                .isEqualTo(2);
        assertThat(err.toString())
                .contains("The database jdbc:postgresql://127.0.0.1:1/x is unavailable", "--database-url")
                .doesNotContain("geheim");
    }

    @Test
    void aPortInUseIsReported() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(run("serve", "--port", Integer.toString(taken.getLocalPort()), "--data-dir", folder.toString()))
                    .isEqualTo(2);
            assertThat(err.toString()).contains("Cannot listen on", "Set --port");
        }
    }

    @Test
    void aProcessWritesItsPortAndStopsOnSigterm() throws Exception {
        Path port = folder.resolve("port");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "--class-path",
                System.getProperty("java.class.path"),
                "dev.semel.server.Main",
                "--port",
                "0",
                "--log-format",
                "json",
                "--data-dir",
                folder.resolve("data").toString(),
                "--print-port-file",
                port.toString()));
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectOutput(folder.resolve("out").toFile())
                .redirectError(folder.resolve("err").toFile())
                .start();
        try {
            Awaitility.await().atMost(Duration.ofMinutes(2)).until(() -> Files.exists(port));
            deliver(Files.readString(port).strip());
            process.destroy();
            assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isZero();
            assertThat(Files.readString(folder.resolve("out")))
                    .contains("http://127.0.0.1:" + Files.readString(port).strip(), "curl", "development");
            // Newer JVMs warn about libraries that use native code. The launcher allows it.
            List<Json> lines = Files.readAllLines(folder.resolve("err")).stream()
                    .filter(line -> !line.startsWith("WARNING: ") && !line.isEmpty())
                    .map(line -> Json.parse(line.getBytes(StandardCharsets.UTF_8)))
                    .toList();
            assertThat(lines)
                    .map(JsonObject.class::cast)
                    .filteredOn(line -> line.member("event").equals(Optional.of(new JsonString("WEBHOOK_RECEIVED"))))
                    .singleElement()
                    .satisfies(line -> {
                        assertThat(line.member("payload_size")).contains(JsonNumber.of(EVENT.length()));
                        assertThat(line.member("payload_hash"))
                                .contains(new JsonString(Sha256.hex(EVENT.getBytes(StandardCharsets.UTF_8))));
                        assertThat(line.member("provider")).contains(new JsonString("custom"));
                        assertThat(new String(line.utf8(), StandardCharsets.UTF_8))
                                .doesNotContain("evt-4711");
                    });
        } finally {
            process.destroyForcibly();
        }
    }

    private static void deliver(String port) throws Exception {
        HttpResponse<String> answer = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/webhooks/custom"))
                                .header("Content-Type", "application/json")
                                .POST(HttpRequest.BodyPublishers.ofString(EVENT))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    }

    private int run(String... arguments) {
        return Main.run(
                new CommandLine(new Main()).setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true)),
                arguments);
    }
}
