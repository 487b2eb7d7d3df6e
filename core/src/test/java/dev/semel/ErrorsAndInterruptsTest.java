// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import static dev.semel.TestEngine.CHARGE;
import static dev.semel.TestEngine.KEY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.semel.claim.Status;
import dev.semel.spi.Command;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

@EngineTest
class ErrorsAndInterruptsTest {
    private static final Operation<String> WAITING = CHARGE.waitingUpTo(Duration.ofHours(1));

    @AutoClose
    private final TestEngine engine = new TestEngine();

    private final Error error = new StackOverflowError();

    @Test
    void anErrorIsSettledAndThenRethrown() {
        assertThatThrownBy(() -> engine.execute(CHARGE, run -> {
                    throw error;
                }))
                .isSameAs(error);

        assertThat(engine.stored().status()).isEqualTo(Status.RETRYABLE);
        assertThat(engine.stored().reason()).isEqualTo("threw java.lang.StackOverflowError");
        assertThat(engine.execute(CHARGE, run -> "receipt")).isEqualTo(new Outcome.Succeeded<>("receipt", false));
    }

    @Test
    void anErrorIsClassifiedLikeAnyFailure() {
        Operation<String> choosing =
                CHARGE.classifyingFailures(failure -> failure == error ? FailureClass.FINAL : FailureClass.RETRYABLE);

        assertThatThrownBy(() -> engine.execute(choosing, run -> {
                    throw error;
                }))
                .isSameAs(error);

        assertThat(engine.stored().status()).isEqualTo(Status.FAILED);
    }

    @Test
    void anErrorOfAStageFailsTheAnswerAfterItsSettlement() {
        assertThatThrownBy(() -> join(run -> CompletableFuture.failedFuture(error)))
                .isInstanceOf(CompletionException.class)
                .cause()
                .isSameAs(error);

        assertThat(engine.stored().status()).isEqualTo(Status.RETRYABLE);
    }

    @Test
    void anErrorBeforeThereIsAStageFailsTheAnswerAfterItsSettlement() {
        assertThatThrownBy(() -> join(run -> {
                    throw error;
                }))
                .isInstanceOf(CompletionException.class)
                .cause()
                .isSameAs(error);

        assertThat(engine.stored().status()).isEqualTo(Status.RETRYABLE);
    }

    @Test
    void anInterruptedWorkFailsAndTheThreadStaysInterrupted() {
        InterruptedException interrupt = new InterruptedException();

        Outcome<String> outcome = engine.execute(CHARGE, run -> {
            throw interrupt;
        });

        assertThat(Thread.interrupted()).isTrue();
        assertThat(outcome).isEqualTo(new Outcome.Retryable<>(interrupt));
        assertThat(engine.stored().status()).isEqualTo(Status.RETRYABLE);
    }

    @Test
    void anInterruptedCallerIsServedAndStaysInterrupted() {
        Thread.currentThread().interrupt();

        Outcome<String> outcome = engine.execute(CHARGE, run -> "receipt");

        assertThat(Thread.interrupted()).isTrue();
        assertThat(outcome).isEqualTo(new Outcome.Succeeded<>("receipt", false));
        assertThat(engine.stored().status()).isEqualTo(Status.SUCCEEDED);
    }

    @Test
    void anInterruptEndsTheWaitForAnOwnerElsewhere() throws Exception {
        Claim elsewhere = engine.claimedElsewhere(CHARGE);
        Caller caller = new Caller(engine, WAITING);
        await().until(() -> engine.store.reads() > 0);

        caller.interrupt();

        assertThat(TestEngine.get(caller.outcome)).isInstanceOf(Outcome.InProgress.class);
        assertThat(TestEngine.get(caller.interrupted)).isTrue();
        TestEngine.get(engine.semel.settle(elsewhere, Status.RETRYABLE, null, null));
        await().until(() -> engine.execute(CHARGE, run -> "receipt") instanceof Outcome.Succeeded);
        assertThat(engine.stored().attempt())
                .as("the claim was not taken over in between")
                .isEqualTo(2);
        assertThat(caller.runs).hasValue(0);
    }

    @Test
    void anInterruptEndsTheWaitForAnotherThread() {
        HeldWork held = new HeldWork();
        CompletableFuture<Outcome<String>> first = engine.start(CHARGE, held);
        Caller caller = new Caller(engine, WAITING);
        await().until(() -> caller.thread.getState() == Thread.State.WAITING);

        caller.interrupt();

        assertThat(TestEngine.get(caller.outcome)).isInstanceOf(Outcome.InProgress.class);
        assertThat(TestEngine.get(caller.interrupted)).isTrue();
        held.finish("receipt");
        assertThat(TestEngine.get(first)).isEqualTo(new Outcome.Succeeded<>("receipt", false));
        assertThat(caller.runs).hasValue(0);
    }

    @Test
    void anInterruptEndsTheWaitForTheStoreAndALateGrantIsGivenBack() {
        CountDownLatch answer = new CountDownLatch(1);
        try (TestEngine silent = new TestEngine(SemelBuilder::withoutCallerRuns)) {
            silent.store.beforeCommand(command -> TestEngine.meet(answer));
            Caller caller = new Caller(silent, CHARGE);
            await().until(() -> !silent.store.commands().isEmpty());

            caller.interrupt();

            assertThat(TestEngine.get(caller.outcome))
                    .isInstanceOfSatisfying(
                            Outcome.Unavailable.class,
                            outcome -> assertThat(outcome.reason()).contains("interrupted"));
            assertThat(TestEngine.get(caller.interrupted)).isTrue();
            answer.countDown();
            await().until(() -> silent.memory.counts("acme").containsKey(Status.RETRYABLE));
            assertThat(caller.runs).hasValue(0);
            assertThat(silent.execute(CHARGE, run -> "receipt")).isEqualTo(new Outcome.Succeeded<>("receipt", false));
        }
    }

    @Test
    void anInterruptDoesNotEndTheWaitForTheSettlement() {
        CountDownLatch answer = new CountDownLatch(1);
        try (TestEngine slow = new TestEngine(SemelBuilder::withoutCallerRuns)) {
            slow.store.beforeCommand(command -> {
                if (command instanceof Command.Settle) {
                    TestEngine.meet(answer);
                }
            });
            Caller caller = new Caller(slow, CHARGE);
            await().until(() -> !slow.store.commands(Command.Settle.class).isEmpty());

            caller.interrupt();
            await().until(() -> caller.thread.getState() == Thread.State.WAITING);
            answer.countDown();

            assertThat(TestEngine.get(caller.outcome)).isEqualTo(new Outcome.Succeeded<>("receipt 1", false));
            assertThat(TestEngine.get(caller.interrupted)).isTrue();
        }
    }

    /** A thread that executes, and records whether its interrupt flag was set at the end. */
    private static final class Caller {
        final AtomicInteger runs = new AtomicInteger();
        final CompletableFuture<Outcome<String>> outcome = new CompletableFuture<>();
        final CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        final Thread thread;

        Caller(TestEngine engine, Operation<String> operation) {
            thread = new Thread(() -> {
                outcome.complete(engine.execute(operation, run -> "receipt " + runs.incrementAndGet()));
                interrupted.complete(Thread.currentThread().isInterrupted());
            });
            thread.setDaemon(true);
            thread.start();
        }

        void interrupt() {
            thread.interrupt();
        }
    }

    private void join(AsyncWork<String> work) {
        engine.semel.executeAsync(CHARGE, KEY, work).toCompletableFuture().join();
    }
}
