// SPDX-License-Identifier: Apache-2.0
package dev.semel.messaging;

import static dev.semel.messaging.GateFixture.keyOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.FailureClass;
import dev.semel.Semel;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.Status;
import dev.semel.messaging.DeadLetter.Reason;
import dev.semel.messaging.Disposition.Acknowledge;
import dev.semel.messaging.Disposition.DeadLettered;
import dev.semel.messaging.Disposition.Redeliver;
import dev.semel.messaging.Disposition.Why;
import dev.semel.spi.Command;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ConsumerGateTest {
    private static final Acknowledge FRESH = new Acknowledge(false);
    private static final Acknowledge DUPLICATE = new Acknowledge(true);

    private final GateFixture fixture = new GateFixture();
    private final ConsumerGate<String> gate = fixture.gate();

    @AfterEach
    void close() {
        fixture.close();
    }

    private static Why whyOf(Disposition disposition) {
        assertThat(disposition.acknowledged()).isFalse();
        return ((Redeliver) disposition).why();
    }

    private static DeadLetter letterOf(Disposition disposition) {
        assertThat(disposition.acknowledged()).isTrue();
        return ((DeadLettered) disposition).letter();
    }

    @Test
    void aMessageIsProcessedOnceAndItsDuplicatesAreAcknowledged() {
        assertThat(gate.receive("1|a", fixture.handler())).isEqualTo(FRESH);
        assertThat(gate.receive("1|a", fixture.handler())).isEqualTo(DUPLICATE);
        assertThat(gate.receive("2|b", fixture.handler())).isEqualTo(FRESH);

        assertThat(fixture.handled).containsExactly("1|a", "2|b");
    }

    @Test
    void tenantsAndScopesDoNotShareKeys() {
        ConsumerGate<String> byTenant =
                fixture.builder().tenant(message -> message.substring(2)).build();
        ConsumerGate<String> mailing = ConsumerGate.<String>on(fixture.semel, "orders.mail")
                .key(GateFixture::id)
                .deadLetters((message, letter) -> {})
                .build();

        assertThat(byTenant.receive("1|a", fixture.handler())).isEqualTo(FRESH);
        assertThat(byTenant.receive("1|b", fixture.handler())).isEqualTo(FRESH);
        assertThat(mailing.receive("1|a", fixture.handler())).isEqualTo(FRESH);
        assertThat(byTenant.receive("1|a", fixture.handler())).isEqualTo(DUPLICATE);
    }

    @Test
    void aRejectionIsAResult() {
        assertThat(gate.receive("1|a", (message, run) -> run.reject("SOLD_OUT")))
                .isEqualTo(FRESH);
        assertThat(gate.receive("1|a", fixture.handler())).isEqualTo(DUPLICATE);

        assertThat(fixture.letters).isEmpty();
    }

    @Test
    void aMessageInProgressElsewhereIsRedelivered() throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        try (Semel other = GateFixture.engine(fixture.memory)) {
            ConsumerGate<String> elsewhere = ConsumerGate.<String>on(other, GateFixture.SCOPE)
                    .key(GateFixture::id)
                    .deadLetters((message, letter) -> {})
                    .build();
            CompletableFuture<Disposition> first =
                    CompletableFuture.supplyAsync(() -> elsewhere.receive("1|a", (message, run) -> {
                        running.countDown();
                        end.await();
                    }));
            running.await();

            assertThat(whyOf(gate.receive("1|a", fixture.handler()))).isEqualTo(Why.IN_PROGRESS);
            end.countDown();
            assertThat(first.join()).isEqualTo(FRESH);
            assertThat(gate.receive("1|a", fixture.handler())).isEqualTo(DUPLICATE);
        }
        assertThat(fixture.handled).isEmpty();
    }

    @Test
    void aFailedMessageIsTriedAgainAfterGrowingPausesAndThenGoesToTheSink() {
        List<String> childKeys = new ArrayList<>();
        MessageHandler<String> failing = (message, run) -> {
            childKeys.add(run.childKey("charge"));
            throw new IllegalStateException("card 4111111111111111 was refused");
        };

        Disposition first = gate.receive("1|a", failing);
        Disposition second = gate.receive("1|a", failing);
        Disposition third = gate.receive("1|a", failing);

        assertThat(whyOf(first)).isEqualTo(Why.ATTEMPT_FAILED);
        assertThat(((Redeliver) first).after()).isEqualTo(Duration.ofSeconds(1));
        assertThat(((Redeliver) first).cause()).hasMessageContaining("refused");
        assertThat(((Redeliver) second).after()).isEqualTo(Duration.ofSeconds(2));
        DeadLetter letter = letterOf(third);
        assertThat(letter.reason()).isEqualTo(Reason.ATTEMPTS_EXHAUSTED);
        assertThat(letter.attempts()).isEqualTo(3);
        assertThat(letter.detail()).isEqualTo("java.lang.IllegalStateException");
        assertThat(childKeys).hasSize(3).containsOnly(childKeys.get(0));
        assertThat(gate.receive("1|a", fixture.handler())).isEqualTo(DUPLICATE);
        assertThat(fixture.letters).containsExactly(letter);
        assertThat(fixture.handled).isEmpty();
    }

    @Test
    void aFinalFailureGoesToTheSinkAtOnce() {
        ConsumerGate<String> strict = fixture.builder()
                .classifyingFailures(failure -> FailureClass.FINAL)
                .build();

        DeadLetter letter = letterOf(strict.receive("1|a", fixture.failing()));

        assertThat(letter.reason()).isEqualTo(Reason.PERMANENT_FAILURE);
        assertThat(letter.attempts()).isEqualTo(1);
    }

    @Test
    void anUnknownEffectGoesToTheSinkAndItsClaimWaitsForAPerson() {
        ConsumerGate<String> careful = fixture.builder()
                .classifyingFailures(failure -> FailureClass.UNKNOWN)
                .build();

        assertThat(letterOf(careful.receive("1|a", fixture.failing())).reason()).isEqualTo(Reason.UNKNOWN_OUTCOME);
        assertThat(letterOf(careful.receive("1|a", fixture.handler())).reason()).isEqualTo(Reason.UNKNOWN_OUTCOME);

        assertThat(fixture.handled).hasSize(1);
        assertThat(fixture.letters.get(0).id()).isEqualTo(fixture.letters.get(1).id());
        assertThat(fixture.memory.counts(ConsumerGateBuilder.DEFAULT_TENANT)).containsEntry(Status.UNKNOWN, 1L);
    }

    @Test
    void aMessageWithoutAKeyGoesToTheSink() {
        assertThat(letterOf(gate.receive("no key", fixture.handler())).reason()).isEqualTo(Reason.UNREADABLE);
        assertThat(letterOf(gate.receive("|empty key", fixture.handler())).reason())
                .isEqualTo(Reason.UNREADABLE);
        assertThat(letterOf(gate.receive("k".repeat(4_097) + "|a", fixture.handler()))
                        .reason())
                .isEqualTo(Reason.UNREADABLE);
        assertThat(gate.receive("k".repeat(4_096) + "|a", fixture.handler())).isEqualTo(FRESH);

        ConsumerGate<String> none = fixture.builder().key(message -> null).build();
        assertThat(letterOf(none.receive("1|a", fixture.handler())).reason()).isEqualTo(Reason.UNREADABLE);
    }

    @Test
    void anotherContentUnderTheSameKeyGoesToTheSink() {
        ConsumerGate<String> comparing = fixture.builder()
                .fingerprint(message -> Fingerprint.of(message))
                .build();

        assertThat(comparing.receive("1|a", fixture.handler())).isEqualTo(FRESH);
        assertThat(letterOf(comparing.receive("1|b", fixture.handler())).reason())
                .isEqualTo(Reason.KEY_REUSED);
        assertThat(comparing.receive("1|a", fixture.handler())).isEqualTo(DUPLICATE);
        assertThat(fixture.handled).containsExactly("1|a");
    }

    @Test
    void differentContentsUnderAUsedKeyAreDifferentLetters() {
        ConsumerGate<String> comparing = fixture.builder()
                .fingerprint(message -> Fingerprint.of(message))
                .build();
        comparing.receive("1|a", fixture.handler());

        String id = letterOf(comparing.receive("1|b", fixture.handler())).id();

        assertThat(letterOf(comparing.receive("1|c", fixture.handler())).id()).isNotEqualTo(id);
        assertThat(letterOf(comparing.receive("1|b", fixture.handler())).id()).isEqualTo(id);
    }

    @Test
    @Timeout(30)
    void aClaimWhoseAnswerWasLostCountsAsNoAttempt() {
        for (int i = 0; i < 3; i++) {
            fixture.store.onApply().always().failAfter();
            assertThat(whyOf(gate.receive("1|a", (message, run) -> {
                        throw new AssertionError("nothing runs");
                    })))
                    .isEqualTo(Why.STORE_UNAVAILABLE);
            fixture.store.heal();
            // The engine gives the claim back as soon as it can.
            while (isInProgress("1|a")) {
                Thread.onSpinWait();
            }
        }
        List<Integer> attempts = new ArrayList<>();

        assertThat(gate.receive("1|a", (message, run) -> attempts.add(run.attempt())))
                .isEqualTo(FRESH);
        assertThat(attempts).containsExactly(1);
    }

    private boolean isInProgress(String message) {
        var ref = fixture.semel.refOf(keyOf(message));
        var claim = fixture.memory.read(List.of(ref)).get(ref);
        return claim != null && claim.status() == Status.IN_PROGRESS;
    }

    @Test
    void anErrorOfTheSinkKeepsTheMessageUnacknowledged() {
        AtomicInteger calls = new AtomicInteger();
        ConsumerGate<String> once = fixture.builder()
                .maxAttempts(1)
                .deadLetters((message, letter) -> {
                    if (calls.incrementAndGet() == 1) {
                        throw new NoClassDefFoundError("SinkClient");
                    }
                })
                .build();

        assertThatThrownBy(() -> once.receive("1|a", fixture.failing())).isInstanceOf(NoClassDefFoundError.class);
        assertThat(letterOf(once.receive("1|a", fixture.failing())).reason()).isEqualTo(Reason.ATTEMPTS_EXHAUSTED);
    }

    @Test
    void aSinkThatFailsKeepsTheMessageUnacknowledged() {
        AtomicInteger calls = new AtomicInteger();
        List<String> ids = new ArrayList<>();
        ConsumerGate<String> once = fixture.builder()
                .maxAttempts(1)
                .deadLetters((message, letter) -> {
                    ids.add(letter.id());
                    if (calls.incrementAndGet() < 3) {
                        throw new IllegalStateException("the dead-letter topic is unavailable");
                    }
                })
                .build();

        assertThat(whyOf(once.receive("1|a", fixture.failing()))).isEqualTo(Why.SINK_FAILED);
        assertThat(whyOf(once.receive("1|a", fixture.failing()))).isEqualTo(Why.SINK_FAILED);
        assertThat(letterOf(once.receive("1|a", fixture.failing())).id()).isEqualTo(ids.get(0));
        assertThat(once.receive("1|a", fixture.failing())).isEqualTo(DUPLICATE);

        assertThat(ids).hasSize(3).containsOnly(ids.get(0));
        assertThat(fixture.handled).hasSize(1);
    }

    @Test
    void aMessageThatFailsAgainAfterAnOperatorReleasedItReachesTheSinkAgain() {
        ConsumerGate<String> once = fixture.builder().maxAttempts(1).build();
        letterOf(once.receive("1|a", fixture.failing()));
        fixture.memory.age(fixture.semel.refOf(keyOf("1|a")), Duration.ofDays(8));

        letterOf(once.receive("1|a", fixture.failing()));

        assertThat(fixture.letters).hasSize(2);
        assertThat(fixture.letters.get(0).id())
                .isNotEqualTo(fixture.letters.get(1).id());
    }

    @Test
    void whileTheStoreIsUnavailableNothingRunsAndNothingIsAcknowledged() {
        fixture.store.onApply().always().failBefore();
        assertThat(whyOf(gate.receive("1|a", fixture.handler()))).isEqualTo(Why.STORE_UNAVAILABLE);
        assertThat(fixture.handled).isEmpty();

        fixture.store.heal();
        assertThat(gate.receive("1|a", fixture.handler())).isEqualTo(FRESH);
    }

    @Test
    void aSettlementThatIsNotConfirmedLeavesTheMessageUnacknowledged() {
        fixture.store.onApplyOf(Command.Settle.class).always().reject();
        assertThat(whyOf(gate.receive("1|a", fixture.handler()))).isEqualTo(Why.UNSETTLED);
        fixture.store.heal();

        assertThat(whyOf(gate.receive("1|a", fixture.handler()))).isEqualTo(Why.IN_PROGRESS);
        fixture.clock.advance(Duration.ofSeconds(31));
        assertThat(gate.receive("1|a", fixture.handler())).isEqualTo(FRESH);
        assertThat(gate.receive("1|a", fixture.handler())).isEqualTo(DUPLICATE);
    }

    @Test
    void aSettlementWhoseAnswerWasLostMakesTheRedeliveryADuplicate() {
        fixture.store.onApplyOf(Command.Settle.class).always().failAfter();
        assertThat(whyOf(gate.receive("1|a", fixture.handler()))).isEqualTo(Why.UNSETTLED);
        fixture.store.heal();

        assertThat(gate.receive("1|a", fixture.handler())).isEqualTo(DUPLICATE);
        assertThat(fixture.handled).hasSize(1);
    }

    @Test
    void aMessageOfAKilledConsumerWaitsForTheLeaseAndGetsTheSameChildKey() {
        String childKey = fixture.claimAndDie("1|a", Duration.ofSeconds(30));
        assertThat(whyOf(gate.receive("1|a", fixture.handler()))).isEqualTo(Why.IN_PROGRESS);
        fixture.clock.advance(Duration.ofSeconds(31));

        List<String> seen = new ArrayList<>();
        assertThat(gate.receive("1|a", (message, run) -> seen.add(run.attempt() + run.childKey("charge"))))
                .isEqualTo(FRESH);

        assertThat(seen).containsExactly(2 + childKey);
    }

    @Test
    void aMessageThatKillsEveryConsumerGoesToTheSinkWithoutAnotherAttempt() {
        for (int i = 0; i < 3; i++) {
            fixture.claimAndDie("1|a", Duration.ofSeconds(30));
            fixture.clock.advance(Duration.ofSeconds(31));
        }

        DeadLetter letter = letterOf(gate.receive("1|a", fixture.handler()));

        assertThat(letter.reason()).isEqualTo(Reason.ATTEMPTS_EXHAUSTED);
        assertThat(letter.attempts()).isEqualTo(3);
        assertThat(fixture.handled).isEmpty();
    }

    @Test
    void aParkedMessageIsNotRepeated() {
        ConsumerGate<String> parking = fixture.builder().parkWhenStale().build();
        parking.receive("2|b", (message, run) -> fixture.handled.add(message));
        fixture.store.onApplyOf(Command.Settle.class).always().reject();
        parking.receive("3|c", fixture.handler());
        fixture.store.heal();
        fixture.clock.advance(Duration.ofSeconds(31));

        assertThat(letterOf(parking.receive("3|c", fixture.handler())).reason()).isEqualTo(Reason.UNKNOWN_OUTCOME);
        assertThat(fixture.handled).containsExactly("2|b", "3|c");
    }

    @Test
    void aGateNeedsAKeyAndASink() {
        assertThatThrownBy(() -> ConsumerGate.<String>on(fixture.semel, "s")
                        .deadLetters((message, letter) -> {})
                        .build())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("key(...)");
        assertThatThrownBy(() -> ConsumerGate.<String>on(fixture.semel, "s")
                        .key(GateFixture::id)
                        .build())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("deadLetters(...)");
        assertThatThrownBy(() -> fixture.builder().maxAttempts(0)).isInstanceOf(IllegalArgumentException.class);
    }
}
