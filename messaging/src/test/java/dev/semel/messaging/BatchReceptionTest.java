// SPDX-License-Identifier: Apache-2.0
package dev.semel.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.CallerTransactions;
import dev.semel.FailureClass;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.Semel;
import dev.semel.Work;
import dev.semel.claim.AliasedKey;
import dev.semel.claim.Fingerprint;
import dev.semel.memory.MemoryClaimStore;
import dev.semel.messaging.Disposition.Acknowledge;
import dev.semel.messaging.Disposition.DeadLettered;
import dev.semel.messaging.Disposition.Redeliver;
import dev.semel.messaging.Disposition.Why;
import dev.semel.spi.Command;
import dev.semel.testkit.Fault;
import dev.semel.testkit.FaultyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class BatchReceptionTest {
    private static final Acknowledge FRESH = new Acknowledge(false);
    private static final Acknowledge DUPLICATE = new Acknowledge(true);

    private final GateFixture fixture = new GateFixture();
    private final ConsumerGate<String> gate = fixture.gate();
    private final List<List<String>> batches = new ArrayList<>();

    @AfterEach
    void close() {
        fixture.close();
    }

    private BatchMessageHandler<String> handler() {
        return messages -> batches.add(texts(messages));
    }

    /** Fails at these messages and says where. */
    private BatchMessageHandler<String> failingAt(String... bad) {
        return messages -> {
            List<String> texts = texts(messages);
            batches.add(texts);
            for (String one : bad) {
                if (texts.contains(one)) {
                    throw new BatchFailedAtException(texts.indexOf(one), new IllegalStateException("bad"));
                }
            }
        };
    }

    /** Fails if these messages are in the batch, without saying where. */
    private BatchMessageHandler<String> failingWith(String bad) {
        return messages -> {
            batches.add(texts(messages));
            if (texts(messages).contains(bad)) {
                throw new IllegalStateException("bad");
            }
        };
    }

    private static List<String> texts(List<ClaimedMessage<String>> messages) {
        return messages.stream().map(ClaimedMessage::message).toList();
    }

    private static Object shortly(Disposition disposition) {
        return disposition instanceof Redeliver redeliver
                ? redeliver.why()
                : disposition instanceof DeadLettered lettered
                        ? lettered.letter().reason()
                        : disposition;
    }

    private List<Object> receive(BatchMessageHandler<String> handler, String... messages) {
        return gate.receiveAll(List.of(messages), handler).stream()
                .map(BatchReceptionTest::shortly)
                .toList();
    }

    @Test
    void newMessagesAreProcessedTogetherAndDuplicatesLeftOut() {
        assertThat(receive(handler(), "1|a", "2|b")).containsExactly(FRESH, FRESH);
        assertThat(receive(handler(), "1|a", "3|c", "2|b")).containsExactly(DUPLICATE, FRESH, DUPLICATE);
        assertThat(receive(handler(), "1|a", "2|b")).containsExactly(DUPLICATE, DUPLICATE);
        assertThat(receive(handler())).isEmpty();

        assertThat(batches).containsExactly(List.of("1|a", "2|b"), List.of("3|c"));
    }

    @Test
    void twoMessagesOfOneKeyInOneBatchRunOnce() {
        assertThat(receive(handler(), "1|a", "2|b", "1|a", "1|a")).containsExactly(FRESH, FRESH, DUPLICATE, DUPLICATE);

        assertThat(batches).containsExactly(List.of("1|a", "2|b"));
    }

    @Test
    void anotherContentUnderAKeyOfTheSameBatchIsNoDuplicate() {
        ConsumerGate<String> comparing = fixture.builder()
                .fingerprint(message -> Fingerprint.of(message))
                .build();

        List<Disposition> all = comparing.receiveAll(List.of("1|a", "1|b", "2|c"), handler());

        assertThat(all.stream().map(BatchReceptionTest::shortly))
                .containsExactly(FRESH, DeadLetter.Reason.KEY_REUSED, FRESH);
        assertThat(batches).containsExactly(List.of("1|a"), List.of("2|c"));
    }

    @Test
    void messagesBeforeTheFailedOneAreDoneAndThoseAfterItAreNotBegun() {
        assertThat(receive(failingAt("2|b"), "1|a", "2|b", "3|c", "2|b", "3|c"))
                .containsExactly(FRESH, Why.ATTEMPT_FAILED, Why.NOT_REACHED, Why.ATTEMPT_FAILED, Why.NOT_REACHED);
        assertThat(receive(failingAt("2|b"), "1|a", "2|b", "3|c"))
                .containsExactly(DUPLICATE, Why.ATTEMPT_FAILED, Why.NOT_REACHED);
        assertThat(receive(failingAt("2|b"), "2|b", "3|c", "4|d"))
                .containsExactly(DeadLetter.Reason.ATTEMPTS_EXHAUSTED, FRESH, FRESH);

        assertThat(fixture.letters).hasSize(1);
        assertThat(fixture.letters.get(0).attempts()).isEqualTo(3);
        assertThat(receive(handler(), "1|a", "2|b", "3|c")).containsOnly(DUPLICATE);
    }

    @Test
    void ifItIsUnknownWhichOneFailedEachIsTriedAlone() {
        assertThat(receive(failingWith("2|b"), "1|a", "2|b", "3|c")).containsOnly(Why.ATTEMPT_FAILED);
        batches.clear();

        assertThat(receive(failingWith("2|b"), "1|a", "2|b", "3|c"))
                .containsExactly(FRESH, Why.ATTEMPT_FAILED, Why.NOT_REACHED);
        assertThat(receive(failingWith("2|b"), "1|a", "2|b", "3|c"))
                .containsExactly(DUPLICATE, DeadLetter.Reason.ATTEMPTS_EXHAUSTED, FRESH);

        assertThat(batches).containsExactly(List.of("1|a"), List.of("2|b"), List.of("2|b"), List.of("3|c"));
    }

    @Test
    void aMessageThatFailedBeforeIsNotBegunIfAnEarlierOneFails() {
        receive(failingAt("2|b"), "2|b");
        batches.clear();

        assertThat(receive(failingAt("1|a"), "1|a", "2|b", "3|c"))
                .containsExactly(Why.ATTEMPT_FAILED, Why.NOT_REACHED, Why.NOT_REACHED);
        assertThat(batches).containsExactly(List.of("1|a"));
    }

    @Test
    void eachOfTwoBadMessagesHasAllItsAttemptsAndNoMore() {
        BatchMessageHandler<String> failing = messages -> {
            batches.add(texts(messages));
            if (texts(messages).contains("1|bad") || texts(messages).contains("2|bad")) {
                throw new IllegalStateException("bad");
            }
        };
        List<Object> dispositions;
        int deliveries = 0;
        do {
            dispositions = receive(failing, "1|bad", "2|bad", "3|c");
            deliveries++;
        } while (dispositions.contains(Why.ATTEMPT_FAILED));

        assertThat(dispositions).containsExactly(DUPLICATE, DeadLetter.Reason.ATTEMPTS_EXHAUSTED, FRESH);
        assertThat(deliveries).isEqualTo(4);
        assertThat(batches)
                .containsExactly(
                        List.of("1|bad", "2|bad", "3|c"),
                        List.of("1|bad"),
                        List.of("1|bad"),
                        List.of("2|bad"),
                        List.of("2|bad"),
                        List.of("3|c"));
        assertThat(fixture.letters).extracting(DeadLetter::attempts).containsExactly(3, 3);
    }

    @Test
    void anUnknownEffectOfABatchIsNotRepeated() {
        ConsumerGate<String> careful = fixture.builder()
                .classifyingFailures(failure -> FailureClass.UNKNOWN)
                .build();

        List<Disposition> all = careful.receiveAll(List.of("1|a", "2|b"), failingWith("2|b"));

        assertThat(all.stream().map(BatchReceptionTest::shortly)).containsOnly(DeadLetter.Reason.UNKNOWN_OUTCOME);
        assertThat(careful.receiveAll(List.of("1|a", "2|b"), handler()).stream().map(BatchReceptionTest::shortly))
                .containsOnly(DeadLetter.Reason.UNKNOWN_OUTCOME);
        assertThat(batches).hasSize(1);
    }

    @Test
    void aClassifierThatFailsDoesNotLeaveTheBatchUnsettled() {
        ConsumerGate<String> broken = fixture.builder()
                .classifyingFailures(failure -> {
                    throw new IllegalStateException("the classifier is broken");
                })
                .build();
        List<String> messages = List.of("1|a");

        assertThat(shortly(broken.receiveAll(messages, failingAt("1|a")).get(0)))
                .isEqualTo(Why.ATTEMPT_FAILED);
        assertThat(shortly(broken.receiveAll(messages, failingAt("1|a")).get(0)))
                .isEqualTo(Why.ATTEMPT_FAILED);
        assertThat(shortly(broken.receiveAll(messages, failingAt("1|a")).get(0)))
                .isEqualTo(DeadLetter.Reason.ATTEMPTS_EXHAUSTED);
    }

    @Test
    void aBatchInsideAnOpenTransactionIsRefused() {
        AtomicBoolean open = new AtomicBoolean(true);
        try (Semel guarded = Semel.on(fixture.memory)
                .secrets(GateFixture.SECRETS)
                .callerTransactions(new CallerTransactions() {
                    @Override
                    public boolean isActive() {
                        return open.get();
                    }

                    @Override
                    public <T extends @Nullable Object> Outcome<T> execute(
                            Operation<T> operation, AliasedKey key, Fingerprint fingerprint, Work<T> work) {
                        throw new AssertionError("the gate does not join");
                    }
                })
                .build()) {
            ConsumerGate<String> refusing = ConsumerGate.<String>on(guarded, GateFixture.SCOPE)
                    .key(GateFixture::id)
                    .deadLetters((message, letter) -> {})
                    .build();

            assertThatThrownBy(() -> refusing.receiveAll(List.of("1|a"), handler()))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("outsideTransaction()");
            assertThat(batches).isEmpty();
            open.set(false);
            assertThat(refusing.receiveAll(List.of("1|a"), handler())).containsExactly(FRESH);
        }
    }

    @Test
    void aMessageWithoutAKeyDoesNotStopItsBatch() {
        assertThat(receive(handler(), "1|a", "no key", "2|b"))
                .containsExactly(FRESH, DeadLetter.Reason.UNREADABLE, FRESH);
    }

    @Test
    void aMessageInProgressElsewhereStopsItsBatchAndCostsTheOthersNoAttempt() {
        fixture.claimAndDie("2|b", Duration.ofSeconds(30));

        assertThat(receive(handler(), "1|a", "2|b", "3|c")).containsExactly(FRESH, Why.IN_PROGRESS, Why.NOT_REACHED);

        fixture.clock.advance(Duration.ofSeconds(31));
        List<Integer> attempts = new ArrayList<>();
        assertThat(receive(
                        messages -> messages.forEach(message -> attempts.add(message.attempt())), "1|a", "2|b", "3|c"))
                .containsExactly(DUPLICATE, FRESH, FRESH);
        assertThat(attempts).containsExactly(2, 1);
    }

    @Test
    void whileTheStoreIsUnavailableNothingRuns() {
        fixture.store.onApply().always().failBefore();
        assertThat(receive(handler(), "1|a", "2|b")).containsExactly(Why.STORE_UNAVAILABLE, Why.NOT_REACHED);
        assertThat(batches).isEmpty();

        fixture.store.heal();
        assertThat(receive(handler(), "1|a", "2|b")).containsExactly(FRESH, FRESH);
    }

    @Test
    void settlementsThatAreNotConfirmedLeaveTheMessagesUnacknowledged() {
        fixture.store.onApplyOf(Command.Settle.class).always().reject();

        assertThat(receive(handler(), "1|a", "2|b")).containsExactly(Why.UNSETTLED, Why.UNSETTLED);
    }

    @Test
    @Timeout(30)
    void theLeasesOfABatchAreRenewedWhileItsHandlerRuns() {
        ConsumerGate<String> shortLeased =
                fixture.builder().lease(Duration.ofMillis(300)).build();

        List<Disposition> all = shortLeased.receiveAll(List.of("1|a", "2|b"), messages -> {
            // Each renewal prolongs the lease from the moved clock on, so that the claims survive several leases.
            for (int i = 0; i < 3; i++) {
                Duration before = leaseLeft("2|b");
                fixture.clock.advance(Duration.ofMillis(200));
                while (leaseLeft("2|b").compareTo(before.minusMillis(100)) < 0) {
                    Thread.onSpinWait();
                }
            }
        });

        assertThat(all).containsOnly(FRESH);
    }

    /** The store is so slow to take back the other claims that the leases of these would end before the handler starts. */
    @Test
    @Timeout(30)
    void theHandlerStartsBeforeOtherClaimsAreGivenBack() {
        MemoryClaimStore memory = new MemoryClaimStore();
        FaultyStore slow = new FaultyStore(memory);
        List<Duration> left = new ArrayList<>();
        try (Semel semel = Semel.on(slow)
                .secrets(GateFixture.SECRETS)
                .storeTimeout(Duration.ofSeconds(3))
                .withoutReplayCache()
                .build()) {
            ConsumerGate<String> shortLeased = ConsumerGate.<String>on(semel, GateFixture.SCOPE)
                    .key(GateFixture::id)
                    .lease(Duration.ofSeconds(2))
                    .deadLetters((message, letter) -> {})
                    .build();
            shortLeased.receiveAll(List.of("2|b"), failingAt("2|b"));
            Fault hanging = slow.onApplyOf(Command.GiveBack.class).always().hangBefore();

            List<Disposition> all = shortLeased.receiveAll(List.of("1|a", "2|b"), messages -> {
                var ref = semel.refOf(GateFixture.keyOf("1|a"));
                left.add(memory.read(List.of(ref)).get(ref).leaseLeft());
                hanging.release();
            });

            assertThat(all).containsOnly(FRESH);
            assertThat(left.get(0)).isPositive();
        }
    }

    private Duration leaseLeft(String message) {
        var ref = fixture.semel.refOf(GateFixture.keyOf(message));
        return fixture.memory.read(List.of(ref)).get(ref).leaseLeft();
    }

    @Test
    void moreMessagesThanAGroupHoldsAreAllProcessedOnce() {
        List<String> many =
                IntStream.rangeClosed(1, 1_201).mapToObj(i -> i + "|m").toList();

        assertThat(gate.receiveAll(many, handler())).containsOnly(FRESH).hasSize(1_201);
        assertThat(gate.receiveAll(many, handler())).containsOnly(DUPLICATE).hasSize(1_201);
        assertThat(batches.stream().map(List::size)).containsExactly(500, 500, 201);
    }
}
