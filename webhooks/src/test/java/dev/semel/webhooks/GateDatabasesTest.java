// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

import static dev.semel.webhooks.TestSender.get;
import static dev.semel.webhooks.TestSender.post;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.webhooks.TwoProcesses.Database;
import dev.semel.webhooks.provider.WebhookRequest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Two processes on one database: concurrent duplicates, a failing first delivery, and overlapping batches. */
class GateDatabasesTest {
    @TempDir
    private static Path folder;

    @ParameterizedTest
    @EnumSource
    void fiveConcurrentDeliveriesAreProcessedOnce(Database database) throws Exception {
        try (TwoProcesses two = TwoProcesses.on(database, folder)) {
            List<WebhookGate> gates = two.open("paypal");
            for (int round = 0; round < 5; round++) {
                two.handler.events.clear();
                WebhookRequest delivery = event("WH-123-" + round);

                List<WebhookAnswer> answers = together(5, i -> gates.get(i % 2).receive(delivery));

                assertThat(answers).extracting(WebhookAnswer::status).containsOnly(200);
                assertThat(answers)
                        .extracting(WebhookAnswer::kind)
                        .containsExactlyInAnyOrder(
                                WebhookAnswer.Kind.PROCESSED,
                                WebhookAnswer.Kind.ALREADY_PROCESSED,
                                WebhookAnswer.Kind.ALREADY_PROCESSED,
                                WebhookAnswer.Kind.ALREADY_PROCESSED,
                                WebhookAnswer.Kind.ALREADY_PROCESSED);
                assertThat(two.handler.events).hasSize(1);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void afterAFailureAllDuplicatesFailAndTheNextDeliveryIsProcessed(Database database) throws Exception {
        try (TwoProcesses two = TwoProcesses.on(database, folder)) {
            List<WebhookGate> gates = two.open("paypal");
            CompletableFuture<Void> held = two.handler.hold();
            WebhookRequest delivery = event("WH-fails");
            List<CompletionStage<WebhookAnswer>> all = new ArrayList<>();
            all.add(gates.get(0).receive(delivery));
            await().until(() -> two.handler.events.size() == 1);
            for (int i = 1; i < 5; i++) {
                all.add(gates.get(i % 2).receive(delivery));
            }
            await().until(() -> two.waiting() == 4);

            held.completeExceptionally(new IllegalStateException("the books are closed"));

            assertThat(all)
                    .map(TestSender::answer)
                    .extracting(WebhookAnswer::status)
                    .containsOnly(503);
            two.handler.succeed();
            assertThat(get(gates.get(1).receive(delivery)).kind()).isEqualTo(WebhookAnswer.Kind.PROCESSED);
            assertThat(two.handler.events)
                    .as("a delivery that only waited does not count as an attempt")
                    .extracting(WebhookEvent::attempt)
                    .containsExactly(1, 2);
        }
    }

    /** Each delivery has half of the other's events, in reverse order. Waiting while holding claims would be a deadlock. */
    @ParameterizedTest
    @EnumSource
    void overlappingBatchesProcessEachEventOnce(Database database) throws Exception {
        try (TwoProcesses two = TwoProcesses.on(database, folder)) {
            List<WebhookGate> gates = two.open("whatsapp");
            WebhookRequest first = messages(IntStream.range(0, 100).boxed().toList());
            List<Integer> reversed =
                    new ArrayList<>(IntStream.range(50, 150).boxed().toList());
            Collections.reverse(reversed);
            WebhookRequest second = messages(reversed);

            List<WebhookAnswer> answers = together(4, i -> gates.get(i % 2).receive(i < 2 ? first : second));
            // On a slow machine the wait may end before the other delivery does. Then the sender retries.
            List<WebhookAnswer> again = together(2, i -> gates.get(i).receive(i == 0 ? first : second));

            assertThat(answers).extracting(WebhookAnswer::status).isSubsetOf(200, 503);
            assertThat(again).extracting(WebhookAnswer::kind).containsOnly(WebhookAnswer.Kind.ALREADY_PROCESSED);
            assertThat(two.handler.events).hasSize(300);
            assertThat(two.handler.events)
                    .extracting(event -> event.json().canonical())
                    .doesNotHaveDuplicates();
            assertThat(again.get(0).events()).hasSize(200);
        }
    }

    private static WebhookRequest messages(List<Integer> numbers) {
        String messages = numbers.stream()
                .map("{\"id\":\"wamid.%d\",\"type\":\"text\"}"::formatted)
                .collect(Collectors.joining(","));
        String statuses = numbers.stream()
                .map("{\"id\":\"wamid.%d\",\"status\":\"read\"}"::formatted)
                .collect(Collectors.joining(","));
        return post(
                Map.of(),
                "{\"entry\":[{\"changes\":[{\"value\":{\"messages\":[" + messages + "],\"statuses\":[" + statuses
                        + "]}}]}]}");
    }

    private static WebhookRequest event(String id) {
        return post(Map.of("PAYPAL-TRANSMISSION-ID", "transmission-" + id), "{\"id\":\"" + id + "\"}");
    }

    private interface Delivery {
        CompletionStage<WebhookAnswer> number(int i);
    }

    private static List<WebhookAnswer> together(int count, Delivery delivery) {
        List<CompletableFuture<WebhookAnswer>> started = IntStream.range(0, count)
                .mapToObj(i -> CompletableFuture.supplyAsync(
                                () -> delivery.number(i), task -> new Thread(task, "sender").start())
                        .thenCompose(stage -> stage))
                .toList();
        return started.stream().map(TestSender::get).toList();
    }
}
