// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

import static dev.semel.webhooks.TestSender.answer;
import static dev.semel.webhooks.TestSender.post;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.memory.MemoryClaimStore;
import dev.semel.payload.json.Json;
import dev.semel.spi.Command;
import dev.semel.testkit.FaultyStore;
import dev.semel.webhooks.provider.EventKeys;
import dev.semel.webhooks.provider.Provider;
import dev.semel.webhooks.provider.Signature;
import dev.semel.webhooks.provider.Verification;
import dev.semel.webhooks.provider.WebhookRequest;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A transmission whose signature covers the body only weakly is bound to the first accepted body. */
class TransmissionBindingsTest {
    /** Verifies every body, as if its checksum were forged. */
    private static final Provider LOOSE = new Provider() {
        @Override
        public Signature signature() {
            return (request, now) -> CompletableFuture.completedFuture(new Verification.Verified(request.headers()
                    .one("Transmission")
                    .map(id -> new Verification.Transmission(id, Duration.ofDays(1)))));
        }

        @Override
        public EventKeys keys(WebhookRequest request, Json event) {
            return EventKeys.strong("ev_" + request.headers().one("Event").orElse(""));
        }

        @Override
        public Duration ttl() {
            return Duration.ofDays(1);
        }
    };

    @Test
    void anotherBodyUnderATransmissionIsRefused() {
        try (OneProcess process = new OneProcess(new MemoryClaimStore())) {
            TestHandler handler = new TestHandler();
            WebhookGate gate = process.gate("loose", LOOSE, handler, settings -> settings);

            assertThat(answer(gate.receive(delivery("transmission-1", "event-one", "{\"amount\":10}")))
                            .status())
                    .isEqualTo(200);
            assertThat(answer(gate.receive(delivery("transmission-1", "event-two", "{\"amount\":10000}")))
                            .status())
                    .isEqualTo(401);
            assertThat(answer(gate.receive(delivery("transmission-1", "event-one", "{\"amount\":10}")))
                            .kind())
                    .isEqualTo(WebhookAnswer.Kind.ALREADY_PROCESSED);
            assertThat(handler.events).hasSize(1);
            assertThat(process.kinds()).contains(WebhookNotice.DeliveryRefused.class);
        }
    }

    @Test
    void aDeliveryThatCannotBeBoundIsNotAccepted() {
        FaultyStore store = new FaultyStore(new MemoryClaimStore());
        try (OneProcess process = new OneProcess(store)) {
            TestHandler handler = new TestHandler();
            WebhookGate gate = process.gate("loose", LOOSE, handler, settings -> settings);
            store.onApplyOf(Command.Settle.class).always().failBefore();

            assertThat(answer(gate.receive(delivery("transmission-1", "event-one", "{\"amount\":10}")))
                            .status())
                    .isEqualTo(503);
            assertThat(handler.events).isEmpty();
        }
    }

    @Test
    void aDeliveryToTheReservedTenantIsRefused() {
        try (OneProcess process = new OneProcess(new MemoryClaimStore())) {
            WebhookRequest mine = delivery("transmission-1", "event-one", "{}");
            WebhookRequest reserved =
                    new WebhookRequest("POST", mine.url(), mine.headers(), mine.body(), WebhookGate.RESERVED_TENANT);

            assertThat(answer(process.gate("loose", LOOSE, new TestHandler(), settings -> settings)
                                    .receive(reserved))
                            .status())
                    .isEqualTo(401);
        }
    }

    private static WebhookRequest delivery(String transmission, String event, String body) {
        return post(Map.of("Transmission", transmission, "Event", event), body);
    }
}
