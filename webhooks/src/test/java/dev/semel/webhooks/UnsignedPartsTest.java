// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

import static dev.semel.webhooks.TestSender.answer;
import static dev.semel.webhooks.TestSender.post;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.memory.MemoryClaimStore;
import dev.semel.webhooks.provider.ProviderConfig;
import dev.semel.webhooks.signature.Encoding;
import dev.semel.webhooks.signature.Hmac;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Changing the unsigned parts of a captured delivery does not make a new event of it. */
class UnsignedPartsTest {
    private static final String SECRET = "unsigned-parts-secret";
    private static final String FORM = "application/x-www-form-urlencoded";

    private final OneProcess process = new OneProcess(new MemoryClaimStore());
    private final TestHandler handler = new TestHandler();

    @AfterEach
    void close() {
        process.close();
    }

    @Test
    void aTwilioFormIsOneEventInAnyEncoding() {
        WebhookGate gate = gate("twilio", ProviderConfig.secrets(SECRET));
        String signature = base64(Hmac.SHA1, TestSender.URL + "BodyHello thereMessageSidSM1MessageStatussent");
        Map<String, String> headers = Map.of(
                "Content-Type", FORM, "X-Twilio-Signature", signature, "I-Twilio-Idempotency-Token", "token-one");
        String body = "Body=Hello+there&MessageSid=SM1&MessageStatus=sent";

        processed(gate, headers, body);
        Map<String, String> other = with(headers, "I-Twilio-Idempotency-Token", "token-two");
        notAgain(gate, other, body);
        notAgain(gate, other, "MessageStatus=sent&MessageSid=SM1&Body=Hello+there");
        notAgain(gate, other, "Body=Hello%20there&MessageSid=SM1&MessageStatus=sent");
        notAgain(gate, other, "Body=Hello+there&MessageSid=SM1&MessageSid=SM1&MessageStatus=sent");
        notAgain(gate, other, "BodyHello+=there&MessageSid=SM1&MessageStatus=sent");
        notAgain(gate, without(headers, "I-Twilio-Idempotency-Token"), body);
        notAgain(
                gate,
                without(headers, "I-Twilio-Idempotency-Token"),
                "Body=Hello+there&MessageSid=SM1Message&Status=sent");
        assertThat(handler.events).hasSize(1);
    }

    @Test
    void anAdyenItemWithMovedFieldBoundariesIsNoNewEvent() {
        String key = "0102030405060708";
        WebhookGate gate = gate("adyen", ProviderConfig.secrets(key));
        String signature = Encoding.BASE64.encode(Hmac.SHA256.of(
                HexFormat.of().parseHex(key), "psp::shop:a:b:1:EUR:REFUND:true".getBytes(StandardCharsets.UTF_8)));

        processed(gate, Map.of(), adyen("psp", "", "shop", "a:b", signature));
        notAgain(gate, Map.of(), adyen("psp", "", "shop:a", "b", signature));
        notAgain(gate, Map.of(), adyen("psp:", "shop", "a", "b", signature));
        notAgain(gate, Map.of(), adyen("psp", ":shop", "a", "b", signature));
        notAgain(gate, Map.of(), adyen("psp", "", "shop", "a:b", signature));
        assertThat(handler.events).hasSize(1);
    }

    private static String adyen(String psp, String original, String account, String reference, String signature) {
        return "{\"notificationItems\":[{\"NotificationRequestItem\":{\"pspReference\":\"%s\",\"originalReference\":\"%s\",\"merchantAccountCode\":\"%s\",\"merchantReference\":\"%s\",\"amount\":{\"value\":1,\"currency\":\"EUR\"},\"eventCode\":\"REFUND\",\"success\":\"true\",\"additionalData\":{\"hmacSignature\":\"%s\"}}}]}"
                .formatted(psp, original, account, reference, signature);
    }

    @Test
    void aGitHubBodyIsOneEventUnderAnyEventName() {
        WebhookGate gate = gate("github", ProviderConfig.secrets(SECRET));
        String body = "{\"ref\":\"refs/heads/main\"}";
        Map<String, String> headers = Map.of(
                "X-Hub-Signature-256", "sha256=" + hex(body), "X-GitHub-Delivery", "guid-1", "X-GitHub-Event", "push");

        processed(gate, headers, body);
        for (String name : new String[] {"Push", "deployment_status", ""}) {
            notAgain(gate, with(with(headers, "X-GitHub-Delivery", "guid-2" + name), "X-GitHub-Event", name), body);
        }
        assertThat(handler.events).hasSize(1);
    }

    @Test
    void aShopifyBodyIsOneEventForEachTopic() {
        WebhookGate gate = gate("shopify", ProviderConfig.secrets(SECRET));
        String body = "{\"id\":820982911946154508,\"financial_status\":\"paid\"}";
        Map<String, String> created = Map.of(
                "X-Shopify-Hmac-Sha256", base64(Hmac.SHA256, body),
                "X-Shopify-Event-Id", "event-1",
                "X-Shopify-Topic", "orders/create");

        processed(gate, created, body);
        processed(gate, with(created, "X-Shopify-Topic", "orders/paid"), body);
        for (String topic : new String[] {"orders/create", "Orders/Create", "orders/PAID", " orders/paid "}) {
            notAgain(gate, with(with(created, "X-Shopify-Event-Id", "event-2"), "X-Shopify-Topic", topic), body);
        }
        assertThat(handler.events).hasSize(2);
    }

    /** Unknown topics are accepted, but all of them together count as one topic. */
    @Test
    void unknownTopicsDoNotMultiplyAnEvent() {
        WebhookGate gate = gate("shopify", ProviderConfig.secrets(SECRET));
        String body = "{\"id\":1}";
        Map<String, String> headers = Map.of(
                "X-Shopify-Hmac-Sha256", base64(Hmac.SHA256, body),
                "X-Shopify-Event-Id", "event-1",
                "X-Shopify-Topic", "widgets/made");

        processed(gate, headers, body);
        for (int i = 2; i < 6; i++) {
            notAgain(
                    gate,
                    with(with(headers, "X-Shopify-Event-Id", "event-" + i), "X-Shopify-Topic", "widgets/made" + i),
                    body);
        }
        notAgain(gate, without(headers, "X-Shopify-Topic"), body);
        notAgain(gate, with(headers, "X-Shopify-Topic", "orders/create?"), body);
        assertThat(handler.events).hasSize(1);
    }

    @Test
    void aSignedTossEventWithoutItsTransmissionIdIsADuplicate() {
        WebhookGate gate = gate("toss", ProviderConfig.secrets(SECRET));
        String body = "{\"eventType\":\"payout.changed\",\"data\":{\"transactionKey\":\"key-1\"}}";
        Map<String, String> headers = Map.of(
                "tosspayments-webhook-signature", "v1:" + base64(Hmac.SHA256, body + ":2026-01-01T00:00:00"),
                "tosspayments-webhook-transmission-time", "2026-01-01T00:00:00",
                "tosspayments-webhook-transmission-id", "transmission-1");

        processed(gate, headers, body);
        notAgain(gate, with(headers, "tosspayments-webhook-transmission-id", "transmission-2"), body);
        notAgain(gate, without(headers, "tosspayments-webhook-transmission-id"), body);
        assertThat(handler.events).hasSize(1);
    }

    @Test
    void aCustomEventWithoutItsHeaderIsADuplicate() {
        WebhookGate gate = gate("custom", ProviderConfig.secrets(SECRET).with("key", "header:X-Event-Id", "/event"));
        String body = "{\"event\":\"paid\",\"order\":\"order-1\"}";
        Map<String, String> headers = Map.of("X-Signature", hex(body), "X-Event-Id", "event-1");

        processed(gate, headers, body);
        notAgain(gate, with(headers, "X-Event-Id", "event-2"), body);
        notAgain(gate, without(headers, "X-Event-Id"), body);
        assertThat(handler.events).hasSize(1);
    }

    /** A signed header distinguishes two events with equal bodies. */
    @Test
    void aSignedHeaderOfACustomSenderIsAKey() {
        WebhookGate gate = gate(
                "custom",
                ProviderConfig.secrets(SECRET)
                        .with("key", "header:X-Event-Id")
                        .with("signature.content", "{header:X-Event-Id}.{body}"));
        String body = "{\"event\":\"ping\"}";

        for (String id : new String[] {"event-1", "event-2"}) {
            processed(gate, Map.of("X-Signature", hex(id + "." + body), "X-Event-Id", id), body);
        }
        notAgain(gate, Map.of("X-Signature", hex("event-1." + body), "X-Event-Id", "event-1"), body);
        assertThat(handler.events).hasSize(2);
    }

    /** The signed text does not show where the header ends and the form begins. */
    @Test
    void aCustomEventWithMovedPartBoundariesIsADuplicate() {
        WebhookGate gate = gate(
                "custom",
                ProviderConfig.secrets(SECRET)
                        .with("key", "/id")
                        .with("signature.content", "{header:X-Account}{body}"));
        String signature = hex("acme" + "id=first-event&id2=second&x=1");
        Map<String, String> headers = Map.of("X-Signature", signature, "X-Account", "acme", "Content-Type", FORM);

        processed(gate, headers, "id=first-event&id2=second&x=1");
        notAgain(gate, with(headers, "X-Account", "acmeid=first-event&id2=second&"), "x=1");
        notAgain(gate, with(headers, "X-Account", "acmeid=first-event&"), "id2=second&x=1");
        assertThat(handler.events).hasSize(1);
    }

    @Test
    void aTimestampRightAfterAFormCannotMakeANewEvent() {
        WebhookGate gate = gate(
                "custom",
                ProviderConfig.secrets(SECRET)
                        .with("key", "/id")
                        .with("tolerance_seconds", "0")
                        .with("signature.timestamp_header", "X-Timestamp")
                        .with("signature.content", "{body}{timestamp}"));
        Map<String, String> headers =
                Map.of("X-Signature", hex("id=event-121700000000"), "X-Timestamp", "1700000000", "Content-Type", FORM);

        processed(gate, headers, "id=event-12");
        notAgain(gate, with(headers, "X-Timestamp", "700000000"), "id=event-121");
        notAgain(gate, with(headers, "X-Timestamp", "21700000000"), "id=event-1");
        assertThat(handler.events).hasSize(1);
    }

    /** A part of a JSON document is not valid JSON, but a part of a form can be a valid form. */
    @Test
    void aPartOfASignedBodyIsNotAnEvent() {
        WebhookGate gate = process.gate(
                "standard-webhooks",
                ProviderConfig.secrets(Encoding.BASE64.encode(utf8(SECRET))),
                handler,
                settings -> settings.clock(() -> Instant.ofEpochSecond(1_700_000_000)));
        String text = "message-1.1700000000.a=1.1700000000.b=2";
        Map<String, String> headers = Map.of(
                "webhook-id",
                "message-1",
                "webhook-timestamp",
                "1700000000",
                "webhook-signature",
                "v1," + base64(Hmac.SHA256, text),
                "Content-Type",
                FORM);

        notAgain(gate, headers, "a=1.1700000000.b=2");
        notAgain(gate, with(headers, "webhook-id", "message-1.1700000000.a=1"), "b=2");
        assertThat(handler.events).isEmpty();
    }

    @Test
    void theFallbackDigestIgnoresAnUnsignedTimestamp() {
        String body = "{\"text\":\"hello\"}";
        WebhookGate custom = gate("custom", ProviderConfig.secrets(SECRET).with("fallback", "signature_and_payload"));
        WebhookGate whatsapp =
                gate("whatsapp", ProviderConfig.secrets(SECRET).with("fallback", "signature_and_payload"));

        for (String time : new String[] {"1700000000", "1700000001"}) {
            Map<String, String> headers = Map.of("X-Signature", hex(body), "X-Timestamp", time);
            answer(custom.receive(post(headers, body)));
            Map<String, String> hub = Map.of("X-Hub-Signature-256", "sha256=" + hex(body), "X-Hub-Timestamp", time);
            answer(whatsapp.receive(post(hub, body)));
        }

        assertThat(handler.events).hasSize(2);
    }

    private WebhookGate gate(String type, ProviderConfig config) {
        return process.gate(type, config, handler, settings -> settings);
    }

    private void processed(WebhookGate gate, Map<String, String> headers, String body) {
        assertThat(answer(gate.receive(post(headers, body))).kind()).isEqualTo(WebhookAnswer.Kind.PROCESSED);
    }

    /** The delivery is a duplicate or is refused, and the handler is not called. */
    private void notAgain(WebhookGate gate, Map<String, String> headers, String body) {
        int before = handler.events.size();
        WebhookAnswer answer = answer(gate.receive(post(headers, body)));
        assertThat(answer.kind())
                .isIn(
                        WebhookAnswer.Kind.ALREADY_PROCESSED,
                        WebhookAnswer.Kind.REFUSED,
                        WebhookAnswer.Kind.BAD_DELIVERY);
        assertThat(handler.events).as(body).hasSize(before);
    }

    private static Map<String, String> with(Map<String, String> headers, String name, String value) {
        Map<String, String> changed = new HashMap<>(headers);
        changed.put(name, value);
        return changed;
    }

    private static Map<String, String> without(Map<String, String> headers, String name) {
        Map<String, String> changed = new HashMap<>(headers);
        changed.remove(name);
        return changed;
    }

    private static String hex(String text) {
        return Encoding.HEX.encode(Hmac.SHA256.of(utf8(SECRET), utf8(text)));
    }

    private static String base64(Hmac hmac, String text) {
        return Encoding.BASE64.encode(hmac.of(utf8(SECRET), utf8(text)));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
