// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.webhooks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonArray;
import dev.semel.payload.json.JsonBoolean;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import dev.semel.server.InProcessServer;
import dev.semel.server.InProcessServer.Reply;
import dev.semel.testservers.WebhookTarget;
import dev.semel.webhooks.provider.Providers;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Webhooks over HTTP in development, on the real server with SQLite. Every test uses its own tenant. */
class WebhooksHttpTest {
    private static final String URL_SECRET = "0123456789abcdef-secret";

    @TempDir
    static Path folder;

    private static InProcessServer server;
    private static WebhookTarget target;

    @BeforeAll
    static void start() {
        target = WebhookTarget.start();
        server = InProcessServer.in(folder, """
                webhooks:
                  stripe: {secrets: [old-secret, new-secret]}
                  momo: {url_secret: %s}
                  whatsapp: {verify_token: hub-token}
                  cloudevents: {allowed_origins: [events.example.com]}
                  orders: {key: [/event/id], items: /events}
                  forwarded: {type: custom, sink: {forward: "%s", timeout_seconds: 60}}
                """.formatted(URL_SECRET, target.uri()), Map.of());
    }

    @AfterAll
    static void stop() {
        server.close();
        target.close();
    }

    @Test
    void theSameTwiceIsProcessedOnce() {
        Reply first = server.post("/webhooks/custom", "{\"id\":\"twice\"}");
        Reply second = server.post("/webhooks/custom", "{\"id\":\"twice\"}");

        assertThat(first.status()).isEqualTo(200);
        assertThat(first.body()).isEqualTo("{\"status\":\"processed\"}");
        assertThat(first.header("X-Idempotency-Status")).isEqualTo("MISS");
        assertThat(first.header("X-Idempotency-Key")).startsWith("ev_").hasSize(16);
        assertThat(second.status()).isEqualTo(200);
        assertThat(second.body()).isEqualTo("{\"status\":\"already_processed\"}");
        assertThat(second.header("X-Idempotency-Status")).isEqualTo("HIT");
        assertThat(second.header("X-Idempotency-Key")).isEqualTo(first.header("X-Idempotency-Key"));
        assertThat(second.header("Idempotent-Replayed")).isEqualTo("true");
        assertThat(inbox("default")).singleElement().satisfies(event -> {
            assertThat(event.member("unverified")).contains(new JsonBoolean(true));
            assertThat(event.member("key_prefix")).contains(new JsonString(first.header("X-Idempotency-Key")));
            assertThat(event.member("body"))
                    .contains(Json.parse("{\"id\":\"twice\"}".getBytes(StandardCharsets.UTF_8)));
        });
    }

    @Test
    void builtInProvidersWorkWithoutSettings() {
        for (String name : Providers.names()) {
            Reply reply = server.post("/webhooks/all/" + name, "no document");
            if (name.equals("momo")) {
                assertThat(reply.status()).as("only with its secret").isEqualTo(404);
            } else {
                assertThat(reply.status()).as(name).isIn(400, 401);
                assertThat(reply.problem()).isIn("webhook-unreadable", "webhook-refused");
            }
        }
        assertThat(server.post("/webhooks/nobody", "{}").problem()).isEqualTo("not-found");
        assertThat(server.post("/webhooks/acme/nobody", "{}").status()).isEqualTo(404);
        assertThat(server.post("/webhooks//custom", "{\"id\":\"1\"}").problem()).isEqualTo("invalid-field");
        assertThat(server.post("/webhooks/a%00b/custom", "{\"id\":\"1\"}").problem())
                .isEqualTo("invalid-field");
        assertThat(inbox("all")).isEmpty();
    }

    @Test
    void anotherEventUnderAReusedHeaderIsStored() {
        for (String id : List.of("WH-1", "WH-2")) {
            Reply reply = server.post(
                    "/webhooks/reused/paypal", "{\"id\":\"" + id + "\"}", "PAYPAL-TRANSMISSION-ID", "transmission-1");
            assertThat(reply.text("status")).as(id).isEqualTo("processed");
        }
        assertThat(inbox("reused")).hasSize(2);
    }

    @Test
    void aWhatsAppMessageIsStoredOnceWhateverItsIdIsCalled() {
        for (String message : List.of(
                "{\"messageId\":\"m1\",\"at\":%d}",
                "{\"eventId\":\"e1\",\"at\":%d}", "{\"messages\":[{\"id\":\"m2\"}],\"at\":%d}")) {
            assertThat(server.post("/webhooks/called/whatsapp", message.formatted(1))
                            .text("status"))
                    .isEqualTo("processed");
            assertThat(server.post("/webhooks/called/whatsapp", message.formatted(2))
                            .text("status"))
                    .isEqualTo("already_processed");
        }
        assertThat(inbox("called")).hasSize(3);
    }

    /** The inbox is encrypted, and its readers need the exact content. */
    @Test
    void phonesStayExactInTheInbox() {
        String message = "{\"messages\":[{\"id\":\"m1\",\"from\":\"16505551234\",\"phone\":16505551234}]}";
        server.post("/webhooks/exact/whatsapp", message);

        assertThat(inbox("exact"))
                .singleElement()
                .satisfies(event -> assertThat(event.member("body"))
                        .contains(Json.parse(message.getBytes(StandardCharsets.UTF_8))));
    }

    @Test
    void theUrlDeterminesTheTenant() {
        assertThat(server.post("/webhooks/here/custom", "{\"id\":\"shared\"}").text("status"))
                .isEqualTo("processed");
        assertThat(server.post("/webhooks/there/custom", "{\"id\":\"shared\"}", "X-Organization-Id", "here")
                        .text("status"))
                .isEqualTo("processed");
        assertThat(inbox("here")).hasSize(1);
        assertThat(inbox("there")).hasSize(1);
    }

    @Test
    void aWrongSignatureIsRefused() {
        String body = "{\"id\":\"evt_1\",\"type\":\"invoice.paid\"}";

        assertThat(server.post("/webhooks/signed/stripe", body).problem()).isEqualTo("webhook-refused");
        assertThat(stripe("signed", "wrong-secret", body).problem()).isEqualTo("webhook-refused");
        assertThat(server.post(
                                "/webhooks/signed/stripe",
                                body + " ",
                                "Stripe-Signature",
                                SignedWebhook.stripe("new-secret", body))
                        .status())
                .as("the unchanged bytes are verified")
                .isEqualTo(401);
        assertThat(inbox("signed")).isEmpty();
        assertThat(stripe("signed", "old-secret", body).text("status")).isEqualTo("processed");
        assertThat(stripe("signed", "new-secret", body).text("status")).isEqualTo("already_processed");
        assertThat(inbox("signed")).singleElement().satisfies(event -> {
            assertThat(event.member("unverified")).isEmpty();
            assertThat(event.member("event_type")).contains(new JsonString("invoice.paid"));
        });
    }

    @Test
    void aUrlSecretMustMatch() {
        String body = "{\"referenceId\":\"r1\",\"status\":\"SUCCESSFUL\"}";

        for (String path : List.of(
                "/webhooks/momo",
                "/webhooks/secret/momo",
                "/webhooks/secret/momo/",
                "/webhooks/secret/momo/0123456789abcdef-secreT",
                "/webhooks/secret/custom/" + URL_SECRET)) {
            Reply reply = server.post(path, body);
            assertThat(reply.status()).as(path).isEqualTo(404);
            assertThat(reply.body()).doesNotContain(URL_SECRET);
        }
        assertThat(server.post("/webhooks/secret/momo/" + URL_SECRET, body).text("status"))
                .isEqualTo("processed");
        assertThat(inbox("secret")).hasSize(1);
    }

    @Test
    void verificationRequestsAreAnswered() {
        String ask = "/webhooks/whatsapp?hub.mode=subscribe&hub.challenge=c-1&hub.verify_token=";
        Reply right = server.get(ask + "hub-token");
        assertThat(right.status()).isEqualTo(200);
        assertThat(right.header("Content-Type")).startsWith("text/plain");
        assertThat(right.body()).isEqualTo("c-1");
        assertThat(server.get(ask + "wrong").problem()).isEqualTo("webhook-handshake-refused");

        Reply none = server.get("/webhooks/stripe");
        assertThat(none.problem()).isEqualTo("method-not-allowed");
        assertThat(none.header("Allow")).isEqualTo("POST");

        Reply allowed = options("/webhooks/cloudevents", "events.example.com");
        assertThat(allowed.status()).isEqualTo(200);
        assertThat(allowed.header("WebHook-Allowed-Origin")).isEqualTo("events.example.com");
        assertThat(options("/webhooks/cloudevents", "other.example.com").status())
                .isEqualTo(403);
    }

    @Test
    void noPageOfAnotherSiteMaySend() {
        Reply reply = server.post("/webhooks/pages/custom", "{\"id\":\"1\"}", "Origin", "http://example.com");
        assertThat(reply.problem()).isEqualTo("not-local");
        assertThat(inbox("pages")).isEmpty();
    }

    @Test
    void eventsOfOneDeliveryAreIndependent() {
        Reply first = server.post("/webhooks/several/orders", events("a", "b"));
        assertThat(first.text("status")).isEqualTo("processed");
        assertThat(statuses(first)).containsExactly("processed", "processed");

        Reply second = server.post("/webhooks/several/orders", events("b", "c"));
        assertThat(second.text("status")).isEqualTo("processed");
        assertThat(statuses(second)).containsExactly("already_processed", "processed");
        assertThat(inbox("several")).hasSize(3);
    }

    @Test
    void anEventThatIsTooLargeIsRefused() {
        Reply reply = server.post("/webhooks/large/custom", "{\"id\":\"" + "x".repeat(2 << 20) + "\"}");
        assertThat(reply.problem()).isEqualTo("content-too-large");
    }

    @Test
    void twoEventsOfOnePaymentAreOne() {
        String intent =
                "{\"id\":\"evt_p1\",\"type\":\"payment_intent.succeeded\",\"data\":{\"object\":{\"id\":\"pi_1\"}}}";
        String again = intent.replace("evt_p1", "evt_p2");
        String refund = again.replace("evt_p2", "evt_p3").replace("payment_intent.succeeded", "charge.refunded");

        assertThat(stripe("payments", "new-secret", intent).text("status")).isEqualTo("processed");
        assertThat(stripe("payments", "new-secret", again).text("status")).isEqualTo("already_processed");
        assertThat(stripe("payments", "new-secret", refund).text("status")).isEqualTo("processed");
        assertThat(inbox("payments")).hasSize(2);
    }

    @Test
    void aKnownKeyWithAnotherBodyIsNotProcessedAgain() {
        assertThat(server.post("/webhooks/differs/custom", "{\"id\":\"d\",\"n\":1}")
                        .text("status"))
                .isEqualTo("processed");
        assertThat(server.post("/webhooks/differs/custom", "{\"id\":\"d\",\"n\":2}")
                        .text("status"))
                .isEqualTo("already_processed");
        assertThat(inbox("differs")).hasSize(1);
    }

    @Test
    void aForwardedEventIsSettledByTheTargetsResponse() {
        target.answer(500);
        Reply failed = server.post("/webhooks/forward/forwarded", "{\"id\":\"f1\"}");
        assertThat(failed.problem()).isEqualTo("webhook-failed");
        assertThat(Integer.parseInt(failed.header("Retry-After"))).isPositive();

        target.answer(204);
        assertThat(server.post("/webhooks/forward/forwarded", "{\"id\":\"f1\"}").text("status"))
                .isEqualTo("processed");
        assertThat(server.post("/webhooks/forward/forwarded", "{\"id\":\"f1\"}").text("status"))
                .isEqualTo("already_processed");

        List<WebhookTarget.Received> received = target.received();
        assertThat(received).extracting(WebhookTarget.Received::body).containsOnly("{\"id\":\"f1\"}");
        assertThat(received).extracting(WebhookTarget.Received::attempt).containsExactly("1", "2");
        assertThat(received).extracting(WebhookTarget.Received::verified).containsOnly("false");
        assertThat(received.get(0).key()).isNotEmpty().isEqualTo(received.get(1).key());
        assertThat(inbox("forward")).isEmpty();
    }

    private static Reply stripe(String tenant, String secret, String body) {
        return server.post(
                "/webhooks/%s/stripe".formatted(tenant), body, "Stripe-Signature", SignedWebhook.stripe(secret, body));
    }

    private static Reply options(String path, String origin) {
        return server.send(server.request(path, "WebHook-Request-Origin", origin)
                .method("OPTIONS", HttpRequest.BodyPublishers.noBody())
                .build());
    }

    private static String events(String... ids) {
        return "{\"events\":[%s]}"
                .formatted(String.join(
                        ",",
                        List.of(ids).stream()
                                .map(id -> "{\"event\":{\"id\":\"%s\"}}".formatted(id))
                                .toList()));
    }

    private static List<String> statuses(Reply reply) {
        return ((JsonArray) reply.member("events"))
                .elements().stream()
                        .map(event -> ((JsonObject) event).member("status").orElseThrow())
                        .map(status -> ((JsonString) status).value())
                        .toList();
    }

    private static List<JsonObject> inbox(String tenant) {
        return ((JsonArray) server.get("/v1/inbox", "X-Organization-Id", tenant).member("events"))
                .elements().stream().map(event -> (JsonObject) event).toList();
    }
}
