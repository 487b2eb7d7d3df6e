// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

import static dev.semel.webhooks.TestSender.answer;
import static dev.semel.webhooks.TestSender.post;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.memory.MemoryClaimStore;
import dev.semel.webhooks.provider.ProviderConfig;
import dev.semel.webhooks.provider.WebhookRequest;
import dev.semel.webhooks.signature.Encoding;
import dev.semel.webhooks.signature.Hmac;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which deliveries are duplicates of each other, and which are different events. */
class EventKeysTest {
    private static final String SECRET = "shop-secret-of-the-test";

    private final OneProcess process = new OneProcess(new MemoryClaimStore());
    private final TestHandler handler = new TestHandler();

    @AfterEach
    void close() {
        process.close();
    }

    @Test
    void aWeakKeyWithAnotherBodyIsAnotherEvent() {
        WebhookGate toss = process.open("toss", handler);

        answer(toss.receive(payment("READY")));
        answer(toss.receive(payment("CANCELED")));
        WebhookAnswer duplicate = answer(toss.receive(payment("CANCELED")));

        assertThat(duplicate.kind()).isEqualTo(WebhookAnswer.Kind.ALREADY_PROCESSED);
        assertThat(handler.events).hasSize(2);
    }

    private static WebhookRequest payment(String status) {
        return post(
                Map.of(), "{\"eventType\":\"X\",\"data\":{\"paymentKey\":\"5zJ4xY7m\",\"status\":\"" + status + "\"}}");
    }

    @Test
    void aVerifiedBodyUnderAnotherUnsignedKeyIsADuplicate() {
        LogHygiene.sent(SECRET);
        WebhookGate github = process.gate("github", ProviderConfig.secrets(SECRET), handler, settings -> settings);
        String body = "{\"action\":\"opened\",\"number\":17}";

        assertThat(answer(github.receive(signed("delivery-one", body))).kind()).isEqualTo(WebhookAnswer.Kind.PROCESSED);
        assertThat(answer(github.receive(signed("delivery-two", body))).kind())
                .isEqualTo(WebhookAnswer.Kind.ALREADY_PROCESSED);
        assertThat(answer(github.receive(signed("delivery-three", "{\"number\":18}")))
                        .kind())
                .isEqualTo(WebhookAnswer.Kind.PROCESSED);
        assertThat(handler.events).hasSize(2);
    }

    @Test
    void anUnverifiedBodyUnderAnotherKeyIsAnotherEvent() {
        WebhookGate github = process.open("github", handler);
        String body = "{\"action\":\"opened\",\"number\":17}";

        answer(github.receive(signed("delivery-one", body)));
        answer(github.receive(signed("delivery-two", body)));

        assertThat(handler.events).hasSize(2);
    }

    private static WebhookRequest signed(String delivery, String body) {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        String signature = Encoding.HEX.encode(Hmac.SHA256.of(SECRET.getBytes(StandardCharsets.UTF_8), bytes));
        return post(Map.of("X-GitHub-Delivery", delivery, "X-Hub-Signature-256", "sha256=" + signature), body);
    }

    @Test
    void anInvalidItemDoesNotPreventTheOthers() {
        WebhookGate adyen = process.open("adyen", handler);
        String good = "{\"NotificationRequestItem\":{\"pspReference\":\"psp-1234\",\"eventCode\":\"REFUND\"}}";
        String bad = "{\"NotificationRequestItem\":{\"eventCode\":\"REFUND\"}}";

        WebhookAnswer answer =
                answer(adyen.receive(post(Map.of(), "{\"notificationItems\":[" + bad + "," + good + "]}")));

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.events())
                .extracting(WebhookAnswer.Event::status)
                .containsExactly(EventStatus.INVALID, EventStatus.PROCESSED);
        assertThat(handler.events).hasSize(1);
        assertThat(new String(handler.events.get(0).payload(), StandardCharsets.UTF_8))
                .isEqualTo("{\"notificationItems\":[" + good + "]}");
    }

    @Test
    void aFailingItemDoesNotPreventTheOthers() {
        TestHandler choosy = new TestHandler();
        WebhookGate cloud = process.gate(
                "cloudevents",
                ProviderConfig.none(),
                (EventHandler) event -> {
                    choosy.handle(event);
                    if (new String(event.payload(), StandardCharsets.UTF_8).contains("poison")) {
                        throw new IllegalStateException("no");
                    }
                    return CompletableFuture.completedFuture(null);
                },
                WebhookGateBuilder::acceptingUnverified);
        String batch = "[{\"source\":\"s\",\"id\":\"first-id\"},{\"source\":\"s\",\"id\":\"poison\"},"
                + "{\"source\":\"s\",\"id\":\"third-id\"}]";

        WebhookAnswer first = answer(cloud.receive(post(Map.of(), batch)));
        WebhookAnswer again = answer(cloud.receive(post(Map.of(), batch)));

        assertThat(first.status()).isEqualTo(503);
        assertThat(first.events())
                .extracting(WebhookAnswer.Event::status)
                .containsExactly(EventStatus.PROCESSED, EventStatus.FAILED, EventStatus.PROCESSED);
        assertThat(again.events())
                .extracting(WebhookAnswer.Event::status)
                .containsExactly(EventStatus.ALREADY_PROCESSED, EventStatus.FAILED, EventStatus.ALREADY_PROCESSED);
        assertThat(choosy.events).hasSize(4);
        assertThat(new String(first.body(), StandardCharsets.UTF_8)).contains("\"events\":[{\"key_prefix\":\"ev_");
    }

    @Test
    void aDuplicateWithinADeliveryIsProcessedOnce() {
        WebhookGate cloud = process.open("cloudevents", handler);
        String one = "{\"source\":\"s\",\"id\":\"twice-id\"}";

        WebhookAnswer answer = answer(cloud.receive(post(Map.of(), "[" + one + "," + one + "]")));

        assertThat(answer.events())
                .extracting(WebhookAnswer.Event::status)
                .containsExactly(EventStatus.PROCESSED, EventStatus.ALREADY_PROCESSED);
        assertThat(handler.events).hasSize(1);
    }

    @Test
    void anEmptyBatchIsAcknowledged() {
        assertThat(answer(process.open("sendgrid", handler).receive(post(Map.of(), "[]")))
                        .status())
                .isEqualTo(200);
    }

    @Test
    void handshakesAreAnsweredAndOtherMethodsAreRefused() {
        WebhookGate slack = process.open("slack", handler);

        WebhookAnswer challenge =
                answer(slack.receive(post(Map.of(), "{\"type\":\"url_verification\",\"challenge\":\"3eZbrw1aB\"}")));
        WebhookAnswer get = answer(slack.receive(TestSender.request("GET", TestSender.URL, Map.of(), new byte[0])));

        assertThat(challenge.status()).isEqualTo(200);
        assertThat(new String(challenge.body(), StandardCharsets.UTF_8)).isEqualTo("3eZbrw1aB");
        assertThat(get.status()).isEqualTo(405);
        assertThat(handler.events).isEmpty();
    }
}
