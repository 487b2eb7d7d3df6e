// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import static dev.semel.TestEngine.CHARGE;
import static dev.semel.TestEngine.KEY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.semel.claim.Fingerprint;
import dev.semel.claim.Status;
import dev.semel.spi.Command;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

@EngineTest
class ExecuteOnCallerTest {
    @AutoClose
    private final TestEngine engine = new TestEngine();

    private final AtomicInteger runs = new AtomicInteger();
    private final CompletableFuture<String> end = new CompletableFuture<>();

    @Test
    void startsTheWorkOnTheCallingThreadAndReturnsBeforeItEnds() {
        AtomicReference<Thread> starter = new AtomicReference<>();

        CompletableFuture<Outcome<String>> first = execute(run -> {
            starter.set(Thread.currentThread());
            return end;
        });

        assertThat(starter).hasValue(Thread.currentThread());
        assertThat(first).isNotDone();
        assertThat(engine.execute(CHARGE, run -> "never")).isInstanceOf(Outcome.InProgress.class);
        end.complete("receipt");
        assertThat(TestEngine.get(first)).isEqualTo(new Outcome.Succeeded<>("receipt", false));
        assertThat(engine.execute(CHARGE, run -> "never")).isEqualTo(new Outcome.Succeeded<>("receipt", true));
    }

    @Test
    void workThatEndsAtOnceIsSettledByTheCaller() {
        AtomicReference<Thread> settler = new AtomicReference<>();
        engine.store.beforeCommand(command -> {
            if (command instanceof Command.Settle) {
                settler.set(Thread.currentThread());
            }
        });

        CompletableFuture<Outcome<String>> outcome = execute(run -> CompletableFuture.completedFuture("receipt"));

        assertThat(outcome).isCompletedWithValue(new Outcome.Succeeded<>("receipt", false));
        assertThat(settler).hasValue(Thread.currentThread());
    }

    @Test
    void aThreadThatReturnedMakesNoCallToTheStoreWhenItEndsTheWork() {
        AtomicReference<Thread> settler = new AtomicReference<>();
        engine.store.beforeCommand(command -> {
            if (command instanceof Command.Settle) {
                settler.set(Thread.currentThread());
            }
        });
        CompletableFuture<Outcome<String>> outcome = execute(run -> end);

        end.complete("receipt");

        assertThat(TestEngine.get(outcome)).isEqualTo(new Outcome.Succeeded<>("receipt", false));
        assertThat(settler.get()).isNotNull().isNotEqualTo(Thread.currentThread());
    }

    @Test
    void workThatEndsLaterCompletesOnTheGivenExecutorOnly() throws InterruptedException {
        QueuedExecutor executor = new QueuedExecutor();
        CountDownLatch ended = new CountDownLatch(1);
        try (TestEngine queued = new TestEngine(builder -> builder.callbackExecutor(executor))) {
            queued.store.beforeCommand(command -> {
                if (command instanceof Command.Settle) {
                    TestEngine.meet(ended);
                }
            });
            CompletableFuture<Outcome<String>> outcome = queued.semel
                    .executeOnCaller(CHARGE, KEY, Fingerprint.NONE, run -> end)
                    .toCompletableFuture();
            CompletableFuture<Thread> completedOn = outcome.thenApply(done -> Thread.currentThread());
            end.complete("receipt");
            ended.countDown();

            executor.runUntilDone(outcome);

            assertThat(completedOn).isCompletedWithValue(Thread.currentThread());
        }
    }

    @Test
    void comparesFingerprints() {
        TestEngine.get(engine.semel.executeOnCaller(
                CHARGE, KEY, Fingerprint.of("10 EUR"), run -> CompletableFuture.completedFuture("receipt")));

        assertThat(TestEngine.get(engine.semel.executeOnCaller(CHARGE, KEY, Fingerprint.of("20 EUR"), run -> end)))
                .isEqualTo(new Outcome.Mismatch<>(Fingerprint.of("10 EUR")));
    }

    @Test
    void aKeyNestedInItsOwnStartIsRefusedAndLaterCallsAreDuplicates() {
        CompletableFuture<Outcome<String>> first = execute(run -> {
            assertThatIllegalStateException().isThrownBy(() -> execute(inner -> end));
            return end;
        });

        assertThat(TestEngine.get(execute(inner -> end))).isInstanceOf(Outcome.InProgress.class);
        end.complete("receipt");
        assertThat(TestEngine.get(first)).isEqualTo(new Outcome.Succeeded<>("receipt", false));
    }

    @Test
    void aStageThatFailsAndAStartThatThrowsReleaseTheKey() {
        IOException failure = new IOException("declined");

        assertThat(TestEngine.get(execute(run -> {
                    throw failure;
                })))
                .isEqualTo(new Outcome.Retryable<>(failure));
        CompletableFuture<Outcome<String>> second = execute(run -> end);
        end.completeExceptionally(failure);

        assertThat(TestEngine.get(second)).isEqualTo(new Outcome.Retryable<>(failure));
        assertThat(engine.stored().attempt()).isEqualTo(2);
        assertThat(engine.execute(CHARGE, run -> "receipt")).isEqualTo(new Outcome.Succeeded<>("receipt", false));
    }

    @Test
    void anErrorIsSettledAndFailsTheAnswer() {
        Error error = new StackOverflowError();

        assertThatThrownBy(() -> execute(run -> {
                            throw error;
                        })
                        .join())
                .isInstanceOf(CompletionException.class)
                .cause()
                .isSameAs(error);

        assertThat(engine.stored().status()).isEqualTo(Status.RETRYABLE);
    }

    @Test
    void anInterruptedStartFailsAndTheThreadStaysInterrupted() {
        InterruptedException interrupt = new InterruptedException();

        CompletableFuture<Outcome<String>> outcome = execute(run -> {
            throw interrupt;
        });

        assertThat(Thread.interrupted()).isTrue();
        assertThat(TestEngine.get(outcome)).isEqualTo(new Outcome.Retryable<>(interrupt));
    }

    @Test
    void anInterruptEndsTheWaitForTheClaimAndNothingRuns() {
        CountDownLatch answer = new CountDownLatch(1);
        try (TestEngine silent = new TestEngine(SemelBuilder::withoutCallerRuns)) {
            silent.store.beforeCommand(command -> TestEngine.meet(answer));
            Thread.currentThread().interrupt();

            CompletableFuture<Outcome<String>> outcome = silent.semel
                    .executeOnCaller(CHARGE, KEY, Fingerprint.NONE, run -> {
                        runs.incrementAndGet();
                        return end;
                    })
                    .toCompletableFuture();

            assertThat(Thread.interrupted()).isTrue();
            assertThat(outcome.join()).isInstanceOf(Outcome.Unavailable.class);
            answer.countDown();
            assertThat(runs).hasValue(0);
        }
    }

    @Test
    void workReceivesTheLossOfItsLease() {
        CompletableFuture<Outcome<String>> outcome = execute(run -> end);
        engine.takeOverElsewhere();

        end.complete("receipt");

        assertThat(TestEngine.get(outcome)).isInstanceOfSatisfying(Outcome.Unsettled.class, unsettled -> {
            assertThat(unsettled.lost()).isTrue();
            assertThat(unsettled.value()).isEqualTo("receipt");
        });
    }

    @Test
    void theLeaseIsRenewedAfterTheCallerReturned() {
        Operation<String> brief = CHARGE.withLease(Duration.ofMillis(60));
        CompletableFuture<Outcome<String>> outcome = engine.semel
                .executeOnCaller(brief, KEY, Fingerprint.NONE, run -> end)
                .toCompletableFuture();

        await().until(() -> engine.store.renewalsOf(engine.ref()) >= 2);

        end.complete("receipt");
        assertThat(TestEngine.get(outcome)).isEqualTo(new Outcome.Succeeded<>("receipt", false));
    }

    @Test
    void cancellingTheAnswerDoesNotStopTheWork() {
        CompletableFuture<Outcome<String>> outcome = execute(run -> end);

        outcome.cancel(true);
        end.complete("receipt");

        await().until(() -> engine.stored().status() == Status.SUCCEEDED);
    }

    private CompletableFuture<Outcome<String>> execute(AsyncWork<String> work) {
        return engine.semel.executeOnCaller(CHARGE, KEY, Fingerprint.NONE, work).toCompletableFuture();
    }
}
