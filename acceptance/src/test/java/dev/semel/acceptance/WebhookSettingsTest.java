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

/** Webhooks: addresses, handshakes, what production asks for, and what a start warns about. */
@BlackBox
class WebhookSettingsTest {
    private static final String URL_SECRET = Marks.text("url-secret");
    private static final String VERIFY_TOKEN = Marks.text("verify-token");

    @TempDir
    Path folder;

    @Test
    void aProviderThatSignsNothingHasOneAddress() {
        try (RunningServer server = Environment.SQLITE.fresh(
                Configuration.with("webhooks: {momo: {url_secret: %s}}\n".formatted(URL_SECRET)))) {
            Caller caller = server.caller();
            JsonObject body =
                    new JsonObject().put("referenceId", Marks.text("reference")).put("status", "SUCCESSFUL");
            String right = "/webhooks/%s/momo/%s".formatted(caller.tenant(), URL_SECRET);

            for (String path : List.of(
                    "/webhooks/momo", "/webhooks/%s/momo".formatted(caller.tenant()), right + "x", right + "/")) {
                Problem.isProblem(caller.post(path, body), 404);
            }
            assertThat(Webhooks.inbox(caller)).isEmpty();
            assertThat(Webhooks.status(caller.post(right, body))).isEqualTo("processed");
            assertThat(Webhooks.inbox(caller)).hasSize(1);
        }
    }

    @Test
    void sendersAskBeforeTheySend() {
        try (RunningServer server = Environment.SQLITE.fresh(
                Configuration.with("webhooks: {whatsapp: {verify_token: %s}}\n".formatted(VERIFY_TOKEN)))) {
            Caller caller = server.nobody();
            String ask = "/webhooks/whatsapp?hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=";

            assertThat(caller.get(ask + VERIFY_TOKEN).text()).isEqualTo("1158201444");
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
                                    new JsonObject()
                                            .put("type", "url_verification")
                                            .put("challenge", challenge))
                            .text())
                    .isEqualTo(challenge);
        }
    }

    @Test
    void productionRefusesToStartWithoutSomethingToTellSendersBy() throws IOException {
        String token = "tokens: [{sha256: \"%s\", tenant: t, actor: a, role: client}]\n"
                .formatted(Configuration.sha256(Marks.text("token")));
        for (String[] wrong : new String[][] {
            {"stripe: {}", "webhooks.stripe.secrets"},
            {"paypal: {}", "webhooks.paypal.webhook_id"},
            {"momo: {}", "webhooks.momo.url_secret"},
            {"toss: {}", "webhooks.toss.url_secret"},
            {"orders: {key: [/id]}", "webhooks.orders.secrets"},
            {"stripe: {secret: x}", "did you mean webhooks.stripe.secrets"},
            {"adyen: {secrets: [%s]}".formatted(Marks.text("no-hex")), "hexadecimal"}
        }) {
            Path file = Files.writeString(folder.resolve("semel.yml"), token + "webhooks: {" + wrong[0] + "}\n");
            ServerProcess.Ended ended = ServerProcess.refused(Launch.in(folder.resolve("data"))
                    .with("--config", file.toString(), "--production")
                    .withVariable("IDEMPOTENCY_SECRET", Marks.text("idempotency-secret-of-more-than-32-bytes")));
            assertThat(ended.exitCode()).as(wrong[0]).isNotZero();
            assertThat(ended.output()).contains(wrong[1]).doesNotContain("\tat ");
        }
    }

    @Test
    void inProductionASignatureIsEnoughToSendAndATokenIsNeededToRead() {
        RunningServer server = Environment.SQLITE_PRODUCTION.shared();
        Configuration.Tenant tenant = server.configuration().tenant();
        Caller sender = new Caller(server.client(), tenant.name(), Map.of());
        JsonObject body = new JsonObject().put("id", Marks.text("evt"));
        Ask delivery = Webhooks.stripe(sender, Configuration.STRIPE_SECRET, body);

        Problem.isProblem(sender.send(Webhooks.to(sender, "stripe", body)), 401);
        Problem.isProblem(sender.send(Webhooks.to(sender, "custom", body)), 404);
        assertThat(Webhooks.status(sender.send(delivery.header("Host", "hooks.example.com"))))
                .isEqualTo("processed");
        assertThat(Webhooks.status(sender.send(delivery))).isEqualTo("already_processed");

        Problem.isProblem(sender.get(Webhooks.INBOX), 401);
        assertThat(Webhooks.inbox(server.caller())).as("another tenant").isEmpty();
        List<JsonObject> events = Webhooks.inbox(server.viewer(tenant));
        assertThat(events).hasSize(1);
        String path = Webhooks.INBOX + "/" + events.get(0).getString("id");
        JsonObject reason = new JsonObject().put("reason", "a test");
        Problem.isProblem(server.viewer(tenant).send(Ask.post(path + "/ack")), 403);
        Problem.isProblem(server.client(tenant).post(path + "/replay", reason), 403);
        assertThat(Webhooks.status(server.client(tenant).send(Ask.post(path + "/ack"))))
                .isEqualTo("acknowledged");
        assertThat(Webhooks.status(server.operator(tenant).post(path + "/replay", reason)))
                .isEqualTo("processed");
        assertThat(Webhooks.inbox(server.client(tenant))).hasSize(2);
    }

    @Test
    void aShortTtlIsWarnedAboutAtTheStart() {
        Configuration configuration = Configuration.with("""
                webhooks:
                  stripe: {secrets: [%s], ttl_hours: 24}
                  github: {secrets: [%s]}
                """.formatted(Marks.text("secret"), Marks.text("secret")));
        try (RunningServer server = RunningServer.start(
                Environment.launch(configuration, null, null).withVariable("WEBHOOK_DEDUP_TTL_HOURS", "100"),
                configuration,
                null)) {
            assertThat(server.process().output())
                    .contains("event=\"WEBHOOK_TTL_SHORT\" provider=\"stripe\"")
                    .doesNotContain("event=\"WEBHOOK_TTL_SHORT\" provider=\"github\"");
        }
    }
}
