// SPDX-License-Identifier: Apache-2.0
package dev.semel.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.semel.payload.json.JsonArray;
import dev.semel.payload.json.JsonObject;
import dev.semel.testservers.PayPalSender;
import dev.semel.webhooks.provider.Providers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The command trigger, against a server that verifies the signatures of all providers. */
class TriggerCommandTest {
    private static final String TEXT = "0123456789abcdef0123456789abcdef";
    private static final List<String> OWN =
            List.of("orders", "batches", "signed-by-rsa", "signed-by-ed25519", "ed-hooks");

    @TempDir
    static Path folder;

    private static InProcessServer server;

    @BeforeAll
    static void start() throws GeneralSecurityException, IOException {
        PayPalSender paypal = PayPalSender.made();
        Files.writeString(folder.resolve("paypal.pem"), paypal.privateKey());
        String yaml = """
                webhooks:
                  stripe: {secrets: [%1$s, other-secret]}
                  whatsapp: {secrets: [%1$s]}
                  github: {secrets: [%1$s]}
                  shopify: {secrets: [%1$s]}
                  razorpay: {secrets: [%1$s]}
                  paystack: {secrets: [%1$s]}
                  square: {secrets: [%1$s]}
                  twilio: {secrets: [%1$s]}
                  slack: {secrets: [%1$s]}
                  paddle: {secrets: [%1$s]}
                  toss: {secrets: [%1$s]}
                  adyen: {secrets: ["%1$s"]}
                  standard-webhooks: {secrets: [whsec_%2$s]}
                  svix: {secrets: [whsec_%2$s]}
                  momo: {url_secret: %1$s}
                  cloudevents: {url_secret: %1$s, tenants: [acme]}
                  custom: {secrets: [%1$s]}
                  paypal: {webhook_id: WH-1, certificate: "%3$s"}
                  sendgrid: {public_keys: ["%4$s"]}
                  orders:
                    secrets: [%1$s]
                    signature: {header: X-Sig, algorithm: hmac-sha512, encoding: base64, prefix: "v1=",
                      content: "{timestamp}.{header:X-Shop}.{url}.{body}", timestamp_header: X-Time}
                    key: ["/event/number", "header:X-Event"]
                  batches:
                    secrets: [%1$s]
                    key: ["header:X-Event"]
                    items: "/data/events"
                  signed-by-rsa: {public_keys: ["%5$s"], signature: {algorithm: rsa-sha256}}
                  signed-by-ed25519: {public_keys: ["%6$s"], signature: {algorithm: ed25519}}
                  ed-hooks: {type: svix, public_keys: ["whpk_%7$s"]}
                """.formatted(
                        TEXT,
                        Base64.getEncoder().encodeToString(TEXT.getBytes(StandardCharsets.US_ASCII)),
                        paypal.certificate().replace("\r", "").replace("\n", "\\n"),
                        publicKey("sendgrid", "EC"),
                        publicKey("signed-by-rsa", "RSA"),
                        publicKey("signed-by-ed25519", "Ed25519"),
                        rawEd25519("ed-hooks"));
        server = InProcessServer.in(folder, yaml, Map.of());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /** Writes a new private key to a file and returns the public part. */
    private static String publicKey(String name, String type) throws GeneralSecurityException, IOException {
        return Base64.getEncoder().encodeToString(made(name, type).getPublic().getEncoded());
    }

    /** Standard Webhooks writes only the last 32 bytes, without their ASN.1 header. */
    private static String rawEd25519(String name) throws GeneralSecurityException, IOException {
        byte[] encoded = made(name, "Ed25519").getPublic().getEncoded();
        byte[] raw = new byte[32];
        System.arraycopy(encoded, encoded.length - 32, raw, 0, 32);
        return Base64.getEncoder().encodeToString(raw);
    }

    private static KeyPair made(String name, String type) throws GeneralSecurityException, IOException {
        KeyPair pair = KeyPairGenerator.getInstance(type).generateKeyPair();
        Files.writeString(
                folder.resolve(name + ".pem"),
                "-----BEGIN PRIVATE KEY-----\n%s\n-----END PRIVATE KEY-----\n"
                        .formatted(Base64.getMimeEncoder()
                                .encodeToString(pair.getPrivate().getEncoded())));
        return pair;
    }

    private static CommandRun trigger(String provider, String... more) {
        List<String> all = new ArrayList<>(List.of("trigger", provider, "--json"));
        Map<String, String> usual = new LinkedHashMap<>();
        usual.put("--config", folder.resolve("semel.yml").toString());
        usual.put("--timeout", "60");
        usual.put("--url", server.uri("").toString());
        Path key = folder.resolve(provider + ".pem");
        if (Files.exists(key)) {
            usual.put("--private-key", key.toString());
        }
        usual.forEach((option, value) -> {
            if (!List.of(more).contains(option)) {
                all.addAll(List.of(option, value));
            }
        });
        all.addAll(List.of(more));
        return CommandRun.of(all.toArray(String[]::new));
    }

    static Stream<String> providers() {
        return Stream.concat(Providers.names().stream(), OWN.stream());
    }

    @ParameterizedTest
    @MethodSource("providers")
    void eachEventIsProcessedOnce(String provider) {
        CommandRun run = trigger(provider, "--org", "acme", "--events", "2", "--duplicates", "3", "--concurrency", "4");

        assertThat(run.exit()).as(run.out() + run.err()).isZero();
        assertThat(run.text("processed")).isEqualTo("2");
        assertThat(run.text("already_processed")).isEqualTo("6");
        assertThat(run.text("signed"))
                .isEqualTo(Boolean.toString(!List.of("momo", "cloudevents").contains(provider)));
        JsonObject inbox = server.get("/v1/inbox?provider=" + provider, "X-Organization-Id", "acme")
                .json();
        assertThat(((JsonArray) inbox.member("events").orElseThrow()).elements())
                .as("events that the server really wrote")
                .hasSize(2);
    }

    @Test
    void aPersonReadsWhoProcessedWhat() {
        String url = server.uri("").toString();
        CommandRun run = CommandRun.of(
                "trigger", "stripe", "--url", url + "," + url, "--secret", TEXT, "--events", "2", "--duplicates", "2");

        assertThat(run.exit()).as(run.err()).isZero();
        assertThat(run.out())
                .contains("each was processed exactly once", "processed 1 time(s), by delivery 1 to " + url, "latency")
                .doesNotContain(TEXT);
        assertThat(run.out().lines().filter(line -> line.startsWith(url)))
                .as("one line for each target")
                .hasSize(2);
    }

    @Test
    void anUnsignedDeliveryThatIsRefusedNamesTheOptions() {
        String url = server.uri("/webhooks/stripe").toString();

        CommandRun run = CommandRun.of("trigger", "stripe", "--url", url);

        assertThat(run.exit()).isEqualTo(1);
        assertThat(run.out()).contains("unsigned", "problem  401: ", "to sign  set --secret");
    }

    @Test
    void aWrongSecretIsRefusedAndNeverPrinted() {
        CommandRun run = trigger("stripe", "--secret", "wrong-" + TEXT);

        assertThat(run.exit()).isEqualTo(1);
        assertThat(run.text("refused")).isEqualTo("2");
        assertThat(run.text("processed_never")).isEqualTo("1");
        assertThat(run.text("first_problem")).startsWith("401: ");
        assertThat(run.out() + run.err()).doesNotContain(TEXT);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "strpe | --events 1 | did you mean stripe?",
                "oders | --events 1 | did you mean orders?",
                "'' | --events 1 | Unknown provider",
                "stripe | --events 0 | --events must be a number from 1 to 100000",
                "stripe | --events 1e3 | --events must be",
                "stripe | --events 100000 --duplicates 10000 | the maximum is 1000000",
                "stripe | --concurrency 257 | --concurrency must be a number from 1 to 256",
                "stripe | --duplicates -1 | --duplicates must be",
                "stripe | --timeout 0 | --timeout must be",
                "stripe | --url ftp://127.0.0.1/x | --url (SEMEL_URL) must be a URL",
                "stripe | --url http://me:word@127.0.0.1/ | without a user",
                "adyen | --secret not-hex | must be written in hexadecimal",
                "stripe | --private-key no-such-file | cannot be read (NoSuchFileException)",
                "stripe | --private-key pom.xml | PKCS #8",
                "stripe | --config no-such.yml | no-such.yml",
            })
    void wrongUsageIsExplained(String provider, String options, String said) {
        CommandRun run = trigger(provider, options.split(" "));

        assertThat(run.exit()).as(run.err()).isEqualTo(2);
        assertThat(run.err()).contains(said).hasLineCount(1);
        assertThat(run.out()).isEmpty();
    }

    @Test
    void aVerifiedProviderWithoutItsKeyIsExplained() {
        CommandRun run = CommandRun.of(
                "trigger", "paypal", "--config", folder.resolve("semel.yml").toString());
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains("--private-key");

        CommandRun wrongType = trigger(
                "paypal", "--private-key", folder.resolve("sendgrid.pem").toString());
        assertThat(wrongType.exit()).as(wrongType.err()).isEqualTo(2);
        assertThat(wrongType.err())
                .contains("The private key is of the type EC")
                .hasLineCount(1);
    }

    @Test
    void anUnreachableServerIsNamed() throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        CommandRun run = trigger("stripe", "--url", "http://127.0.0.1:" + port, "--events", "1000");

        assertThat(run.exit()).isEqualTo(1);
        assertThat(run.err()).contains("http://127.0.0.1:" + port + " accepts no connection", "--url");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "200 | {\"status\":\"processed\"} | processed | processed_twice",
                "200 | {\"status\":\"already_processed\"} | already_processed | processed_never",
                "200 | <html>ok</html> | unrecognized | processed_never",
                "302 | {} | unrecognized | processed_never",
                "503 | {\"detail\":\"later\"} | failed | processed_never",
                "200 | large | failed | processed_never",
            })
    void anyOtherUrlIsReportedAsItAnswers(int status, String answer, String counted, String wrong) throws IOException {
        byte[] body = answer.equals("large") ? new byte[1 << 20] : answer.getBytes(StandardCharsets.UTF_8);
        HttpServer other = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        List<String> paths = new ArrayList<>();
        other.createContext("/", exchange -> {
            paths.add(exchange.getRequestURI().toString());
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(status, body.length);
            try (var out = exchange.getResponseBody()) {
                out.write(body);
            }
        });
        other.start();
        try {
            CommandRun run = trigger(
                    "stripe",
                    "--url",
                    "http://127.0.0.1:%d/my/hook?a=b"
                            .formatted(other.getAddress().getPort()));

            assertThat(run.exit()).isEqualTo(1);
            assertThat(run.text(counted)).isEqualTo("2");
            assertThat(run.text(wrong)).isEqualTo("1");
            assertThat(paths).containsOnly("/my/hook?a=b");
        } finally {
            other.stop(0);
        }
    }
}
