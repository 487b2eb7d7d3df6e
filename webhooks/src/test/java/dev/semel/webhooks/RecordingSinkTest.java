// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

import static dev.semel.webhooks.TestSender.answer;
import static dev.semel.webhooks.TestSender.post;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.semel.claim.ClaimKey;
import dev.semel.memory.MemoryClaimStore;
import dev.semel.payload.compare.Difference;
import dev.semel.webhooks.provider.EventKeys.Strength;
import dev.semel.webhooks.provider.ProviderConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A recording sink gets everything that it needs to claim and store, and the gate answers with its results. */
class RecordingSinkTest {
    private final OneProcess process = new OneProcess(new MemoryClaimStore());
    private final List<RecordRequest> asked = new ArrayList<>();
    private final List<Duration> waits = new ArrayList<>();
    private EventResult next = EventResult.of(EventStatus.PROCESSED);

    @AfterEach
    void close() {
        process.close();
    }

    private CompletionStage<List<EventResult>> recorded(List<RecordRequest> events, Duration maxWait) {
        asked.addAll(events);
        waits.add(maxWait);
        return CompletableFuture.completedFuture(
                events.stream().map(event -> next).toList());
    }

    /** It would be acknowledged, and the event would be lost. */
    @Test
    void aSinkCannotCallAnEventInvalid() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EventResult.of(EventStatus.INVALID))
                .withMessageContaining("FAILED");
    }

    @Test
    void theSinkGetsKeysPaymentTtlAndEvent() {
        WebhookGate gate = process.open("paypal", (RecordingSink) this::recorded);

        answer(gate.receive(post(
                Map.of("PAYPAL-TRANSMISSION-ID", "transmission-1"),
                "{\"id\":\"WH-record\",\"event_type\":\"PAYMENT.SALE.COMPLETED\",\"resource\":{\"id\":\"sale-1\"}}")));

        RecordRequest request = asked.get(0);
        assertThat(request.key().key()).isEqualTo(new ClaimKey("acme", "webhook:paypal", "ev_WH-record"));
        assertThat(request.key().aliases()).as("the header is not signed").isEmpty();
        assertThat(request.strength()).isEqualTo(Strength.STRONG);
        assertThat(request.payment())
                .contains(new ClaimKey("acme", "payment_confirmation", "provider:paypal:tx:sale-1"));
        assertThat(request.ttl()).isEqualTo(Duration.ofDays(5).plusMinutes(1));
        assertThat(request.paymentTtl()).isEqualTo(Duration.ofHours(24));
        assertThat(request.prefix()).startsWith("ev_").hasSize(16).doesNotContain("WH-record");
        assertThat(request.event().provider()).isEqualTo("paypal");
    }

    /** The confirmation of the payment may fail, and then the event would be lost. */
    @Test
    void whileItsPaymentIsBeingConfirmedAnEventIsNotAcknowledged() {
        WebhookGate gate = process.gate(
                "paypal",
                ProviderConfig.none(),
                (RecordingSink) this::recorded,
                settings -> settings.acceptingUnverified().inFlight(InFlight.ACK));
        next = EventResult.of(EventStatus.IN_PROGRESS);

        assertThat(answer(
                                gate.receive(
                                        post(
                                                Map.of(),
                                                "{\"id\":\"WH-1\",\"event_type\":\"PAYMENT.SALE.COMPLETED\",\"resource\":{\"id\":\"sale-1\"}}")))
                        .status())
                .isEqualTo(503);
        assertThat(answer(gate.receive(post(Map.of(), "{\"id\":\"WH-2\"}"))).kind())
                .isEqualTo(WebhookAnswer.Kind.ALREADY_PROCESSED);
        assertThat(waits.get(0)).isPositive();
        assertThat(waits.get(1))
                .as("an event without a payment is acknowledged at once")
                .isZero();
    }

    @Test
    void theGateAnswersWithTheSinksResults() {
        WebhookGate gate = process.open("stripe", (RecordingSink) this::recorded);

        assertThat(status(gate)).isEqualTo(WebhookAnswer.Kind.PROCESSED);
        next = EventResult.of(EventStatus.ALREADY_PROCESSED);
        assertThat(status(gate)).isEqualTo(WebhookAnswer.Kind.ALREADY_PROCESSED);
        next = EventResult.differing(Difference.UNEXPLAINED);
        assertThat(status(gate)).isEqualTo(WebhookAnswer.Kind.ALREADY_PROCESSED);
        next = EventResult.of(EventStatus.PAYMENT_DUPLICATE);
        assertThat(status(gate)).isEqualTo(WebhookAnswer.Kind.ALREADY_PROCESSED);
        next = EventResult.of(EventStatus.IN_PROGRESS);
        assertThat(status(gate)).isEqualTo(WebhookAnswer.Kind.IN_PROGRESS);
        next = EventResult.of(EventStatus.UNAVAILABLE);
        assertThat(status(gate)).isEqualTo(WebhookAnswer.Kind.UNAVAILABLE);
        assertThat(process.kinds())
                .filteredOn(kind -> kind != WebhookNotice.UnverifiedDelivery.class)
                .containsExactly(
                        EventStatus.PROCESSED,
                        EventStatus.ALREADY_PROCESSED,
                        WebhookNotice.ContentDiffers.class,
                        EventStatus.ALREADY_PROCESSED,
                        EventStatus.PAYMENT_DUPLICATE,
                        EventStatus.IN_PROGRESS,
                        EventStatus.UNAVAILABLE);
    }

    @Test
    void theMaximumWaitIsASecondLessThanTheSendersTimeOut() {
        WebhookGate gate = process.open("slack", (RecordingSink) this::recorded);

        answer(gate.receive(post(Map.of(), "{\"event_id\":\"Ev-record\"}")));

        assertThat(waits)
                .singleElement()
                .satisfies(maxWait -> assertThat(maxWait).isPositive().isLessThanOrEqualTo(Duration.ofSeconds(2)));
    }

    @Test
    void childKeysAreTheSameOnEveryDelivery() {
        WebhookGate gate = process.open("stripe", (RecordingSink) this::recorded);

        status(gate);
        status(gate);

        assertThat(asked.get(1).event().childKey("x"))
                .isEqualTo(asked.get(0).event().childKey("x"));
    }

    @Test
    void aFailingSinkIsAnsweredAsUnavailable() {
        WebhookGate gate = process.open("stripe", (RecordingSink)
                (events, maxWait) -> CompletableFuture.failedFuture(new IllegalStateException("no")));

        assertThat(status(gate)).isEqualTo(WebhookAnswer.Kind.UNAVAILABLE);
    }

    @Test
    void aReplayIsStoredUnderANewKey() {
        WebhookGate gate = process.open("stripe", (RecordingSink) this::recorded);

        WebhookAnswer answer = answer(
                gate.replay(post(Map.of(), "{\"id\":\"evt_record\"}"), new EventReplay("ana", "lost by the consumer")));

        assertThat(answer.kind()).isEqualTo(WebhookAnswer.Kind.PROCESSED);
        assertThat(asked.get(0).key().key().key()).startsWith("replay_");
        assertThat(asked.get(0).event().verified()).isFalse();
        assertThat(process.kinds()).contains(WebhookNotice.Replayed.class);
        answer(gate.replay(post(Map.of(), "{\"id\":\"evt_record\"}"), new EventReplay("ana", "again").ofVerified()));
        assertThat(asked.get(1).event().verified()).isTrue();
    }

    private static WebhookAnswer.Kind status(WebhookGate gate) {
        return answer(gate.receive(post(Map.of(), "{\"id\":\"evt_record\"}"))).kind();
    }
}
