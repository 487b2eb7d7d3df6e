// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import static dev.semel.TestEngine.CHARGE;
import static dev.semel.TestEngine.KEY;
import static dev.semel.TestEngine.inBackground;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.semel.claim.Fingerprint;
import dev.semel.claim.Status;
import dev.semel.claim.StoreException;
import dev.semel.claim.SweepReport;
import dev.semel.claim.Terms;
import dev.semel.spi.Command;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@EngineTest
class CloseTest {
    private final TestEngine engine = new TestEngine();
    private final AtomicInteger runs = new AtomicInteger();

    /** The second close has nothing to wait for. */
    @Test
    @Timeout(5)
    void mayBeDoneTwice() {
        engine.close();
        engine.close();

        assertThat(engine.execute(CHARGE, run -> "receipt")).isInstanceOf(Outcome.Unavailable.class);
    }

    @Test
    void afterItNothingRuns() {
        engine.close();

        assertThat(engine.execute(CHARGE, run -> "receipt " + runs.incrementAndGet()))
                .isInstanceOfSatisfying(Outcome.Unavailable.class, unavailable -> {
                    assertThat(unavailable.reason()).isEqualTo("Semel is closed");
                    assertThat(unavailable.cause()).isInstanceOf(StoreException.class);
                });
        assertThat(TestEngine.get(engine.semel.executeAsync(
                        CHARGE, KEY, run -> CompletableFuture.completedFuture("receipt " + runs.incrementAndGet()))))
                .isInstanceOf(Outcome.Unavailable.class);
        assertThat(engine.claim(Fingerprint.NONE, Terms.DEFAULT)).isInstanceOf(ClaimOutcome.Unavailable.class);
        assertThat(runs).hasValue(0);
        assertThat(engine.store.commands()).isEmpty();
    }

    @Test
    void afterItNothingIsSettledRenewedOrSwept() {
        Claim claim = engine.claimedElsewhere(CHARGE);
        engine.close();

        assertThat(TestEngine.get(engine.semel.settle(claim, Status.SUCCEEDED, null, null)))
                .isInstanceOfSatisfying(
                        Ownership.Unavailable.class,
                        unavailable -> assertThat(unavailable.reason()).isEqualTo("Semel is closed"));
        assertThat(TestEngine.get(engine.semel.renew(claim.ref(), claim.token(), Duration.ofMinutes(1))))
                .isInstanceOf(Ownership.Unavailable.class);
        CompletableFuture<?> sweep = engine.semel.sweep().toCompletableFuture();
        assertThatThrownBy(sweep::join)
                .isInstanceOf(CompletionException.class)
                .cause()
                .hasMessage("Semel is closed");
    }

    @Test
    void workThatOutlivesTheEngineIsUnsettled() {
        HeldWork held = new HeldWork();
        CompletableFuture<Outcome<String>> outcome = engine.start(CHARGE, held);

        engine.close();
        held.finish("receipt");

        assertThat(TestEngine.get(outcome))
                .isEqualTo(new Outcome.Unsettled<>("receipt", null, false, "Semel is closed"));
        assertThat(engine.stored().status()).isEqualTo(Status.IN_PROGRESS);
    }

    @Test
    void itWaitsForSettlementsInProgress() throws InterruptedException {
        CountDownLatch reached = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        engine.store.beforeCommand(command -> {
            if (command instanceof Command.Settle) {
                reached.countDown();
                TestEngine.meet(released);
            }
        });
        CompletableFuture<Outcome<String>> outcome = inBackground(() -> engine.execute(CHARGE, run -> "receipt"));
        TestEngine.meet(reached);
        Thread closing = new Thread(engine::close);
        closing.start();
        await().until(() -> closing.getState() == Thread.State.TIMED_WAITING);

        released.countDown();

        assertThat(TestEngine.get(outcome)).isEqualTo(new Outcome.Succeeded<>("receipt", false));
        closing.join();
    }

    @Test
    void aThreadThatIsInterruptedWhileClosingDoesNotWaitAndStaysInterrupted() throws InterruptedException {
        CountDownLatch reached = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        engine.store.beforeCommand(command -> {
            reached.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                interrupted.countDown();
            }
        });
        engine.semel.claim(KEY, Fingerprint.NONE, Terms.DEFAULT, Duration.ZERO);
        TestEngine.meet(reached);
        AtomicBoolean flag = new AtomicBoolean();
        Thread closing = new Thread(() -> {
            engine.close();
            flag.set(Thread.currentThread().isInterrupted());
        });
        closing.start();

        closing.interrupt();
        closing.join();

        assertThat(flag).isTrue();
        TestEngine.meet(interrupted);
    }

    @Test
    void aWaiterThatPausesIsAnswered() {
        engine.claimedElsewhere(CHARGE);
        CompletableFuture<Outcome<String>> waiter =
                inBackground(() -> engine.execute(CHARGE.waitingUpTo(Duration.ofMinutes(1)), run -> "receipt"));
        await().until(() -> engine.store.reads() > 0);

        engine.close();

        assertThat(TestEngine.get(waiter)).isInstanceOf(Outcome.InProgress.class);
    }

    @Test
    void aWaiterThatReadsIsAnswered() {
        engine.claimedElsewhere(CHARGE);
        CountDownLatch reached = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        engine.store.beforeRead(() -> {
            reached.countDown();
            TestEngine.meet(released);
        });
        CompletableFuture<Outcome<String>> waiter =
                inBackground(() -> engine.execute(CHARGE.waitingUpTo(Duration.ofMinutes(1)), run -> "receipt"));
        TestEngine.meet(reached);
        Thread closing = new Thread(engine::close);
        closing.start();
        await().until(() -> closing.getState() == Thread.State.TIMED_WAITING);

        released.countDown();

        assertThat(TestEngine.get(waiter)).isInstanceOf(Outcome.InProgress.class);
    }

    @Test
    void aSettlementThatWouldBeTriedAgainIsUnsettled() {
        engine.store.beforeCommand(command -> {
            if (command instanceof Command.Settle) {
                throw new StoreException(StoreException.Kind.BUSY, "locked");
            }
        });
        CompletableFuture<Outcome<String>> outcome = inBackground(() -> engine.execute(CHARGE, run -> "receipt"));
        await().until(() -> engine.store.commands(Command.Settle.class).size() >= 3);

        engine.close();

        assertThat(TestEngine.get(outcome))
                .isEqualTo(new Outcome.Unsettled<>("receipt", null, false, "Semel is closed"));
    }

    @Test
    void aSweepThatPausesEnds() {
        TestEngine small = new TestEngine(builder -> builder.sweepBatch(1));
        for (int i = 0; i < 100; i++) {
            small.semel.execute(CHARGE, CHARGE.key("acme", "order-" + i), run -> "receipt");
        }
        small.clock.advance(Duration.ofHours(24));
        CompletableFuture<SweepReport> sweep = small.semel.sweep().toCompletableFuture();
        await().until(() -> !small.store.sweeps().isEmpty());

        small.close();

        assertThat(TestEngine.get(sweep).more()).isTrue();
    }
}
