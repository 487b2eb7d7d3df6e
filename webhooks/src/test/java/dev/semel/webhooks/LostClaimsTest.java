// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

import static dev.semel.webhooks.TestSender.answer;
import static dev.semel.webhooks.TestSender.post;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.claim.ClaimKey;
import dev.semel.claim.ClaimRef;
import dev.semel.payload.json.JsonString;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import dev.semel.webhooks.TwoProcesses.Database;
import dev.semel.webhooks.WebhookAnswer.Kind;
import dev.semel.webhooks.provider.ProviderConfig;
import dev.semel.webhooks.provider.WebhookRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A delivery claims all of its events at once. An event whose claim is lost before it is handled is not handled. */
class LostClaimsTest {
    private static final Duration LEASE = Duration.ofSeconds(1);

    @TempDir
    private static Path folder;

    private final TestHandler first = new TestHandler();
    private final TestHandler second = new TestHandler();

    @ParameterizedTest
    @EnumSource
    void anEventThatAnotherProcessTookOverDuringAPauseIsNotHandled(Database database) throws Exception {
        try (TwoProcesses two = TwoProcesses.on(database, folder)) {
            WebhookGate paused = gate("whatsapp", two.first(), first, LEASE);
            CompletableFuture<Void> held = first.hold();
            CompletionStage<WebhookAnswer> batch = begun(paused, messages("a", "b"));
            two.storeOfFirst().onApplyOf(Command.Renew.class).always().failBefore();
            takenOver(two.second().open("whatsapp", second), messages("b"));

            two.storeOfFirst().heal();
            held.complete(null);

            assertThat(answer(batch).events())
                    .extracting(WebhookAnswer.Event::status)
                    .doesNotContain(EventStatus.FAILED)
                    .containsOnlyOnce(EventStatus.PROCESSED);
            assertThat(ids(first)).containsExactly("a");
            assertThat(ids(second)).containsExactly("b");
            assertThat(answer(paused.receive(messages("a", "b"))).kind()).isEqualTo(Kind.ALREADY_PROCESSED);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MEMORY", "POSTGRESQL"})
    void anEventThatAnotherProcessTookOverAfterTheMaximumRunTimeIsNotHandled(Database database) throws Exception {
        try (TwoProcesses two = TwoProcesses.on(database, folder)) {
            WebhookGate slow = gate("whatsapp", two.first(), first, Duration.ofMillis(250));
            CompletableFuture<Void> held = first.hold();
            CompletionStage<WebhookAnswer> batch = begun(slow, messages("a", "b"));
            takenOver(two.second().open("whatsapp", second), messages("b"));

            held.complete(null);

            assertThat(answer(batch).events()).hasSize(2);
            assertThat(ids(first)).containsExactly("a");
            assertThat(ids(second)).containsExactly("b");
        }
    }

    @Test
    void anEventThatAnotherProcessTookOverBeforeTheClaimWasAnsweredIsNotHandled() throws Exception {
        try (TwoProcesses two = TwoProcesses.on(Database.MEMORY, folder)) {
            WebhookGate paused = gate("whatsapp", two.first(), first, Duration.ofMillis(400));
            two.storeOfFirst().onApplyOf(Command.Insert.class).always().hangAfter();
            CompletionStage<WebhookAnswer> late = paused.receive(messages("b"));
            await().until(() -> claim(two, "b").isPresent());
            takenOver(two.second().open("whatsapp", second), messages("b"));

            two.storeOfFirst().heal();

            assertThat(answer(late).kind()).isNotEqualTo(Kind.PROCESSED);
            assertThat(first.events).isEmpty();
            assertThat(second.events).hasSize(1);
        }
    }

    /** Two events of one payment, of which the other one was handled in the meantime. */
    @ParameterizedTest
    @EnumSource
    void anEventWhosePaymentAnotherProcessTookOverIsNotHandled(Database database) throws Exception {
        try (TwoProcesses two = TwoProcesses.on(database, folder)) {
            WebhookGate paused = gate("adyen", two.first(), first, LEASE);
            CompletableFuture<Void> held = first.hold();
            CompletionStage<WebhookAnswer> batch =
                    begun(paused, payments(payment("shop", "payment-1"), payment("shop", "payment-2")));
            two.storeOfFirst().onApplyOf(Command.Renew.class).always().failBefore();
            takenOver(two.second().open("adyen", second), payments(payment("branch", "payment-2")));

            two.storeOfFirst().heal();
            held.complete(null);

            assertThat(answer(batch).events())
                    .extracting(WebhookAnswer.Event::status)
                    .doesNotContain(EventStatus.FAILED)
                    .containsOnlyOnce(EventStatus.PROCESSED);
            assertThat(first.events).hasSize(1);
            assertThat(second.events).hasSize(1);
        }
    }

    @Test
    void aLeaseThatEndedDuringAPauseIsRenewedIfNoOtherProcessTookOver() throws Exception {
        try (TwoProcesses two = TwoProcesses.on(Database.MEMORY, folder)) {
            WebhookGate paused = gate("whatsapp", two.first(), first, LEASE);
            CompletableFuture<Void> held = first.hold();
            CompletionStage<WebhookAnswer> batch = begun(paused, messages("a", "b"));
            two.storeOfFirst().onApplyOf(Command.Renew.class).always().failBefore();
            await().until(() -> claim(two, "b").orElseThrow().leaseLeft().isZero());

            two.storeOfFirst().heal();
            held.complete(null);

            assertThat(answer(batch).kind()).isEqualTo(Kind.PROCESSED);
            assertThat(ids(first)).containsExactly("a", "b");
        }
    }

    @Test
    void anEventWithUnknownOwnershipIsNotHandledAndTheNextDeliveryIsProcessed() throws Exception {
        try (TwoProcesses two = TwoProcesses.on(Database.MEMORY, folder)) {
            WebhookGate paused = gate("whatsapp", two.first(), first, LEASE);
            CompletableFuture<Void> held = first.hold();
            CompletionStage<WebhookAnswer> batch = begun(paused, messages("a", "b"));
            two.storeOfFirst().onApplyOf(Command.Renew.class).always().failBefore();
            await().until(() -> claim(two, "b").orElseThrow().leaseLeft().isZero());

            held.complete(null);

            assertThat(answer(batch).events())
                    .extracting(WebhookAnswer.Event::status)
                    .containsExactly(EventStatus.PROCESSED, EventStatus.UNAVAILABLE);
            assertThat(ids(first)).containsExactly("a");
            two.storeOfFirst().heal();
            assertThat(answer(paused.receive(messages("a", "b"))).kind()).isEqualTo(Kind.PROCESSED);
            assertThat(ids(first)).containsExactly("a", "b");
        }
    }

    private static WebhookGate gate(String type, OneProcess process, TestHandler handler, Duration lease) {
        return process.gate(
                type,
                ProviderConfig.none(),
                handler,
                settings -> settings.acceptingUnverified().lease(lease));
    }

    /** Sends until the first event is being handled. On a slow machine a short lease can end before that. */
    private CompletionStage<WebhookAnswer> begun(WebhookGate gate, WebhookRequest request) {
        while (true) {
            CompletionStage<WebhookAnswer> sent = gate.receive(request);
            await().until(() ->
                    !first.events.isEmpty() || sent.toCompletableFuture().isDone());
            if (!first.events.isEmpty()) {
                return sent;
            }
        }
    }

    /** Retries like a sender until the delivery is processed. */
    private static void takenOver(WebhookGate gate, WebhookRequest request) {
        await().atMost(Duration.ofSeconds(60))
                .until(() -> answer(gate.receive(request)).kind() == Kind.PROCESSED);
    }

    private static Optional<Snapshot> claim(TwoProcesses two, String message) {
        ClaimRef ref = two.first().semel.refOf(new ClaimKey(TestSender.TENANT, "webhook:whatsapp", "msg_" + message));
        return Optional.ofNullable(two.storeOfFirst().read(List.of(ref)).get(ref));
    }

    private static List<String> ids(TestHandler handler) {
        return handler.documents().stream()
                .map(event -> ((JsonString) event.members().get("id")).value())
                .toList();
    }

    private static WebhookRequest messages(String... ids) {
        String messages = Arrays.stream(ids).map("{\"id\":\"%s\"}"::formatted).collect(Collectors.joining(","));
        return post(Map.of(), "{\"entry\":[{\"changes\":[{\"value\":{\"messages\":[" + messages + "]}}]}]}");
    }

    private static WebhookRequest payments(String... items) {
        return post(Map.of(), "{\"notificationItems\":[" + String.join(",", items) + "]}");
    }

    private static String payment(String account, String reference) {
        return """
                {"NotificationRequestItem":{"merchantAccountCode":"%s","pspReference":"%s",\
                "eventCode":"AUTHORISATION","success":"true"}}""".formatted(account, reference);
    }
}
