// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

import static dev.semel.webhooks.TestSender.answer;
import static dev.semel.webhooks.TestSender.post;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.claim.ClaimKey;
import dev.semel.claim.ClaimRef;
import dev.semel.memory.MemoryClaimStore;
import dev.semel.spi.ClaimBrowser;
import dev.semel.testkit.MutableClock;
import dev.semel.testservers.PayPalSender;
import dev.semel.webhooks.provider.Provider;
import dev.semel.webhooks.provider.ProviderConfig;
import dev.semel.webhooks.provider.Providers;
import dev.semel.webhooks.provider.WebhookRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GateTest {
    private final MutableClock clock = MutableClock.fromNow();
    private final MemoryClaimStore store = new MemoryClaimStore(clock);
    private final OneProcess process = new OneProcess(store);
    private final TestHandler handler = new TestHandler();
    private final WebhookGate paypal = process.open("paypal", handler);

    @AfterEach
    void close() {
        process.close();
    }

    @Test
    void theFirstIsProcessedAndADuplicateIsNot() {
        assertThat(answer(paypal.receive(event("WH-1")))).satisfies(first -> {
            assertThat(first.status()).isEqualTo(200);
            assertThat(text(first)).isEqualTo("{\"status\":\"processed\"}");
        });
        assertThat(answer(paypal.receive(event("WH-1")))).satisfies(duplicate -> {
            assertThat(duplicate.status()).isEqualTo(200);
            assertThat(text(duplicate)).isEqualTo("{\"status\":\"already_processed\"}");
        });
        assertThat(handler.events).hasSize(1);
        assertThat(process.kinds())
                .contains(EventStatus.PROCESSED, EventStatus.ALREADY_PROCESSED)
                .doesNotContain(WebhookNotice.ContentDiffers.class);
    }

    @Test
    void tenantsAreSeparate() {
        WebhookRequest mine = event("WH-1");
        WebhookRequest theirs = new WebhookRequest("POST", mine.url(), mine.headers(), mine.body(), "other");

        answer(paypal.receive(mine));
        answer(paypal.receive(theirs));

        assertThat(handler.events).extracting(WebhookEvent::tenant).containsExactly("acme", "other");
    }

    /** Without a signature, an attacker could add the header to any body. */
    @Test
    void anotherEventUnderAnUnverifiedTransmissionIdIsProcessed() {
        Map<String, String> reused = Map.of("PAYPAL-TRANSMISSION-ID", "transmission-1");

        assertThat(answer(paypal.receive(post(reused, "{\"id\":\"WH-1\"}"))).kind())
                .isEqualTo(WebhookAnswer.Kind.PROCESSED);
        assertThat(answer(paypal.receive(post(reused, "{\"id\":\"WH-2\"}"))).kind())
                .isEqualTo(WebhookAnswer.Kind.PROCESSED);
        assertThat(answer(paypal.receive(post(reused, "{\"id\":\"WH-1\"}"))).kind())
                .isEqualTo(WebhookAnswer.Kind.ALREADY_PROCESSED);
        assertThat(handler.events).hasSize(2);
    }

    @Test
    void anUnverifiedTransmissionIdIsTheKeyOfAnEventWithoutAnId() {
        WebhookRequest event = post(Map.of("X-PAYPAL-TRANSMISSION-ID", "transmission-1"), "{\"x\":1}");

        assertThat(answer(paypal.receive(event)).kind()).isEqualTo(WebhookAnswer.Kind.PROCESSED);
        assertThat(answer(paypal.receive(event)).kind()).isEqualTo(WebhookAnswer.Kind.ALREADY_PROCESSED);
        assertThat(handler.events).hasSize(1);
    }

    @Test
    void aVerifiedTransmissionIdIsAnAliasOfItsEvent() {
        PayPalSender sender = PayPalSender.made();
        WebhookGate verifying = process.gate(
                "paypal",
                ProviderConfig.none().with("webhook_id", "hook-1").with("certificate", sender.certificate()),
                handler,
                settings -> settings);
        String body = "{\"id\":\"WH-1\"}";
        Map<String, String> headers = sender.signed(
                Instant.now(), "transmission-1", "hook-1", "https://api.paypal.com/v1/notifications/certs/1", body);

        assertThat(answer(verifying.receive(post(headers, body))).kind()).isEqualTo(WebhookAnswer.Kind.PROCESSED);

        for (String name : List.of("ev_WH-1", "tx_transmission-1")) {
            ClaimRef ref = process.semel.refOf(new ClaimKey(TestSender.TENANT, "webhook:paypal", name));
            assertThat(store.read(List.of(ref))).as(name).containsKey(ref);
        }
    }

    @Test
    void aDeliveryWithoutAKeyIsRefused() {
        WebhookAnswer answer = answer(paypal.receive(post(Map.of(), "{\"summary\":\"nothing\"}")));

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.detail()).contains("PAYPAL-TRANSMISSION-ID");
        assertThat(answer.headers()).containsEntry("Content-Type", "application/problem+json");
    }

    @Test
    void aDuplicateWaitsForTheFirstAndAnswersFromIt() {
        CompletableFuture<Void> held = handler.hold();
        CompletionStage<WebhookAnswer> first = paypal.receive(event("WH-1"));
        await().until(() -> handler.events.size() == 1);
        CompletionStage<WebhookAnswer> second = paypal.receive(event("WH-1"));
        await().until(() -> process.waiting.get() == 1);
        assertThat(second.toCompletableFuture()).isNotDone();

        held.complete(null);

        assertThat(answer(first).kind()).isEqualTo(WebhookAnswer.Kind.PROCESSED);
        assertThat(answer(second).kind()).isEqualTo(WebhookAnswer.Kind.ALREADY_PROCESSED);
        assertThat(handler.events).hasSize(1);
    }

    @Test
    void afterAFailureAllDuplicatesFailAndTheNextDeliveryIsProcessed() {
        CompletableFuture<Void> held = handler.hold();
        List<CompletionStage<WebhookAnswer>> all = new ArrayList<>();
        all.add(paypal.receive(event("WH-1")));
        await().until(() -> handler.events.size() == 1);
        for (int i = 0; i < 4; i++) {
            all.add(paypal.receive(event("WH-1")));
        }
        await().until(() -> process.waiting.get() == 4);

        held.completeExceptionally(new IllegalStateException("the books are closed"));

        assertThat(all).map(TestSender::answer).allSatisfy(answer -> {
            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.headers()).containsKey("Retry-After");
        });
        handler.succeed();
        assertThat(answer(paypal.receive(event("WH-1"))).kind()).isEqualTo(WebhookAnswer.Kind.PROCESSED);
        assertThat(handler.events).hasSize(2);
        assertThat(handler.events.get(1).attempt()).isGreaterThan(1);
        assertThat(handler.events)
                .extracting(event -> event.childKey("x"))
                .containsOnly(handler.events.get(0).childKey("x"));
    }

    @Test
    void aHandlerMayBeALambdaAndMayBlock() {
        List<String> seen = new ArrayList<>();
        Provider stripe = Providers.of("stripe", ProviderConfig.none());
        WebhookGateBuilder gates = WebhookGate.on(process.semel).acceptingUnverified();
        WebhookGate plain = gates.build("stripe", stripe, event -> {
            seen.add("a stage");
            return CompletableFuture.completedFuture(null);
        });
        WebhookGate blocking =
                gates.build("stripe-2", stripe, EventHandler.blocking(Runnable::run, event -> seen.add("blocking")));

        assertThat(answer(plain.receive(event("evt_1"))).kind()).isEqualTo(WebhookAnswer.Kind.PROCESSED);
        assertThat(answer(blocking.receive(event("evt_1"))).kind()).isEqualTo(WebhookAnswer.Kind.PROCESSED);
        assertThat(seen).containsExactly("a stage", "blocking");
    }

    @Test
    void aTtlShorterThanTheProvidersRetryPeriodIsLogged() {
        process.gate("stripe", ProviderConfig.none(), handler, settings -> settings.ttl(Duration.ofHours(1)));

        assertThat(LogHygiene.logged()).anyMatch(line -> line.contains("WEBHOOK_TTL_SHORT"));
    }

    @Test
    void aHandlerMayThrow() {
        WebhookGate throwing = process.open("stripe", (EventHandler) event -> {
            throw new IOException("no");
        });

        assertThat(answer(throwing.receive(event("evt_1"))).kind()).isEqualTo(WebhookAnswer.Kind.FAILED);
    }

    @Test
    void aDeadProcessIsTakenOverAfterItsLease() {
        handler.hold();
        paypal.receive(event("WH-1"));
        await().until(() -> handler.events.size() == 1);
        process.close();
        try (OneProcess other = new OneProcess(store)) {
            TestHandler survivor = new TestHandler();
            WebhookGate gate = other.open("paypal", survivor);
            clock.advance(Duration.ofSeconds(61));

            assertThat(answer(gate.receive(event("WH-1"))).kind()).isEqualTo(WebhookAnswer.Kind.PROCESSED);
            assertThat(survivor.events).extracting(WebhookEvent::attempt).containsExactly(2);
            assertThat(survivor.events.get(0).childKey("x"))
                    .isEqualTo(handler.events.get(0).childKey("x"));
        }
    }

    @Test
    void aDuplicateWithOtherContentIsReportedAndNotProcessed() {
        answer(paypal.receive(post(Map.of(), "{\"id\":\"WH-1\",\"amount\":\"10.00\",\"note\":\"x\"}")));
        WebhookAnswer again =
                answer(paypal.receive(post(Map.of(), "{\"id\":\"WH-1\",\"amount\":\"11.00\",\"note\":\"x\"}")));

        assertThat(again.kind()).isEqualTo(WebhookAnswer.Kind.ALREADY_PROCESSED);
        assertThat(handler.events).hasSize(1);
        assertThat(process.notices)
                .filteredOn(WebhookNotice.ContentDiffers.class::isInstance)
                .extracting(notice ->
                        ((WebhookNotice.ContentDiffers) notice).difference().headerValue())
                .containsExactly("/amount");
    }

    @Test
    void aRetryWithOtherContentAfterAFailureIsProcessed() {
        handler.fail();
        answer(paypal.receive(post(Map.of(), "{\"id\":\"WH-1\",\"amount\":\"10.00\"}")));
        handler.succeed();

        assertThat(answer(paypal.receive(post(Map.of(), "{\"id\":\"WH-1\",\"amount\":\"11.00\"}")))
                        .kind())
                .isEqualTo(WebhookAnswer.Kind.PROCESSED);
        assertThat(handler.payloads().get(1)).contains("11.00");
    }

    @Test
    void aDuplicateInFlightMayBeAcknowledgedAtOnce() {
        WebhookGate hasty = process.gate(
                "stripe",
                ProviderConfig.none(),
                handler,
                settings -> settings.acceptingUnverified().inFlight(InFlight.ACK));
        CompletableFuture<Void> held = handler.hold();
        CompletionStage<WebhookAnswer> first = hasty.receive(event("evt_1"));
        await().until(() -> handler.events.size() == 1);

        assertThat(answer(hasty.receive(event("evt_1"))).kind()).isEqualTo(WebhookAnswer.Kind.ALREADY_PROCESSED);

        held.complete(null);
        assertThat(answer(first).kind()).isEqualTo(WebhookAnswer.Kind.PROCESSED);
    }

    @Test
    void aDeliveryThatIsTooLargeIsNotLogged() {
        WebhookGate small = process.gate(
                "stripe",
                ProviderConfig.none(),
                handler,
                settings -> settings.acceptingUnverified().maxBytes(10));

        assertThat(answer(small.receive(event("evt_123456"))).status()).isEqualTo(413);
        assertThat(handler.events).isEmpty();
    }

    @Test
    void anUnverifiedDeliveryIsRefusedUnlessAllowed() {
        WebhookGate strict = process.gate("stripe", ProviderConfig.none(), handler, settings -> settings);

        assertThat(answer(strict.receive(event("evt_1"))).status()).isEqualTo(401);
        assertThat(handler.events).isEmpty();
        assertThat(process.kinds()).containsExactly(WebhookNotice.DeliveryRefused.class);
    }

    @Test
    void aReplayProcessesADuplicateAndLeavesARecord() {
        answer(paypal.receive(event("WH-1")));

        WebhookAnswer replayed =
                answer(paypal.replay(event("WH-1"), new EventReplay("ana", "the books were restored")));

        assertThat(replayed.kind()).isEqualTo(WebhookAnswer.Kind.PROCESSED);
        assertThat(handler.events).hasSize(2);
        assertThat(handler.events.get(1).childKey("x"))
                .isNotEqualTo(handler.events.get(0).childKey("x"));
        assertThat(process.notices)
                .filteredOn(WebhookNotice.Replayed.class::isInstance)
                .extracting(notice -> ((WebhookNotice.Replayed) notice).order())
                .containsExactly(new EventReplay("ana", "the books were restored"));
        assertThat(store.page(ClaimBrowser.Query.of("acme", 10).inScope("webhook-replay:paypal"))
                        .entries())
                .singleElement()
                .satisfies(entry -> assertThat(entry.reason()).isEqualTo("replayed by ana: the books were restored"));
    }

    @Test
    void theLogHasDigestAndSizeAndSixteenCharactersOfTheKey() {
        answer(paypal.receive(event("WH-log-line")));

        assertThat(LogHygiene.logged())
                .anySatisfy(line -> assertThat(line)
                        .contains("event=\"WEBHOOK_RECEIVED\" provider=\"paypal\" payload_hash=\"")
                        .contains("payload_size=\"20\""))
                .anySatisfy(line -> assertThat(line)
                        .containsPattern("event=\"WEBHOOK_DEDUP\" .*dedup_key_prefix=\"ev_[0-9a-f]{13}\""));
    }

    private static WebhookRequest event(String id) {
        return post(Map.of(), "{\"id\":\"" + id + "\"}");
    }

    private static String text(WebhookAnswer answer) {
        return new String(answer.body(), StandardCharsets.UTF_8);
    }
}
