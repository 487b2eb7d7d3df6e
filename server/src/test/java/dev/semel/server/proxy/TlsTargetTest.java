// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.semel.server.InProcessServer;
import dev.semel.server.InProcessServer.Reply;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A TLS target receives a request only if its certificate is trusted and matches its host. */
class TlsTargetTest {
    private static final String PASSWORD = "changeit";

    @TempDir
    Path folder;

    private final AtomicInteger runs = new AtomicInteger();
    private HttpsServer service;

    @AfterEach
    void stop() {
        service.stop(0);
    }

    @Test
    void aTargetWithATrustedCertificateIsReached() throws Exception {
        Path certificate = serve("trusted", "ip:127.0.0.1");

        Reply first = post(", ca_file: \"%s\"".formatted(certificate));

        assertThat(first.status()).isEqualTo(200);
        assertThat(first.body()).isEqualTo("paid");
        assertThat(runs).hasValue(1);
    }

    @Test
    void aTargetWithACertificateOfAnotherHostGetsNothing() throws Exception {
        Path certificate = serve("elsewhere", "dns:elsewhere.example");

        assertRefused(post(", ca_file: \"%s\"".formatted(certificate)));
    }

    @Test
    void aTargetWithAnotherCertificateGetsNothing() throws Exception {
        serve("served", "ip:127.0.0.1");
        Path another = certificate(keys("another", "ip:127.0.0.1"));

        assertRefused(post(", ca_file: \"%s\"".formatted(another)));
    }

    @Test
    void withoutACaFileOnlyTheJvmsAuthoritiesAreTrusted() throws Exception {
        serve("unknown", "ip:127.0.0.1");

        assertRefused(post(""));
    }

    private void assertRefused(Reply reply) {
        assertThat(reply.status()).isEqualTo(502);
        assertThat(reply.body()).contains("upstream-unreachable");
        assertThat(runs).hasValue(0);
    }

    /** @param more settings of the route, starting with a comma */
    private Reply post(String more) {
        String route = "api: {routes: [{path: /orders, target: \"https://127.0.0.1:%d\"%s}]}"
                .formatted(service.getAddress().getPort(), more);
        try (InProcessServer proxy = InProcessServer.in(folder, route, Map.of())) {
            return proxy.post("/orders", "{}", "Idempotency-Key", "k");
        }
    }

    /** Starts the service with a new certificate for this name and returns the certificate's file. */
    private Path serve(String name, String subject) throws Exception {
        Path keys = keys(name, subject);
        service = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        service.setHttpsConfigurator(new HttpsConfigurator(context(keys)));
        service.createContext("/", exchange -> {
            runs.incrementAndGet();
            exchange.sendResponseHeaders(200, 4);
            exchange.getResponseBody().write(new byte[] {'p', 'a', 'i', 'd'});
            exchange.close();
        });
        service.start();
        return certificate(keys);
    }

    private static SSLContext context(Path keys) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(keys)) {
            store.load(in, PASSWORD.toCharArray());
        }
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(store, PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        return context;
    }

    private Path keys(String name, String subject) throws Exception {
        Path file = folder.resolve(name + ".p12");
        keytool(
                file,
                "-genkeypair",
                "-keyalg",
                "EC",
                "-dname",
                "CN=" + name,
                "-validity",
                "2",
                "-ext",
                "san=" + subject);
        return file;
    }

    private Path certificate(Path keys) throws Exception {
        Path file = Path.of(keys + ".pem");
        keytool(keys, "-exportcert", "-rfc", "-file", file.toString());
        return file;
    }

    /** Runs the keytool of the JDK that runs this test. */
    private static void keytool(Path keys, String... words) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of(words));
        command.addAll(List.of("-alias", "key", "-keystore", keys.toString(), "-storetype", "PKCS12"));
        command.addAll(List.of("-storepass", PASSWORD));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
    }
}
