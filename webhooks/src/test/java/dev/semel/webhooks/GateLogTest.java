// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

import static dev.semel.webhooks.TestSender.answer;
import static dev.semel.webhooks.TestSender.post;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.memory.MemoryClaimStore;
import dev.semel.webhooks.provider.Provider;
import dev.semel.webhooks.provider.ProviderConfig;
import dev.semel.webhooks.provider.Providers;
import dev.semel.webhooks.provider.WebhookRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Every line of the log has its facts in its text: provider, reason, outcome. Many log formats print no key-value pairs. Each
 * test has a gate of its own name, because test classes run concurrently.
 */
class GateLogTest {
    /** The prefix of the key of an event with an id, and the provider's name. */
    private static final String EVENT = "ev_[0-9a-f]{13} of ";

    private final OneProcess process = new OneProcess(new MemoryClaimStore());
    private final TestHandler handler = new TestHandler();
    private final Provider paypal = Providers.of("paypal", ProviderConfig.none());

    @AfterEach
    void close() {
        process.close();
    }

    @Test
    void aDeliveryAndItsOutcome() {
        WebhookGate gate = gate("log-outcome");
        answer(gate.receive(event("WH-outcome", "1")));
        answer(gate.receive(event("WH-outcome", "1")));

        assertThat(lines("log-outcome"))
                .hasSize(5)
                .element(0)
                .asString()
                .matches("Webhook of log-outcome received: 25 bytes, SHA-256 [0-9a-f]{64}");
        assertThat(lines("log-outcome").get(1)).isEqualTo("Webhooks of log-outcome are accepted without verification");
        assertThat(lines("log-outcome").get(2)).matches("Webhook event " + EVENT + "log-outcome completed: processed");
        assertThat(lines("log-outcome").get(4))
                .matches("Webhook event " + EVENT + "log-outcome completed: already_processed");
    }

    @Test
    void aRefusedDelivery() {
        WebhookGate gate = process.gate("log-refused", paypal, handler, settings -> settings);

        answer(gate.receive(event("WH-refused", "1")));

        assertThat(lines("log-refused"))
                .contains("Webhook of log-refused refused: the delivery is not signed, or no secret is configured to"
                        + " verify it");
    }

    @Test
    void aFailedEvent() {
        handler.fail();

        answer(gate("log-failed").receive(event("WH-failed", "1")));

        assertThat(lines("log-failed"))
                .anySatisfy(line -> assertThat(line)
                        .matches("Webhook event " + EVENT
                                + "log-failed failed with java.lang.IllegalStateException; its next"
                                + " delivery will be processed"));
    }

    @Test
    void aDuplicateWithAnotherContent() {
        WebhookGate gate = gate("log-differs");

        answer(gate.receive(event("WH-differs", "1")));
        answer(gate.receive(event("WH-differs", "2")));

        assertThat(lines("log-differs"))
                .anySatisfy(line -> assertThat(line)
                        .matches("Duplicate webhook event " + EVENT
                                + "log-differs has different content \\(1 differences\\); it"
                                + " is not processed again"));
    }

    @Test
    void aReplay() {
        answer(gate("log-replayed")
                .replay(event("WH-replayed", "1"), new EventReplay("ana", "the books were restored")));

        assertThat(lines("log-replayed"))
                .anySatisfy(line -> assertThat(line)
                        .matches("Operator ana replays webhook event replay_[0-9a-f]{9} of log-replayed:"
                                + " the books were restored"));
    }

    @Test
    void aShortTtl() {
        process.gate("log-ttl", paypal, handler, settings -> settings.ttl(Duration.ofHours(1)));

        assertThat(lines("log-ttl"))
                .singleElement()
                .asString()
                .startsWith(
                        "The TTL of webhook keys of log-ttl is PT1H, shorter than the provider's retry period of PT");
    }

    @Test
    void aListenerThatThrows() {
        WebhookGate gate = WebhookGate.on(process.semel)
                .acceptingUnverified()
                .listener(notice -> {
                    throw new IllegalStateException("full");
                })
                .build("log-listener", paypal, handler);

        answer(gate.receive(event("WH-listener", "1")));

        assertThat(lines("log-listener"))
                .contains("Webhook listener of log-listener failed with java.lang.IllegalStateException");
    }

    private WebhookGate gate(String name) {
        return process.gate(name, paypal, handler, WebhookGateBuilder::acceptingUnverified);
    }

    private static WebhookRequest event(String id, String amount) {
        return post(Map.of(), "{\"id\":\"%s\",\"n\":%s}".formatted(id, amount));
    }

    private static List<String> lines(String gate) {
        return LogHygiene.messages().stream()
                .filter(line -> line.contains(gate))
                .toList();
    }
}
