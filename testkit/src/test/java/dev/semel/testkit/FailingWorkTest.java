// SPDX-License-Identifier: Apache-2.0
package dev.semel.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.semel.ClaimOutcome;
import dev.semel.FailureClass;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.Status;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** Claims whose work fails. Rows are those of docs/failures.md. */
class FailingWorkTest extends EngineScenario {

    @Test
    void row36_keyThatAlwaysFails_isFinalAtItsAttemptCap() {
        Operation<String> capped = PAY.withAttemptCap(3);
        for (int attempt = 1; attempt <= 2; attempt++) {
            assertThat(failing(capped)).isInstanceOf(Outcome.Retryable.class);
        }

        Outcome.Failed<?> last = assertInstanceOf(Outcome.Failed.class, failing(capped));

        assertThat(last.cause()).isInstanceOf(IOException.class);
        assertThat(claim().status()).isEqualTo(Status.FAILED);
        Outcome.Failed<?> replayed = assertInstanceOf(Outcome.Failed.class, failing(capped));
        assertThat(replayed.replayed()).isTrue();
        assertThat(effects).as("attempts").hasValue(3);
    }

    /** Work that kills its process throws nothing. Its attempts are counted nevertheless. */
    @Test
    void row36_keyThatAlwaysKillsItsOwner_isFinalAfterItsAttemptCap() {
        Operation<String> capped = PAY.withAttemptCap(2);
        for (int attempt = 1; attempt <= 2; attempt++) {
            ClaimOutcome crashed = otherProcess()
                    .claim(KEY, Fingerprint.NONE, capped.terms(), Duration.ZERO)
                    .toCompletableFuture()
                    .join();
            assertThat(crashed).isInstanceOf(ClaimOutcome.Granted.class);
            clock.advance(LEASE.plusMinutes(1));
        }

        assertThat(semel.execute(capped, KEY, run -> effect("paid"))).isInstanceOf(Outcome.Failed.class);

        assertThat(effects).hasValue(0);
        assertThat(claim().status()).isEqualTo(Status.FAILED);
        assertThat(claim().reason()).contains("2 attempts");
    }

    private Outcome<String> failing(Operation<String> operation) {
        return semel.execute(operation, KEY, run -> {
            effect("tried");
            throw new IOException("never works");
        });
    }

    @Test
    void row38_error_isSettledAndThenThrown() {
        Error error = new OutOfMemoryError("simulated");

        assertThatThrownBy(() -> semel.execute(PAY, KEY, run -> {
                    throw error;
                }))
                .isSameAs(error);

        runsAgain();
    }

    @Test
    void row38_errorOfAsynchronousWork_isSettledAndThenDelivered() {
        Error error = new OutOfMemoryError("simulated");

        CompletableFuture<Outcome<String>> outcome = semel.executeAsync(
                        PAY, KEY, run -> CompletableFuture.failedFuture(error))
                .toCompletableFuture();

        assertThatThrownBy(outcome::join).hasCause(error);
        runsAgain();
    }

    @Test
    void row38_interrupt_isSettledAndTheFlagIsRestored() {
        Outcome<String> outcome = semel.execute(PAY, KEY, run -> {
            throw new InterruptedException("stop");
        });

        assertThat(Thread.interrupted()).as("the interrupt flag").isTrue();
        assertThat(assertInstanceOf(Outcome.Retryable.class, outcome).cause()).isInstanceOf(InterruptedException.class);
        runsAgain();
    }

    @Test
    void row38_callerThatIsInterruptedAlready_getsItsAnswerAndKeepsTheFlag() {
        Thread.currentThread().interrupt();

        Outcome<String> outcome = pay(semel);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(outcome).isEqualTo(done("paid"));
        assertThat(pay(semel)).isEqualTo(replayed("paid"));
    }

    @Test
    void row38_completionException_isSettledByItsCause() {
        IOException cause = new IOException("no");
        Operation<String> picky =
                PAY.classifyingFailures(failure -> failure == cause ? FailureClass.RETRYABLE : FailureClass.FINAL);

        Outcome<String> outcome = semel.execute(picky, KEY, run -> {
            throw new CompletionException(cause);
        });

        assertThat(assertInstanceOf(Outcome.Retryable.class, outcome).cause()).isSameAs(cause);
        runsAgain();
    }

    @Test
    void row38_cancellation_isSettled() {
        CompletableFuture<String> work = new CompletableFuture<>();
        CompletableFuture<Outcome<String>> outcome =
                semel.executeAsync(PAY, KEY, run -> work).toCompletableFuture();
        await().until(() -> !memory.read(List.of(semel.refOf(KEY))).isEmpty());

        work.cancel(true);

        assertThat(assertInstanceOf(Outcome.Retryable.class, outcome.join()).cause())
                .isInstanceOf(CancellationException.class);
        runsAgain();
    }

    @Test
    void row38_asynchronousWorkThatThrowsAtItsStart_isSettled() {
        Outcome<String> outcome = semel.executeAsync(PAY, KEY, run -> {
                    throw new IOException("not even started");
                })
                .toCompletableFuture()
                .join();

        assertThat(outcome).isInstanceOf(Outcome.Retryable.class);
        runsAgain();
    }

    private void runsAgain() {
        assertThat(claim().status()).isEqualTo(Status.RETRYABLE);
        assertThat(pay(semel)).isEqualTo(done("paid"));
        assertThat(claim().attempt()).isEqualTo(2);
    }

    @Test
    void row40_sameKeyNestedInItself_isAClearErrorAndNoDeadlock() {
        Operation<String> waiting = PAY.waitingUpTo(Duration.ofSeconds(5));

        Outcome<String> outcome = semel.execute(waiting, KEY, run -> {
            assertThatThrownBy(() -> semel.execute(waiting, KEY, again -> effect("inner")))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("nested");
            assertThatThrownBy(() -> semel.executeAsync(
                            waiting, KEY, again -> CompletableFuture.completedFuture(effect("inner"))))
                    .isInstanceOf(IllegalStateException.class);
            return effect("outer");
        });

        assertThat(outcome).isEqualTo(done("outer"));
        assertThat(effects).hasValue(1);
        assertThat(pay(semel)).as("a later call on the same thread").isEqualTo(replayed("outer"));
    }

    @Test
    void row40_anotherKeyNested_isFine_andTheOuterOneIsStillGuarded() {
        Outcome<String> outcome = semel.execute(PAY, KEY, run -> {
            semel.execute(PAY, PAY.key("acme", "another"), inner -> effect("inner"));
            assertThatThrownBy(() -> pay(semel)).isInstanceOf(IllegalStateException.class);
            return effect("outer");
        });

        assertThat(outcome).isEqualTo(done("outer"));
        assertThat(effects).hasValue(2);
    }

    @Test
    void row43_callerThatGivesUp_doesNotStopTheWorkAndItsResultIsStored() {
        CompletableFuture<String> work = new CompletableFuture<>();
        CompletableFuture<Outcome<String>> caller =
                semel.executeAsync(PAY, KEY, run -> work).toCompletableFuture();
        await().until(() -> !memory.read(List.of(semel.refOf(KEY))).isEmpty());

        caller.cancel(true);
        work.complete(effect("paid"));

        await().until(() -> claim().status() == Status.SUCCEEDED);
        assertThat(pay(semel)).isEqualTo(replayed("paid"));
        assertThat(effects).hasValue(1);
    }

    @Test
    void row43_callerThatIsInterruptedMeanwhile_doesNotStopTheWorkAndItsResultIsStored() {
        Outcome<String> outcome = semel.execute(PAY, KEY, run -> {
            Thread.currentThread().interrupt();
            return effect("paid");
        });

        assertThat(Thread.interrupted()).isTrue();
        assertThat(outcome).isEqualTo(done("paid"));
        assertThat(pay(semel)).isEqualTo(replayed("paid"));
    }
}
