// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.webhooks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.internal.Sha256;
import dev.semel.payload.json.JsonArray;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import dev.semel.server.InProcessServer;
import dev.semel.server.InProcessServer.Reply;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who may send and who may read in production. */
class WebhookModesTest {
    private static final String URL_SECRET = "fedcba9876543210";

    @TempDir
    static Path folder;

    private static InProcessServer server;

    @BeforeAll
    static void start() throws Exception {
        server = InProcessServer.in(
                folder,
                """
                server: {production: true}
                tokens:
                  - {sha256: "%s", tenant: acme, actor: billing, role: client}
                  - {sha256: "%s", tenant: acme, actor: eve, role: viewer}
                  - {sha256: "%s", tenant: acme, actor: ops, role: operator}
                  - {sha256: "%s", tenant: other, actor: ops, role: operator}
                webhooks:
                  stripe: {secrets: [stripe-secret], tenants: [acme]}
                  shared: {type: stripe, secrets: [stripe-secret], tenants: [acme, third]}
                  momo: {url_secret: %s, tenants: [acme]}
                  toss: {secrets: [toss-secret], tenants: [acme]}
                """.formatted(sha256("client"), sha256("viewer"), sha256("operator"), sha256("other"), URL_SECRET),
                Map.of("IDEMPOTENCY_SECRET", "0123456789abcdef0123456789abcdef"));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void onlyWhatIsConfiguredIsServed() {
        for (String name : List.of("custom", "github", "paypal", "whatsapp")) {
            assertThat(server.post("/webhooks/acme/" + name, "{\"id\":\"1\"}").status())
                    .as(name)
                    .isEqualTo(404);
        }
    }

    @Test
    void theSignatureOrTheUrlSecretIsSufficient() {
        String body = "{\"id\":\"evt_production\"}";
        assertThat(server.post("/webhooks/acme/stripe", body).problem()).isEqualTo("webhook-refused");
        assertThat(server.post(
                                "/webhooks/acme/stripe",
                                body,
                                "Stripe-Signature",
                                SignedWebhook.stripe("stripe-secret", body))
                        .text("status"))
                .isEqualTo("processed");
        String paid = "{\"referenceId\":\"r\",\"status\":\"SUCCESSFUL\"}";
        assertThat(server.post("/webhooks/acme/momo", paid).status()).isEqualTo(404);
        assertThat(server.post("/webhooks/acme/momo/" + URL_SECRET, paid).text("status"))
                .isEqualTo("processed");
    }

    /** A signature does not cover the URL. Otherwise a delivery could be sent to the URL of any tenant. */
    @Test
    void aDeliveryForAnUnlistedTenantIsRefused() {
        String body = "{\"id\":\"evt_tenants\"}";
        String signature = SignedWebhook.stripe("stripe-secret", body);
        Reply unknown = server.post("/webhooks/other/nobody", body, "Stripe-Signature", signature);

        for (String path : List.of(
                "/webhooks/other/stripe",
                "/webhooks/Acme/stripe",
                "/webhooks/default/stripe",
                "/webhooks//stripe",
                "/webhooks/a%00b/stripe",
                "/webhooks/semel:webhooks/shared",
                "/webhooks/fourth/shared",
                "/webhooks/shared",
                "/webhooks/other/momo/" + URL_SECRET)) {
            Reply reply = server.post(path, body, "Stripe-Signature", signature);
            assertThat(reply.status()).as(path).isEqualTo(404);
            assertThat(reply.body()).as(path).isEqualTo(unknown.body());
        }
        assertThat(server.get("/webhooks/other/stripe").status()).isEqualTo(404);
        assertThat(server.post("/webhooks/acme/shared", body, "Stripe-Signature", signature)
                        .text("status"))
                .isEqualTo("processed");
        assertThat(server.post("/webhooks/third/shared", body, "Stripe-Signature", signature)
                        .text("status"))
                .isEqualTo("processed");
    }

    @Test
    void theShortUrlBelongsToTheOnlyTenant() {
        String body = "{\"id\":\"evt_short\"}";
        String signature = SignedWebhook.stripe("stripe-secret", body);

        assertThat(server.post("/webhooks/stripe", body, "Stripe-Signature", signature)
                        .text("status"))
                .isEqualTo("processed");
        assertThat(server.post("/webhooks/acme/stripe", body, "Stripe-Signature", signature)
                        .text("status"))
                .isEqualTo("already_processed");
    }

    @Test
    void withoutAListTheTokensTenantIsUsed(@TempDir Path own) throws Exception {
        String yaml = """
                server: {production: true}
                tokens: [{sha256: "%s", tenant: acme, actor: billing, role: client}]
                webhooks: {stripe: {secrets: [stripe-secret]}}
                """.formatted(sha256("client"));
        try (InProcessServer single =
                InProcessServer.in(own, yaml, Map.of("IDEMPOTENCY_SECRET", "0123456789abcdef0123456789abcdef"))) {
            String body = "{\"id\":\"evt_single\"}";
            String signature = SignedWebhook.stripe("stripe-secret", body);
            assertThat(single.post("/webhooks/other/stripe", body, "Stripe-Signature", signature)
                            .status())
                    .isEqualTo(404);
            assertThat(single.post("/webhooks/stripe", body, "Stripe-Signature", signature)
                            .text("status"))
                    .isEqualTo("processed");
            assertThat(single.post("/webhooks/acme/stripe", body, "Stripe-Signature", signature)
                            .text("status"))
                    .isEqualTo("already_processed");
        }
    }

    @Test
    void unsignedDeliveriesAreRefusedWithoutAUrlSecret() {
        String unsigned = "{\"eventType\":\"PAYMENT_STATUS_CHANGED\",\"data\":{\"paymentKey\":\"k\"}}";
        assertThat(server.post("/webhooks/acme/toss", unsigned).problem()).isEqualTo("webhook-refused");
    }

    @Test
    void theInboxNeedsATokenWithTheRightRole() {
        String body = "{\"id\":\"evt_roles\"}";
        server.post("/webhooks/acme/stripe", body, "Stripe-Signature", SignedWebhook.stripe("stripe-secret", body));
        assertThat(server.get("/v1/inbox").status()).isEqualTo(401);
        assertThat(server.get("/v1/inbox", "X-Organization-Id", "acme").status())
                .isEqualTo(401);
        assertThat(events(server.get("/v1/inbox", "Authorization", "Bearer other")))
                .isEmpty();
        List<JsonObject> events = events(server.get("/v1/inbox", "Authorization", "Bearer viewer"));
        assertThat(events).isNotEmpty();
        String id = ((JsonString) events.get(0).member("id").orElseThrow()).value();

        assertThat(post(id + "/ack", "", "viewer").status()).isEqualTo(403);
        assertThat(post(id + "/ack", "", "other").status()).isEqualTo(404);
        assertThat(post(id + "/ack", "", "client").text("status")).isEqualTo("acknowledged");
        assertThat(post(id + "/ack", "", "operator").text("acked_by")).isEqualTo("billing");
        assertThat(post(id + "/replay", "{\"reason\":\"r\"}", "client").status())
                .isEqualTo(403);
        assertThat(post(id + "/replay", "{\"reason\":\"r\"}", "operator").text("status"))
                .isEqualTo("processed");
    }

    private static Reply post(String rest, String body, String token) {
        return server.post("/v1/inbox/" + rest, body, "Authorization", "Bearer " + token);
    }

    private static List<JsonObject> events(Reply page) {
        return ((JsonArray) page.member("events"))
                .elements().stream().map(event -> (JsonObject) event).toList();
    }

    private static String sha256(String text) throws Exception {
        return Sha256.hex(text.getBytes(StandardCharsets.UTF_8));
    }
}
