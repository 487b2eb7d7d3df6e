// SPDX-License-Identifier: Apache-2.0
package dev.semel.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.server.config.ConfigException;
import dev.semel.server.config.Setting;
import dev.semel.server.config.Settings;
import dev.semel.server.config.SettingsReader;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The server with TLS. */
class ServerTlsTest {
    private static final String PASSWORD = "changeit";

    @TempDir
    Path folder;

    private Path certificate() {
        return folder.resolve("cert.pem");
    }

    private Path key() {
        return folder.resolve("key.pem");
    }

    @Test
    void aNewCertificateIsServedAfterAReload() throws Exception {
        issue("first");
        Certificate first = parsed();
        try (SemelServer server = SemelServer.start(settings())) {
            HttpClient old = client(first);
            HttpResponse<String> claimed = claim(old, server.port(), "a", 65_536);
            assertThat(claimed.statusCode()).as(claimed.body()).isEqualTo(201);
            assertThat(served(claimed)).isEqualTo(first);

            issue("second");
            Certificate second = parsed();
            server.reload(settings());

            assertThat(served(claim(client(second), server.port(), "b", 0))).isEqualTo(second);
            assertThat(claim(old, server.port(), "c", 0).statusCode())
                    .as("the open connection goes on")
                    .isEqualTo(201);

            Files.writeString(certificate(), "not a certificate");
            Settings broken = settings();
            assertThatThrownBy(() -> server.reload(broken))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("server.tls");
            assertThat(served(claim(client(second), server.port(), "d", 0))).isEqualTo(second);
        }
    }

    /** As if SIGHUP came between the writing of the two files. */
    @Test
    void aKeyOfAnotherCertificateIsNotUsed() throws Exception {
        issue("first");
        Certificate first = parsed();
        String pem = Files.readString(certificate());
        try (SemelServer server = SemelServer.start(settings())) {
            issue("second");
            Files.writeString(certificate(), pem);
            Settings mixed = settings();

            assertThatThrownBy(() -> server.reload(mixed))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("server.tls");
            assertThat(served(claim(client(first), server.port(), "a", 0))).isEqualTo(first);
            assertThatThrownBy(() -> SemelServer.start(mixed))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("server.tls");
        }
    }

    @Test
    void wrongFilesAreReported() throws Exception {
        assertThatThrownBy(this::settings).isInstanceOf(ConfigException.class).hasMessageContaining("PEM file");
        issue("first");
        Files.writeString(key(), "no key");
        Settings broken = settings();
        assertThatThrownBy(() -> SemelServer.start(broken))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("server.tls")
                .hasMessageNotContaining("no key");
    }

    /** With the lines of docs/operate.md, as an operator would run them. */
    @Test
    void commandsReachAServerWhoseCertificateIsInATrustStore() throws Exception {
        String docs = Files.readString(Path.of("..", "docs", "operate.md"));
        String imported = documented(docs, "`(keytool -importcert [^`]*)`");
        String options = documented(docs, "`SEMEL_JAVA_OPTS=\"([^\"]*)\"`");
        issue("first");
        List<String> keytool = new ArrayList<>(List.of(imported.split(" ", -1)));
        keytool.set(0, javaProgram("keytool"));
        run(Map.of(), keytool);
        try (SemelServer server = SemelServer.start(settings())) {
            String url = "https://127.0.0.1:" + server.port();
            claim(client(parsed()), server.port(), "a", 0);

            assertThat(semel(Map.of(), List.of(options.split(" ", -1)), "keys", "list", "--url", url))
                    .contains("in_progress");
            assertThat(semel(
                            Map.of("SEMEL_WEBHOOK_SECRET", "whsec_of_this_test"),
                            List.of(options.split(" ", -1)),
                            "trigger",
                            "stripe",
                            "--url",
                            url))
                    .contains("each was processed exactly once");
        }
    }

    private static String documented(String docs, String pattern) {
        Matcher line = Pattern.compile(pattern).matcher(docs);
        assertThat(line.find()).as(pattern).isTrue();
        return line.group(1);
    }

    private String semel(Map<String, String> environment, List<String> options, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(javaProgram("java")));
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
        command.addAll(List.of(arguments));
        return run(environment, command);
    }

    private static String javaProgram(String name) {
        return Path.of(System.getProperty("java.home"), "bin", name).toString();
    }

    /** Runs a program in the test's folder and requires that it succeeds. */
    private String run(Map<String, String> environment, List<String> command) throws Exception {
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
        builder.environment().putAll(environment);
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }

    private Settings settings() throws IOException {
        Path file = Files.writeString(folder.resolve("semel.yml"), """
                server: {tls: {certificate: "%s", key: "%s"}}
                webhooks: {stripe: {secrets: [whsec_of_this_test]}}
                """.formatted(certificate(), key()));
        return SettingsReader.read(
                Map.of(
                        Setting.PORT,
                        "0",
                        Setting.DATA_DIR,
                        folder.resolve("data").toString()),
                Optional.of(file),
                Map.of());
    }

    /** The body is padded with white space: sizes beyond one TLS record must arrive too. */
    private static HttpResponse<String> claim(HttpClient client, int port, String key, int padding) throws Exception {
        String body = "{\"scope\":\"s\",\"key\":\"%s\"}".formatted(key) + " ".repeat(padding);
        return client.send(
                HttpRequest.newBuilder(URI.create("https://127.0.0.1:%d/v1/claims".formatted(port)))
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private static Certificate served(HttpResponse<?> response) throws IOException {
        return response.sslSession().orElseThrow().getPeerCertificates()[0];
    }

    private Certificate parsed() throws Exception {
        try (InputStream in = Files.newInputStream(certificate())) {
            return CertificateFactory.getInstance("X.509").generateCertificate(in);
        }
    }

    private static HttpClient client(Certificate trusted) throws Exception {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        store.setCertificateEntry("server", trusted);
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return HttpClient.newBuilder().sslContext(context).build();
    }

    /** Makes a certificate and its key with the keytool of the JDK that runs this test. */
    private void issue(String name) throws Exception {
        Path keys = folder.resolve(name + ".p12");
        List<String> command = new ArrayList<>();
        command.add(javaProgram("keytool"));
        command.addAll(List.of("-genkeypair", "-keyalg", "EC", "-dname", "CN=" + name, "-validity", "2"));
        command.addAll(List.of("-ext", "san=ip:127.0.0.1", "-alias", "key", "-keystore", keys.toString()));
        command.addAll(List.of("-storetype", "PKCS12", "-storepass", PASSWORD));
        run(Map.of(), command);
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(keys)) {
            store.load(in, PASSWORD.toCharArray());
        }
        Files.writeString(
                certificate(), pem("CERTIFICATE", store.getCertificate("key").getEncoded()));
        Files.writeString(
                key(),
                pem("PRIVATE KEY", store.getKey("key", PASSWORD.toCharArray()).getEncoded()));
    }

    private static String pem(String kind, byte[] content) {
        return "-----BEGIN %s-----%n%s%n-----END %s-----%n"
                .formatted(kind, Base64.getMimeEncoder().encodeToString(content), kind);
    }
}
