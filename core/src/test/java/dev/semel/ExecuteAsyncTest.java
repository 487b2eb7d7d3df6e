// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import static dev.semel.TestEngine.CHARGE;
import static dev.semel.TestEngine.KEY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.semel.claim.Fingerprint;
import dev.semel.claim.Status;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

@EngineTest
class ExecuteAsyncTest {
    @AutoClose
    private final TestEngine engine = new TestEngine();

    private final AtomicInteger runs = new AtomicInteger();
    private final AsyncWork<String> work =
            run -> CompletableFuture.supplyAsync(() -> "receipt " + runs.incrementAndGet());

    @Test
    void runsTheWorkOnceAndAnswersEveryoneWithItsResult() {
        assertThat(execute(work)).isEqualTo(new Outcome.Succeeded<>("receipt 1", false));
        assertThat(execute(work)).isEqualTo(new Outcome.Succeeded<>("receipt 1", true));
        assertThat(runs).hasValue(1);
    }

    @Test
    void isTheSameWorkAsABlockingCallOnTheSameKey() {
        execute(work);

        assertThat(engine.execute(CHARGE, run -> "ran again")).isEqualTo(new Outcome.Succeeded<>("receipt 1", true));
    }

    @Test
    void comparesFingerprints() {
        TestEngine.get(engine.semel.executeAsync(CHARGE, KEY, Fingerprint.of("10 EUR"), work));

        assertThat(TestEngine.get(engine.semel.executeAsync(CHARGE, KEY, Fingerprint.of("20 EUR"), work)))
                .isEqualTo(new Outcome.Mismatch<>(Fingerprint.of("10 EUR")));
    }

    @Test
    void theClaimLastsAsLongAsTheStage() {
        CompletableFuture<String> stage = new CompletableFuture<>();
        CompletableFuture<Outcome<String>> first =
                engine.semel.executeAsync(CHARGE, KEY, run -> stage).toCompletableFuture();

        await().until(() -> execute(work) instanceof Outcome.InProgress);
        stage.complete("done");

        assertThat(TestEngine.get(first)).isEqualTo(new Outcome.Succeeded<>("done", false));
        assertThat(runs).hasValue(0);
    }

    @Test
    void aDuplicateMayWait() {
        CompletableFuture<String> stage = new CompletableFuture<>();
        engine.semel.executeAsync(CHARGE, KEY, run -> stage);
        await().until(() -> execute(work) instanceof Outcome.InProgress);
        Operation<String> waiting = CHARGE.waitingUpTo(Duration.ofSeconds(20));
        CompletableFuture<Outcome<String>> waiter =
                engine.semel.executeAsync(waiting, KEY, work).toCompletableFuture();

        stage.complete("done");

        assertThat(TestEngine.get(waiter)).isEqualTo(new Outcome.Succeeded<>("done", true));
    }

    @Test
    void startsAndCompletesOnTheGivenExecutorOnly() throws InterruptedException {
        QueuedExecutor executor = new QueuedExecutor();
        try (TestEngine queued = new TestEngine(builder -> builder.callbackExecutor(executor))) {
            CompletableFuture<Outcome<String>> outcome = queued.semel
                    .executeAsync(CHARGE, KEY, run -> CompletableFuture.completedFuture(thread()))
                    .toCompletableFuture();
            CompletableFuture<String> completedOn = outcome.thenApply(done -> thread());

            executor.runUntilDone(outcome);

            assertThat(outcome.join()).isEqualTo(new Outcome.Succeeded<>(thread(), false));
            assertThat(completedOn.join()).isEqualTo(thread());
        }
    }

    @Test
    void cancellingTheAnswerDoesNotStopTheWork() {
        CompletableFuture<String> stage = new CompletableFuture<>();
        CompletableFuture<Outcome<String>> outcome =
                engine.semel.executeAsync(CHARGE, KEY, run -> stage).toCompletableFuture();
        await().until(() -> execute(work) instanceof Outcome.InProgress);

        assertThat(outcome.cancel(true)).isTrue();

        assertThat(stage).isNotDone();
        stage.complete("done");
        await().until(() -> engine.stored().status() == Status.SUCCEEDED);
        assertThat(execute(work)).isEqualTo(new Outcome.Succeeded<>("done", true));
    }

    @Test
    void aStageThatFailsIsAFailureOfTheWork() {
        Exception failure = new IOException("declined");

        assertThat(execute(run -> CompletableFuture.failedFuture(failure))).isEqualTo(new Outcome.Retryable<>(failure));
        assertThat(engine.stored().reason()).isEqualTo("threw java.io.IOException");
    }

    @Test
    void aStageThatFailsInALaterStepIsTakenOutOfItsWrapper() {
        IllegalStateException failure = new IllegalStateException("declined");

        assertThat(execute(run -> CompletableFuture.<String>supplyAsync(() -> {
                    throw failure;
                })))
                .isEqualTo(new Outcome.Retryable<>(failure));
    }

    @Test
    void aWorkThatThrowsBeforeItHasAStageFails() {
        Exception failure = new IOException("declined");

        assertThat(execute(run -> {
                    throw failure;
                }))
                .isEqualTo(new Outcome.Retryable<>(failure));
    }

    @Test
    void aWorkWithoutAStageFails() {
        assertThat(execute(run -> Missing.value()))
                .isInstanceOfSatisfying(
                        Outcome.Retryable.class,
                        retryable -> assertThat(retryable.cause()).isInstanceOf(NullPointerException.class));
        assertThat(engine.stored().status()).isEqualTo(Status.RETRYABLE);
    }

    @Test
    void aCancelledStageIsAFailureOfTheWork() {
        CompletableFuture<String> cancelled = new CompletableFuture<>();
        cancelled.cancel(true);

        assertThat(execute(run -> cancelled))
                .isInstanceOfSatisfying(
                        Outcome.Retryable.class,
                        retryable -> assertThat(retryable.cause()).isInstanceOf(CancellationException.class));
        assertThat(engine.stored().status()).isEqualTo(Status.RETRYABLE);
    }

    @Test
    void refusesAKeyOfAnotherOperation() {
        Operation<String> refund = Operation.of("card.refund", Codec.text());

        assertThatIllegalArgumentException().isThrownBy(() -> engine.semel.executeAsync(refund, KEY, work));
    }

    @Test
    void theClaimIsRenewedWhileTheExecutorIsBusy() throws InterruptedException {
        QueuedExecutor executor = new QueuedExecutor();
        Duration lease = Duration.ofMillis(60);
        Operation<String> brief = CHARGE.withLease(lease);
        try (TestEngine queued = new TestEngine(builder -> builder.callbackExecutor(executor))) {
            CompletableFuture<Outcome<String>> outcome =
                    queued.semel.executeAsync(brief, KEY, work).toCompletableFuture();
            await().until(() -> executor.size() == 1);

            queued.clock.advance(Duration.ofMillis(50));
            await().until(() -> queued.stored().leaseLeft().equals(lease));

            executor.runUntilDone(outcome);
            assertThat(outcome.join()).isEqualTo(new Outcome.Succeeded<>("receipt 1", false));
        }
    }

    @Test
    void nothingIsRenewedIfTheExecutorRejectsTheWork() {
        Operation<String> brief = CHARGE.withLease(Duration.ofMillis(60));
        try (TestEngine refusing = new TestEngine(builder -> builder.callbackExecutor(task -> {
            throw new RejectedExecutionException("full");
        }))) {
            CompletableFuture<Outcome<String>> outcome =
                    refusing.semel.executeAsync(brief, KEY, work).toCompletableFuture();
            assertThatThrownBy(outcome::join).cause().isInstanceOf(RejectedExecutionException.class);
            long before = refusing.store.renewalsOf(refusing.ref());
            HeldWork held = new HeldWork();
            CompletableFuture<Outcome<String>> other =
                    TestEngine.inBackground(() -> refusing.semel.execute(brief, CHARGE.key("acme", "order-18"), held));

            await().until(() -> refusing.store.renewalsOf(refusing.semel.refOf(CHARGE.key("acme", "order-18"))) >= 3);

            assertThat(refusing.store.renewalsOf(refusing.ref())).isLessThanOrEqualTo(before + 1);
            held.finish("receipt");
            TestEngine.get(other);
        }
    }

    private Outcome<String> execute(AsyncWork<String> asyncWork) {
        return TestEngine.get(engine.semel.executeAsync(CHARGE, KEY, asyncWork));
    }

    private static String thread() {
        return Thread.currentThread().toString();
    }
}
