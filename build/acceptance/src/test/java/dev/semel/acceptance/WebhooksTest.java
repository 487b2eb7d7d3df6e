// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Webhooks into the inbox: two processes over one database, or one if the database is embedded. */
@BlackBox
@ParameterizedClass
@EnumSource(
        value = Environment.class,
        names = {"SQLITE", "POSTGRES", "MARIADB"})
class WebhooksTest {
    @Parameter
    Environment environment;

    private RunningServer first;
    private RunningServer second;
    private Caller here;
    private Caller there;

    @BeforeEach
    void start() {
        first = environment.shared();
        second = environment == Environment.SQLITE ? first : environment.sharedSecond();
        here = first.caller();
        there = second.here(here);
    }

    @Test
    void fiveDeliveriesAtOnceAreProcessedOnce() {
        Ask delivery = WebhookSenders.paypal(here, "paypal");

        List<Answer> answers = Crowd.of(5, i -> (i % 2 == 0 ? here : there).send(delivery));

        assertThat(answers).extracting(Answer::status).containsOnly(200);
        assertThat(answers)
                .extracting(Webhooks::status)
                .containsExactlyInAnyOrder(
                        "processed",
                        "already_processed",
                        "already_processed",
                        "already_processed",
                        "already_processed");
        assertThat(Webhooks.stored(first, here)).isEqualTo(1);
        assertThat(Webhooks.inbox(there, 1)).singleElement().satisfies(event -> {
            assertThat(event.getString("provider")).isEqualTo("paypal");
            assertThat(event.containsKey("unverified")).isFalse();
            assertThat(event.getJsonObject("body").encode()).isEqualTo(delivery.text());
        });
    }

    @Test
    void overlappingDeliveriesOfManyEventsProcessEachOnce() {
        String mark = Marks.text("wamid");
        List<Ask> deliveries = List.of(
                WebhookSenders.whatsApp(here, Webhooks.whatsApp(mark, 0, 100)),
                WebhookSenders.whatsApp(here, Webhooks.whatsApp(mark, 50, 100)));

        List<Answer> answers = Crowd.of(4, i -> (i < 2 ? here : there).send(deliveries.get(i % 2)));

        assertThat(answers).extracting(Answer::status).containsOnly(200);
        assertThat(answers)
                .allSatisfy(answer -> assertThat(answer.array("events"))
                        .hasSize(200)
                        .allSatisfy(event -> assertThat(((JsonObject) event).getString("status"))
                                .isIn("processed", "already_processed")));
        assertThat(Webhooks.stored(first, here))
                .as("150 messages and 150 statuses")
                .isEqualTo(300);
        List<JsonObject> inbox = Webhooks.inbox(here, 300);
        assertThat(inbox).hasSize(300);
        Set<String> prefixes =
                inbox.stream().map(event -> event.getString("key_prefix")).collect(Collectors.toSet());
        assertThat(prefixes).hasSize(300);
        assertThat(Webhooks.status(there.send(deliveries.get(0)))).isEqualTo("already_processed");
    }

    @Test
    void aSignatureIsHeldAgainstTheBytes() {
        JsonObject body = new JsonObject().put("id", Marks.text("evt")).put("type", "invoice.paid");
        Ask right = WebhookSenders.stripe(here, body);

        Problem.isProblem(here.send(Webhooks.to(here, "stripe", body)), 401);
        Problem.isProblem(here.send(WebhookSenders.stripe(here, Marks.text("other-secret"), body)), 401);
        Problem.isProblem(here.send(right.json(right.text() + " ")), 401);
        assertThat(Webhooks.stored(first, here)).isZero();
        assertThat(Webhooks.status(here.send(right))).isEqualTo("processed");
        assertThat(Webhooks.status(there.send(right))).isEqualTo("already_processed");
        assertThat(Webhooks.inbox(here, 1))
                .singleElement()
                .satisfies(event -> assertThat(event.containsKey("unverified")).isFalse());
    }

    @Test
    void consumersReadAcknowledgeAndOperatorsReplay() {
        for (int i = 0; i < 3; i++) {
            here.send(WebhookSenders.stripe(here, new JsonObject().put("id", Marks.text("event"))));
        }
        List<JsonObject> events = Webhooks.inbox(there, 3);
        assertThat(events).hasSize(3);
        String path = Webhooks.INBOX + "/" + events.get(0).getString("id");

        assertThat(Webhooks.status(there.send(Ask.post(path + "/ack")))).isEqualTo("acknowledged");
        assertThat(Webhooks.status(here.send(Ask.post(path + "/ack")))).isEqualTo("already_acknowledged");
        assertThat(Page.of(here.get(Webhooks.INBOX + "?unacknowledged=true")).items())
                .hasSize(2);
        Problem.isProblem(first.caller().send(Ask.post(path + "/ack")), 404);

        Problem.isProblem(here.post(path + "/replay", new JsonObject()), 400, "reason");
        for (String reason : List.of("a test", "once more")) {
            assertThat(Webhooks.status(there.post(path + "/replay", new JsonObject().put("reason", reason))))
                    .isEqualTo("processed");
        }
        assertThat(Webhooks.inbox(here, 5))
                .hasSize(5)
                .allSatisfy(event -> assertThat(event.containsKey("unverified")).isFalse());
        assertThat(first.database()
                        .column(
                                "SELECT reason FROM idempotency_keys WHERE tenant = ? AND scope = 'webhook-replay:stripe'",
                                here.tenant()))
                .as("the operator and the reason")
                .containsExactlyInAnyOrder("replayed by anonymous: a test", "replayed by anonymous: once more");
    }

    @Test
    void logsDeliveriesWithoutTheirContent() {
        JsonObject body = new JsonObject().put("id", Marks.text("event")).put("secret", Marks.text("content"));
        String sent = body.encode();
        here.send(Webhooks.to(here, "custom", body));

        String prefix = Webhooks.inbox(here, 1).get(0).getString("key_prefix");
        assertThat(first.process().output())
                .contains("event=\"WEBHOOK_RECEIVED\" provider=\"custom\" payload_hash=\"%s\" payload_size=\"%d\""
                        .formatted(Configuration.sha256(sent), sent.length()))
                .contains("event=\"WEBHOOK_DEDUP\" provider=\"custom\" dedup_key_prefix=\"%s\" status=\"processed\""
                        .formatted(prefix))
                .containsOnlyOnce("event=\"WEBHOOK_UNVERIFIED\" provider=\"custom\"");

        assertThat(Webhooks.status(here.send(Webhooks.to(here, "custom", body.put("more", Marks.text("content"))))))
                .isEqualTo("already_processed");
        assertThat(first.process().output())
                .contains("event=\"WEBHOOK_DIFFERS\" provider=\"custom\" dedup_key_prefix=\"%s\"".formatted(prefix));
    }

    @Test
    void thePrefixOfALogLineLeadsToTheEvent() {
        here.send(Webhooks.to(here, "custom", new JsonObject().put("id", Marks.text("event"))));
        JsonObject event = Webhooks.inbox(here, 1).get(0);
        String prefix = event.getString("key_prefix");
        assertThat(first.process().output()).contains("dedup_key_prefix=\"%s\"".formatted(prefix));

        JsonObject found = there.get("/v1/keys?prefix=" + prefix).json();

        assertThat(found.getJsonArray("keys")).hasSize(1);
        JsonObject record = found.getJsonArray("records").getJsonObject(0);
        assertThat(record.getString("kind")).isEqualTo("inbox_event");
        assertThat(there.get(record.getString("path")).json().getString("id")).isEqualTo(event.getString("id"));
        JsonObject stranger = first.caller().get("/v1/keys?prefix=" + prefix).json();
        assertThat(stranger.getJsonArray("keys")).isEmpty();
        assertThat(stranger.getJsonArray("records")).isEmpty();
    }
}
