// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Webhooks: addresses, handshakes, requirements of production, and warnings at the start. */
@BlackBox
class WebhookSettingsTest {
    private final RunningServer server = Environment.SQLITE.shared();

    @Test
    void aProviderThatSignsNothingHasOneAddress() {
        Caller caller = server.caller();
        JsonObject body =
                new JsonObject().put("referenceId", Marks.text("reference")).put("status", "SUCCESSFUL");
        String right = "/webhooks/%s/momo/%s".formatted(caller.tenant(), WebhookSenders.URL_SECRET);

        for (String path :
                List.of("/webhooks/momo", "/webhooks/%s/momo".formatted(caller.tenant()), right + "x", right + "/")) {
            Problem.isProblem(caller.post(path, body), 404);
        }
        assertThat(Webhooks.inbox(caller)).isEmpty();
        assertThat(Webhooks.status(caller.post(right, body))).isEqualTo("processed");
        assertThat(Webhooks.inbox(caller)).hasSize(1);
    }

    @Test
    void sendersAskBeforeTheySend() {
        Caller caller = server.nobody();
        String ask = "/webhooks/whatsapp?hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=";

        assertThat(caller.get(ask + WebhookSenders.VERIFY_TOKEN).text()).isEqualTo("1158201444");
        Problem.isProblem(caller.get(ask + "wrong"), 403);
        Problem.isProblem(caller.get("/webhooks/stripe"), 405);
        Answer allowed = caller.send(Ask.get("/webhooks/cloudevents")
                .method("OPTIONS")
                .header("WebHook-Request-Origin", "events.example.com"));
        assertThat(allowed.status()).isEqualTo(200);
        assertThat(allowed.header("WebHook-Allowed-Origin")).isEqualTo("events.example.com");
        String challenge = Marks.text("challenge");
        assertThat(caller.post(
                                "/webhooks/slack",
                                new JsonObject().put("type", "url_verification").put("challenge", challenge))
                        .text())
                .isEqualTo(challenge);
    }

    @Test
    void productionRefusesToStartWithoutSomethingToTellSendersBy(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(
                folder.resolve("semel.yml"), """
                tokens: [{sha256: "%s", tenant: t, actor: a, role: client}]
                webhooks: {stripe: {}, paypal: {}, momo: {}, toss: {}, orders: {key: [/id]}}
                """.formatted(Configuration.sha256(Marks.text("token"))));

        SemelProcess.Ended ended = SemelProcess.refused(Launch.in(folder.resolve("data"))
                .with("--config", file.toString(), "--production")
                .withVariable("IDEMPOTENCY_SECRET", Marks.text("idempotency-secret-of-more-than-32-bytes")));

        assertThat(ended.exitCode()).isNotZero();
        assertThat(ended.output())
                .contains(
                        "Set webhooks.stripe.secrets",
                        "Set webhooks.paypal.webhook_id",
                        "Set webhooks.momo.url_secret",
                        "Set webhooks.toss.url_secret",
                        "Set webhooks.orders.secrets")
                .doesNotContain("\tat ");
    }

    @Test
    void inProductionASignatureIsEnoughToSendAndATokenIsNeededToRead() {
        RunningServer production = Environment.SQLITE_PRODUCTION.shared();
        Configuration.Tenant tenant = production.configuration().tenant();
        Caller sender = new Caller(production.client(), tenant.name(), Map.of());
        JsonObject body = new JsonObject().put("id", Marks.text("evt"));
        Ask delivery = WebhookSenders.stripe(sender, body);

        Problem.isProblem(sender.send(Webhooks.to(sender, "stripe", body)), 401);
        Problem.isProblem(sender.send(Webhooks.to(sender, "custom", body)), 404);
        assertThat(Webhooks.status(sender.send(delivery.header("Host", "hooks.example.com"))))
                .isEqualTo("processed");
        assertThat(Webhooks.status(sender.send(delivery))).isEqualTo("already_processed");

        Problem.isProblem(sender.get(Webhooks.INBOX), 401);
        assertThat(Webhooks.inbox(production.caller())).as("another tenant").isEmpty();
        List<JsonObject> events = Webhooks.inbox(production.viewer(tenant));
        assertThat(events).hasSize(1);
        String path = Webhooks.INBOX + "/" + events.get(0).getString("id");
        JsonObject reason = new JsonObject().put("reason", "a test");
        Problem.isProblem(production.viewer(tenant).send(Ask.post(path + "/ack")), 403);
        Problem.isProblem(production.client(tenant).post(path + "/replay", reason), 403);
        assertThat(Webhooks.status(production.client(tenant).send(Ask.post(path + "/ack"))))
                .isEqualTo("acknowledged");
        assertThat(Webhooks.status(production.operator(tenant).post(path + "/replay", reason)))
                .isEqualTo("processed");
        assertThat(Webhooks.inbox(production.client(tenant))).hasSize(2);
    }

    @Test
    void aShortTtlIsWarnedAboutAtTheStart() {
        assertThat(server.process().output())
                .contains("event=\"WEBHOOK_TTL_SHORT\" provider=\"short-lived\"")
                .doesNotContain("event=\"WEBHOOK_TTL_SHORT\" provider=\"stripe\"");
    }
}
