// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import static dev.semel.TestEngine.CHARGE;
import static dev.semel.TestEngine.inBackground;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.ClaimEvent.Kind;
import dev.semel.claim.Status;
import dev.semel.claim.StoreException;
import dev.semel.claim.StoredResult;
import dev.semel.spi.Command;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

@EngineTest
class WaitingTest {
    private static final Operation<String> WAITING = CHARGE.waitingUpTo(Duration.ofSeconds(20));

    @AutoClose
    private final TestEngine engine = new TestEngine();

    private final AtomicInteger runs = new AtomicInteger();
    private final Work<String> work = run -> "receipt " + runs.incrementAndGet();

    @Test
    void aWaiterGetsTheAnswerOfTheFirst() {
        Claim first = engine.claimedElsewhere(CHARGE);
        CompletableFuture<Outcome<String>> waiter = startWaiting();

        settle(first, Status.SUCCEEDED, new StoredResult("text/plain", "done".getBytes(StandardCharsets.UTF_8)));

        assertThat(TestEngine.get(waiter)).isEqualTo(new Outcome.Succeeded<>("done", true));
        assertThat(runs).hasValue(0);
    }

    @Test
    void aWaiterTakesOverWhenTheFirstFailsRetryably() {
        Claim first = engine.claimedElsewhere(CHARGE);
        CompletableFuture<Outcome<String>> waiter = startWaiting();

        settle(first, Status.RETRYABLE, null);

        assertThat(TestEngine.get(waiter)).isEqualTo(new Outcome.Succeeded<>("receipt 1", false));
        assertThat(engine.stored().attempt()).isEqualTo(2);
    }

    @Test
    void aWaiterTakesOverWhenTheFirstLetsItsLeaseEnd() {
        engine.claimedElsewhere(CHARGE);
        CompletableFuture<Outcome<String>> waiter = startWaiting();

        engine.age(Duration.ofMinutes(5));

        assertThat(TestEngine.get(waiter)).isEqualTo(new Outcome.Succeeded<>("receipt 1", false));
    }

    @Test
    void aWaiterClaimsAnewWhenTheClaimIsGone() {
        Claim first = engine.claimedElsewhere(CHARGE);
        CompletableFuture<Outcome<String>> waiter = startWaiting();

        settle(first, Status.RETRYABLE, null);
        engine.age(Duration.ofHours(24));
        engine.memory.sweep(1);

        assertThat(TestEngine.get(waiter)).isEqualTo(new Outcome.Succeeded<>("receipt 1", false));
    }

    @Test
    void aWaiterGivesUpWhenItsTimeIsOver() {
        engine.claimedElsewhere(CHARGE);
        long start = System.nanoTime();

        Outcome<String> outcome = engine.execute(CHARGE.waitingUpTo(Duration.ofMillis(120)), work);

        assertThat(outcome)
                .isInstanceOfSatisfying(
                        Outcome.InProgress.class,
                        running -> assertThat(running.leaseLeft())
                                .isBetween(Duration.ofMinutes(4), Duration.ofMinutes(5)));
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(120));
        assertThat(engine.store.reads()).isPositive();
        assertThat(runs).hasValue(0);
    }

    @Test
    void aWaiterAsksEverLessOften() {
        engine.claimedElsewhere(CHARGE);

        engine.execute(CHARGE.waitingUpTo(Duration.ofMillis(600)), work);

        // With jitter the pauses are at least 25, 50, 100 and 200 ms; without growth there would be twelve or more.
        assertThat(engine.store.reads()).isBetween(2, 6);
    }

    @Test
    void aWaiterHoldsNoStoreThread() {
        try (TestEngine narrow = new TestEngine(builder -> builder.storeThreads(1))) {
            Claim first = narrow.claimedElsewhere(CHARGE);
            CompletableFuture<Outcome<String>> one = inBackground(() -> narrow.execute(WAITING, work));
            CompletableFuture<Outcome<String>> two = inBackground(() -> narrow.execute(WAITING, work));
            await().until(() -> narrow.store.reads() >= 4);

            TestEngine.get(narrow.semel.settle(first, Status.FAILED, null, null));

            assertThat(TestEngine.get(one)).isEqualTo(new Outcome.Failed<>(null, null, true));
            assertThat(TestEngine.get(two)).isEqualTo(new Outcome.Failed<>(null, null, true));
        }
    }

    @Test
    void aWaiterKeepsWaitingIfTheStoreDoesNotAnswer() {
        Claim first = engine.claimedElsewhere(CHARGE);
        engine.store.beforeRead(() -> {
            throw new StoreException(StoreException.Kind.REJECTED, "no such column");
        });
        CompletableFuture<Outcome<String>> waiter = startWaiting();
        await().until(() -> engine.store.reads() >= 2);
        settle(first, Status.FAILED, null);
        engine.store.beforeRead(() -> {});

        assertThat(TestEngine.get(waiter)).isEqualTo(new Outcome.Failed<>(null, null, true));
        // The owner's call, and the waiter's first and last ones.
        assertThat(engine.store.commands(Command.Insert.class)).hasSize(3);
    }

    @Test
    void onlyTheLastAnswerIsReported() {
        Claim first = engine.claimedElsewhere(CHARGE);
        CompletableFuture<Outcome<String>> waiter = startWaiting();
        settle(first, Status.SUCCEEDED, StoredResult.tombstone("none"));

        TestEngine.get(waiter);

        assertThat(engine.journal.kinds()).containsExactly(Kind.GRANTED, Kind.SUCCEEDED, Kind.REPLAYED);
    }

    /** Returns once the waiter has asked the store again at least once. */
    private CompletableFuture<Outcome<String>> startWaiting() {
        CompletableFuture<Outcome<String>> waiter = inBackground(() -> engine.execute(WAITING, work));
        await().until(() -> engine.store.reads() > 0);
        return waiter;
    }

    private void settle(Claim claim, Status status, @Nullable StoredResult result) {
        assertThat(TestEngine.get(engine.semel.settle(claim, status, result, null)))
                .isInstanceOf(Ownership.Confirmed.class);
    }
}
