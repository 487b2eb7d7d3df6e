// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

import static dev.semel.webhooks.TestSender.answer;
import static dev.semel.webhooks.TestSender.post;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.management.ThreadMXBean;
import dev.semel.memory.MemoryClaimStore;
import dev.semel.spi.ClaimBrowser;
import dev.semel.testkit.MutableClock;
import dev.semel.webhooks.provider.ProviderConfig;
import dev.semel.webhooks.signature.Encoding;
import dev.semel.webhooks.signature.Hmac;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The surroundings of the events in a delivery are not multiplied in memory by the number of events. */
class LargeDeliveriesTest {
    private static final long MEBIBYTE = 1024 * 1024;

    private final MutableClock clock = MutableClock.fromNow();
    private final MemoryClaimStore store = new MemoryClaimStore(clock);
    private final OneProcess process = new OneProcess(store);
    private final TestHandler handler = new TestHandler();

    @AfterEach
    void close() {
        process.close();
    }

    @Test
    void paddingBesideManyMessagesIsRefusedBeforeAnythingIsCopiedOrClaimed() {
        WebhookGate gate = process.open("whatsapp", handler);
        String body = "{\"padding\":\"%s\",\"entry\":[{\"changes\":[{\"value\":{\"messages\":[%s]}}]}]}"
                .formatted("x".repeat(300_000), ids(2_000));

        long allocated = allocated(() ->
                assertThat(answer(gate.receive(post(Map.of(), body))).status()).isEqualTo(413));

        assertThat(allocated).isLessThan(64 * MEBIBYTE);
        assertThat(handler.events).isEmpty();
        assertThat(store.page(ClaimBrowser.Query.of(TestSender.TENANT, 10)).entries())
                .isEmpty();
    }

    @Test
    void aRepeatedItemIsCopiedOnce() {
        String key = "0102030405060708";
        WebhookGate gate = process.gate("adyen", ProviderConfig.secrets(key), handler, settings -> settings);
        String signature = Encoding.BASE64.encode(Hmac.SHA256.of(
                HexFormat.of().parseHex(key), "psp::shop:order-1:1:EUR:REFUND:true".getBytes(StandardCharsets.UTF_8)));
        String item =
                "{\"NotificationRequestItem\":{\"pspReference\":\"psp\",\"merchantAccountCode\":\"shop\",\"merchantReference\":\"order-1\",\"amount\":{\"value\":1,\"currency\":\"EUR\"},\"eventCode\":\"REFUND\",\"success\":\"true\",\"additionalData\":{\"hmacSignature\":\"%s\"}}}"
                        .formatted(signature);
        String body = "{\"padding\":\"%s\",\"notificationItems\":[%s]}"
                .formatted("x".repeat(400_000), String.join(",", Collections.nCopies(1_500, item)));

        long allocated = allocated(() ->
                assertThat(answer(gate.receive(post(Map.of(), body))).kind()).isEqualTo(WebhookAnswer.Kind.PROCESSED));

        assertThat(allocated).isLessThan(128 * MEBIBYTE);
        assertThat(handler.events).hasSize(1);
    }

    @Test
    void tooManyEventsAreRefusedBeforeTheyAreSplit() {
        WebhookGate gate = process.open("cloudevents", handler);
        String one = "{\"id\":\"event-1\",\"source\":\"here\"}";

        for (int count : new int[] {5_001, 20_000}) {
            String body = "[" + String.join(",", Collections.nCopies(count, one)) + "]";
            assertThat(answer(gate.receive(post(Map.of(), body))).detail()).contains("at most 5000 events");
        }
        assertThat(handler.events).isEmpty();
    }

    @Test
    void headersCountForEachEvent() {
        WebhookGate gate = process.open("sendgrid", handler);
        String body = events(1_000, 10);

        assertThat(answer(gate.receive(post(Map.of("X-Padding", "x".repeat(20_000)), body)))
                        .status())
                .isEqualTo(413);
        assertThat(answer(gate.receive(post(Map.of("X-Padding", "x".repeat(200)), body)))
                        .status())
                .isEqualTo(200);
    }

    @Test
    void theMaximumSizeOfExcerptsIsASetting() {
        WebhookGate gate = process.gate(
                "sendgrid",
                ProviderConfig.none(),
                handler,
                settings -> settings.acceptingUnverified().maxExcerptBytes(1_000));

        assertThat(answer(gate.receive(post(Map.of(), events(3, 1_000)))).status())
                .isEqualTo(413);
        assertThat(answer(gate.receive(post(Map.of(), events(1, 2_000)))).status())
                .as("a delivery with one event has no excerpts")
                .isEqualTo(200);
    }

    @Test
    void aRecordingSinkGetsOneBatchAtATime() {
        List<List<String>> batches = new ArrayList<>();
        List<CompletableFuture<List<EventResult>>> held = new ArrayList<>();
        WebhookGate gate = large((events, maxWait) -> {
            assertThat(events.stream()
                            .mapToLong(event -> event.event().payload().length)
                            .sum())
                    .isLessThanOrEqualTo(MEBIBYTE);
            batches.add(ids(events));
            held.add(new CompletableFuture<>());
            return held.get(held.size() - 1);
        });
        CompletionStage<WebhookAnswer> answer = gate.receive(post(Map.of(), events(30, 100_000)));

        for (int batch = 0; batch < 3; batch++) {
            int count = batch + 1;
            await().until(() -> batches.size() == count);
            held.get(batch)
                    .complete(batches.get(batch).stream()
                            .map(event -> EventResult.of(EventStatus.PROCESSED))
                            .toList());
        }

        assertThat(answer(answer).kind()).isEqualTo(WebhookAnswer.Kind.PROCESSED);
        assertThat(batches).hasSize(3);
        assertThat(batches.stream().flatMap(List::stream).toList())
                .isEqualTo(IntStream.range(0, 30).mapToObj(i -> "event-" + i).toList());
    }

    @Test
    void aFailingBatchDoesNotPreventTheNext() {
        List<List<String>> batches = new ArrayList<>();
        WebhookGate gate = large((events, maxWait) -> {
            batches.add(ids(events));
            if (batches.size() == 1) {
                throw new IllegalStateException("the first fails");
            }
            return CompletableFuture.completedFuture(events.stream()
                    .map(event -> EventResult.of(EventStatus.PROCESSED))
                    .toList());
        });

        WebhookAnswer answer = answer(gate.receive(post(Map.of(), events(30, 100_000))));

        assertThat(answer.kind()).isEqualTo(WebhookAnswer.Kind.UNAVAILABLE);
        int first = batches.get(0).size();
        assertThat(answer.events().subList(0, first))
                .extracting(WebhookAnswer.Event::status)
                .containsOnly(EventStatus.UNAVAILABLE);
        assertThat(answer.events().subList(first, 30))
                .extracting(WebhookAnswer.Event::status)
                .containsOnly(EventStatus.PROCESSED);
    }

    /** A delivery records all of its own events before it waits, so two overlapping deliveries cannot block each other. */
    @Test
    void aDeliveryWaitsForOthersAfterAllBatchesAreRecorded() {
        List<List<String>> batches = new ArrayList<>();
        List<Duration> waits = new ArrayList<>();
        WebhookGate gate = large((events, maxWait) -> {
            batches.add(ids(events));
            waits.add(maxWait);
            return CompletableFuture.completedFuture(events.stream()
                    .map(event -> maxWait.isZero() && id(event).equals("event-0")
                            ? EventResult.of(EventStatus.IN_PROGRESS)
                            : EventResult.of(EventStatus.PROCESSED))
                    .toList());
        });

        assertThat(answer(gate.receive(post(Map.of(), events(30, 100_000)))).kind())
                .isEqualTo(WebhookAnswer.Kind.PROCESSED);

        assertThat(batches).hasSize(4);
        assertThat(batches.get(3)).containsExactly("event-0");
        assertThat(waits.subList(0, 3)).containsOnly(Duration.ZERO);
        assertThat(waits.get(3)).isPositive();
    }

    /** Events of a dead process are taken over together and handled one at a time. */
    @Test
    void eventsThatAreTakenOverAreHandledOneAtATime() {
        handler.hold();
        String body = events(20, 10);
        OneProcess other = new OneProcess(store);
        TestHandler survivor = new TestHandler();
        WebhookGate dying = process.open("sendgrid", handler);
        WebhookGate gate = other.open("sendgrid", survivor);
        dying.receive(post(Map.of(), body));
        await().until(() -> handler.events.size() == 1);
        CompletionStage<WebhookAnswer> answer = gate.receive(post(Map.of(), body));
        await().until(() -> other.waiting.get() == 20);
        CompletableFuture<Void> held = survivor.hold();

        process.close();
        clock.advance(Duration.ofSeconds(61));
        await().until(() -> survivor.events.size() == 1);
        await().during(Duration.ofMillis(300)).until(() -> survivor.events.size() == 1);
        survivor.succeed();
        held.complete(null);

        assertThat(answer(answer).kind()).isEqualTo(WebhookAnswer.Kind.PROCESSED);
        assertThat(survivor.events).hasSize(20);
        other.close();
    }

    private WebhookGate large(RecordingSink sink) {
        return process.gate(
                "sendgrid",
                ProviderConfig.none(),
                sink,
                settings -> settings.acceptingUnverified().maxBytes(4 * 1024 * 1024));
    }

    private static long allocated(Runnable work) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        work.run();
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    private static String ids(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> "{\"id\":\"message-%d\"}".formatted(i))
                .collect(Collectors.joining(","));
    }

    private static String events(int count, int padding) {
        return IntStream.range(0, count)
                .mapToObj(i -> "{\"sg_event_id\":\"event-%d\",\"padding\":\"%s\"}".formatted(i, "x".repeat(padding)))
                .collect(Collectors.joining(",", "[", "]"));
    }

    private static List<String> ids(List<RecordRequest> events) {
        return events.stream().map(LargeDeliveriesTest::id).toList();
    }

    private static String id(RecordRequest event) {
        return event.key().key().key().substring("ev_".length());
    }
}
