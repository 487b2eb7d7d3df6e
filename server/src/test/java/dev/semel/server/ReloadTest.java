// SPDX-License-Identifier: Apache-2.0
package dev.semel.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.semel.internal.Sha256;
import dev.semel.webhooks.signature.Hmac;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that receives SIGHUP uses new tokens and new secrets of webhooks and call sites, and drops no request. */
class ReloadTest {
    private static final String EVENT = "{\"id\":\"evt_%s\",\"type\":\"t\",\"object\":\"event\"}";

    @TempDir
    Path folder;

    private final HttpClient client = HttpClient.newHttpClient();
    private String port = "";

    @Test
    void tokensAndWebhookSecretsAreReloaded() throws Exception {
        Path config = folder.resolve("semel.yml");
        assumeFalse(isHangUpIgnored(), "this process ignores SIGHUP, as under nohup, and so do its children");
        Files.writeString(config, yaml("whsec_first", "kept", "withdrawn"));
        Process process = start(config);
        try {
            assertThat(keys("kept")).isEqualTo(200);
            assertThat(keys("withdrawn")).isEqualTo(200);
            assertThat(keys("added")).isEqualTo(401);
            assertThat(delivered("stripe", "1", "whsec_first")).isEqualTo(200);
            assertThat(called("1", "whsec_first")).isEqualTo(201);
            AtomicBoolean done = new AtomicBoolean();
            CompletableFuture<List<Integer>> meanwhile = CompletableFuture.supplyAsync(() -> {
                List<Integer> wrong = new ArrayList<>();
                for (int i = 0; !done.get(); i++) {
                    int status = keys("kept");
                    int delivery = delivered("steady", "s" + i, "whsec_steady");
                    if (status != 200 || delivery != 200) {
                        wrong.addAll(List.of(status, delivery));
                    }
                }
                return wrong;
            });

            Files.writeString(config, yaml("whsec_second", "kept", "added"));
            hangUp(process);
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> keys("added") == 200);
            done.set(true);

            assertThat(meanwhile.join()).as("failed requests").isEmpty();
            assertThat(keys("withdrawn")).isEqualTo(401);
            assertThat(delivered("stripe", "2", "whsec_second")).isEqualTo(200);
            assertThat(delivered("stripe", "3", "whsec_first")).isEqualTo(401);
            assertThat(called("2", "whsec_second")).isEqualTo(201);
            assertThat(called("3", "whsec_first")).isEqualTo(401);

            Files.writeString(config, "tokens: [}");
            hangUp(process);
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> Files.readString(folder.resolve("err")).contains("The settings were not reloaded"));
            assertThat(keys("kept")).as("the settings in effect are kept").isEqualTo(200);
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    private static String yaml(String webhookSecret, String... tokens) {
        StringBuilder yaml = new StringBuilder("""
                        secret: 0123456789abcdef0123456789abcdef
                        webhooks: {stripe: {secrets: [%1$s]}, steady: {type: stripe, secrets: [whsec_steady]}}
                        calls: {sites: {site-1: {secret: %1$s}}}
                        tokens:
                        """.formatted(webhookSecret));
        for (String token : tokens) {
            yaml.append("  - {sha256: \"%s\", tenant: acme, actor: a, role: viewer}\n"
                    .formatted(HexFormat.of().formatHex(Sha256.of(token.getBytes(StandardCharsets.UTF_8)))));
        }
        return yaml.toString();
    }

    private Process start(Path config) throws IOException {
        Path file = folder.resolve("port");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "--class-path",
                        System.getProperty("java.class.path"),
                        "dev.semel.server.Main",
                        "serve",
                        "--production",
                        "--port",
                        "0",
                        "--config",
                        config.toString(),
                        "--data-dir",
                        folder.resolve("data").toString(),
                        "--print-port-file",
                        file.toString())
                .directory(folder.toFile())
                .redirectOutput(folder.resolve("out").toFile())
                .redirectError(folder.resolve("err").toFile())
                .start();
        Awaitility.await().atMost(Duration.ofMinutes(2)).until(() -> Files.exists(file) || !process.isAlive());
        port = Files.readString(file).strip();
        return process;
    }

    private static boolean isHangUpIgnored() throws IOException {
        Path status = Path.of("/proc/self/status");
        if (!Files.exists(status)) {
            return false;
        }
        return Files.readAllLines(status).stream()
                .filter(line -> line.startsWith("SigIgn:"))
                .anyMatch(line -> Long.parseUnsignedLong(
                                        line.substring("SigIgn:".length()).strip(), 16)
                                % 2
                        != 0);
    }

    private static void hangUp(Process process) throws Exception {
        assertThat(new ProcessBuilder("kill", "-HUP", Long.toString(process.pid()))
                        .start()
                        .waitFor())
                .isZero();
    }

    private int keys(String token) {
        return status(HttpRequest.newBuilder(uri("/v1/keys")).header("Authorization", "Bearer " + token));
    }

    private int delivered(String provider, String id, String secret) {
        String body = EVENT.formatted(id);
        String time = Long.toString(System.currentTimeMillis() / 1_000);
        return status(HttpRequest.newBuilder(uri("/webhooks/acme/" + provider))
                .header("Content-Type", "application/json")
                .header("Stripe-Signature", "t=%s,v1=%s".formatted(time, signed(secret, time, body)))
                .POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    private int called(String id, String secret) {
        String body = "{\"site_id\":\"site-1\",\"caller\":\"%s\"}".formatted(id);
        String time = Long.toString(System.currentTimeMillis() / 1_000);
        return status(HttpRequest.newBuilder(uri("/api/call-event"))
                .header("Content-Type", "application/json")
                .header("x-ops-timestamp", time)
                .header("x-ops-signature", signed(secret, time, body))
                .POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    private static String signed(String secret, String time, String body) {
        byte[] content = (time + "." + body).getBytes(StandardCharsets.UTF_8);
        return HexFormat.of().formatHex(Hmac.SHA256.of(secret.getBytes(StandardCharsets.UTF_8), content));
    }

    private int status(HttpRequest.Builder request) {
        try {
            return client.send(request.timeout(Duration.ofSeconds(60)).build(), HttpResponse.BodyHandlers.discarding())
                    .statusCode();
        } catch (IOException e) {
            return -1;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return -1;
        }
    }

    private URI uri(String path) {
        return URI.create("http://127.0.0.1:" + port + path);
    }
}
