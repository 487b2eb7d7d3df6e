// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.alerts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import dev.semel.server.InProcessServer;
import dev.semel.server.InProcessServer.Reply;
import dev.semel.server.config.ConfigException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real receiver is told when an alert fires and when it clears. */
class AlertWebhookTest {
    private static final String SECRET = "a-secret-of-the-alerts";

    @TempDir
    Path folder;

    private final List<Received> received = new CopyOnWriteArrayList<>();
    private final AtomicInteger refusals = new AtomicInteger();
    private HttpServer receiver;

    private record Received(String timestamp, String signature, String body) {
        String member(String name) {
            return ((JsonString) json(body).member(name).orElseThrow()).value();
        }

        String alert(String name) {
            JsonObject alert = (JsonObject) json(body).member("alert").orElseThrow();
            return ((JsonString) alert.member(name).orElseThrow()).value();
        }

        private static JsonObject json(String text) {
            return (JsonObject) Json.parse(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    @BeforeEach
    void start() throws IOException {
        receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.createContext("/alerts", this::receive);
        receiver.start();
    }

    private void receive(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        boolean refused = refusals.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
        if (!refused) {
            received.add(new Received(
                    exchange.getRequestHeaders().getFirst("Semel-Timestamp"),
                    exchange.getRequestHeaders().getFirst("Semel-Signature"),
                    body));
        }
        exchange.sendResponseHeaders(refused ? 503 : 204, -1);
        exchange.close();
    }

    @AfterEach
    void stop() {
        receiver.stop(0);
    }

    @Test
    void isToldWhenAnAlertFiresAndWhenItClears() {
        refusals.set(1);
        try (InProcessServer server = server()) {
            for (int i = 0; i < 5; i++) {
                settled(server, "fail-" + i, "fail", "\"retryable\":false");
            }
            await().atMost(Duration.ofSeconds(20)).until(() -> received.size() == 1);
            for (int i = 0; i < 50; i++) {
                settled(server, "succeed-" + i, "succeed", "\"result\":1");
            }
            await().atMost(Duration.ofSeconds(20)).until(() -> received.size() == 2);
        }

        Received fired = received.get(0);
        assertThat(fired.member("state")).isEqualTo("firing");
        assertThat(fired.member("tenant")).isEqualTo("default");
        assertThat(fired.alert("alert")).isEqualTo("failure_rate");
        assertThat(fired.alert("scope")).isEqualTo("pay");
        assertThat(Instant.parse(fired.member("at")))
                .isBetween(Instant.now().minusSeconds(60), Instant.now().plusSeconds(1));
        assertThat(received.get(1).member("state")).isEqualTo("cleared");
        assertThat(received.get(1).alert("alert")).isEqualTo("failure_rate");
        assertThat(received)
                .allSatisfy(message ->
                        assertThat(message.signature()).isEqualTo(hmac(message.timestamp() + "." + message.body())));
    }

    @Test
    void aWebhookNeedsASecret() {
        assertThatThrownBy(
                        () -> InProcessServer.in(folder, "alerts: {webhook: {url: \"http://127.0.0.1/\"}}", Map.of()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("alerts.webhook.secret is required");
        assertThatThrownBy(() -> InProcessServer.in(
                        folder, "alerts: {webhook: {url: \"http://127.0.0.1/\", secret: short}}", Map.of()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("alerts.webhook.secret must have at least 16 bytes")
                .hasMessageNotContaining("short");
    }

    private InProcessServer server() {
        return InProcessServer.in(folder, """
                alerts:
                  window_seconds: 3600
                  minimum_events: 5
                  off: [hit_rate]
                  webhook: {url: "http://127.0.0.1:%d/alerts", secret: %s}
                """.formatted(receiver.getAddress().getPort(), SECRET), Map.of());
    }

    private static void settled(InProcessServer server, String key, String verb, String more) {
        Reply claim = server.post("/v1/claims", "{\"scope\":\"pay\",\"key\":\"%s\"}".formatted(key));
        Reply reply = server.post(
                "/v1/claims/" + claim.text("claim_id") + "/" + verb,
                "{\"token\":\"%s\",%s}".formatted(claim.text("token"), more));
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    }

    private static String hmac(String content) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(SECRET.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            return HexFormat.of().formatHex(mac.doFinal(content.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }
}
