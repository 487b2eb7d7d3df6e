// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

import static dev.semel.webhooks.TestSender.answer;
import static dev.semel.webhooks.TestSender.post;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.claim.Status;
import dev.semel.memory.MemoryClaimStore;
import dev.semel.operations.PaymentKey;
import dev.semel.spi.ClaimBrowser;
import dev.semel.spi.ClaimEntry;
import dev.semel.testkit.MutableClock;
import dev.semel.webhooks.provider.WebhookRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two different events of one payment are processed once. Later events of the payment, such as refunds, are not lost. */
class WebhookPaymentsTest {
    private final MutableClock clock = MutableClock.fromNow();
    private final MemoryClaimStore store = new MemoryClaimStore(clock);
    private final OneProcess process = new OneProcess(store);
    private final TestHandler handler = new TestHandler();
    private final WebhookGate gate = process.open("paypal", handler);

    @AfterEach
    void close() {
        process.close();
    }

    @Test
    void theSecondEventOfAPaymentIsSettledWithoutBeingProcessed() {
        answer(gate.receive(captured("WH-first")));
        WebhookAnswer second = answer(gate.receive(captured("WH-second")));
        WebhookAnswer duplicate = answer(gate.receive(captured("WH-second")));

        assertThat(second.kind()).isEqualTo(WebhookAnswer.Kind.ALREADY_PROCESSED);
        assertThat(duplicate.kind()).isEqualTo(WebhookAnswer.Kind.ALREADY_PROCESSED);
        assertThat(handler.events).hasSize(1);
        assertThat(process.kinds())
                .filteredOn(kind -> kind != WebhookNotice.UnverifiedDelivery.class)
                .containsExactly(EventStatus.PROCESSED, EventStatus.PAYMENT_DUPLICATE, EventStatus.ALREADY_PROCESSED);
        assertThat(claims(PaymentKey.CONFIRMATION))
                .extracting(ClaimEntry::status)
                .containsExactly(Status.SUCCEEDED);
    }

    @Test
    void thePaymentHasTheDocumentedKey() {
        answer(gate.receive(captured("WH-first")));

        assertThat(store.find(process.semel.refOf(PaymentKey.confirmation("acme", "paypal", "capture-1"))))
                .isPresent();
    }

    @Test
    void aRefundIsNeverDropped() {
        answer(gate.receive(captured("WH-first")));
        WebhookAnswer refund = answer(gate.receive(event("WH-refund", "PAYMENT.CAPTURE.REFUNDED")));

        assertThat(refund.kind()).isEqualTo(WebhookAnswer.Kind.PROCESSED);
        assertThat(handler.events).hasSize(2);
    }

    @Test
    void afterAFailureTheNextEventCanClaimThePayment() {
        handler.fail();
        assertThat(answer(gate.receive(captured("WH-first"))).status()).isEqualTo(503);
        handler.succeed();

        assertThat(answer(gate.receive(captured("WH-second"))).kind()).isEqualTo(WebhookAnswer.Kind.PROCESSED);
        assertThat(answer(gate.receive(captured("WH-first"))).kind()).isEqualTo(WebhookAnswer.Kind.ALREADY_PROCESSED);
        assertThat(handler.events).hasSize(2);
    }

    @Test
    void afterACrashThePaymentCanBeClaimedWhenTheLeaseEnds() {
        handler.hold();
        gate.receive(captured("WH-first"));
        await().until(() -> handler.events.size() == 1);
        process.close();
        try (OneProcess other = new OneProcess(store)) {
            TestHandler survivor = new TestHandler();
            clock.advance(Duration.ofSeconds(61));

            assertThat(answer(other.open("paypal", survivor).receive(captured("WH-second")))
                            .kind())
                    .isEqualTo(WebhookAnswer.Kind.PROCESSED);
            assertThat(survivor.events).hasSize(1);
        }
    }

    @Test
    void anotherEventOfARunningPaymentWaitsForIt() {
        CompletableFuture<Void> held = handler.hold();
        CompletionStage<WebhookAnswer> first = gate.receive(captured("WH-first"));
        await().until(() -> handler.events.size() == 1);
        CompletionStage<WebhookAnswer> second = gate.receive(captured("WH-second"));
        await().until(() -> process.waiting.get() == 1);
        assertThat(second.toCompletableFuture()).isNotDone();

        held.complete(null);

        assertThat(answer(first).kind()).isEqualTo(WebhookAnswer.Kind.PROCESSED);
        assertThat(answer(second).kind()).isEqualTo(WebhookAnswer.Kind.ALREADY_PROCESSED);
        assertThat(process.kinds()).contains(EventStatus.PAYMENT_DUPLICATE);
        assertThat(handler.events).hasSize(1);
    }

    @Test
    void anotherEventOfAFailingPaymentFailsToo() {
        CompletableFuture<Void> held = handler.hold();
        CompletionStage<WebhookAnswer> first = gate.receive(captured("WH-first"));
        await().until(() -> handler.events.size() == 1);
        CompletionStage<WebhookAnswer> second = gate.receive(captured("WH-second"));
        await().until(() -> process.waiting.get() == 1);

        held.completeExceptionally(new IllegalStateException("the books are closed"));

        assertThat(answer(first).status()).isEqualTo(503);
        assertThat(answer(second).status()).isEqualTo(503);
        handler.succeed();
        assertThat(answer(gate.receive(captured("WH-second"))).kind()).isEqualTo(WebhookAnswer.Kind.PROCESSED);
        assertThat(answer(gate.receive(captured("WH-first"))).kind()).isEqualTo(WebhookAnswer.Kind.ALREADY_PROCESSED);
        assertThat(handler.events).hasSize(2);
    }

    private List<ClaimEntry> claims(String scope) {
        return store.page(ClaimBrowser.Query.of("acme", 10).inScope(scope)).entries();
    }

    private static WebhookRequest captured(String id) {
        return event(id, "PAYMENT.CAPTURE.COMPLETED");
    }

    private static WebhookRequest event(String id, String type) {
        return post(
                Map.of(),
                "{\"id\":\"" + id + "\",\"event_type\":\"" + type + "\",\"resource\":{\"id\":\"capture-1\"}}");
    }
}
