// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import static dev.semel.Engine.CHARGE;
import static dev.semel.Engine.KEY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.claim.Status;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

@EngineTest
class ErrorsAndInterruptsTest {
    @AutoClose
    private final Engine engine = new Engine();

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

    private void join(AsyncWork<String> work) {
        engine.semel.executeAsync(CHARGE, KEY, work).toCompletableFuture().join();
    }
}
