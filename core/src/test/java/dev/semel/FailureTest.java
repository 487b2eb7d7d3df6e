// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import static dev.semel.TestEngine.CHARGE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.claim.Status;
import dev.semel.claim.StoredResult;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

@EngineTest
class FailureTest {
    private static final Operation<String> FINAL = CHARGE.classifyingFailures(failure -> FailureClass.FINAL);
    private static final Operation<String> UNKNOWN = CHARGE.classifyingFailures(failure -> FailureClass.UNKNOWN);
    private static final StoredResult NAME =
            new StoredResult("semel/failure", "java.io.IOException".getBytes(StandardCharsets.UTF_8));

    @AutoClose
    private final TestEngine engine = new TestEngine();

    private final AtomicInteger runs = new AtomicInteger();
    private final Exception failure = new IOException("card 4111 declined");
    private final Work<String> failing = run -> {
        runs.incrementAndGet();
        throw failure;
    };

    @Test
    void aFailureIsRetryableByDefault() {
        assertThat(engine.execute(CHARGE, failing)).isEqualTo(new Outcome.Retryable<>(failure));

        assertThat(engine.stored().status()).isEqualTo(Status.RETRYABLE);
        assertThat(engine.stored().result()).isNull();
        assertThat(engine.stored().reason()).isEqualTo("threw java.io.IOException");
    }

    @Test
    void afterARetryableFailureTheNextCallerRunsAgain() {
        engine.execute(CHARGE, failing);

        assertThat(engine.execute(CHARGE, run -> "attempt " + run.attempt()))
                .isEqualTo(new Outcome.Succeeded<>("attempt 2", false));
    }

    @Test
    void aFinalFailureIsStoredAndReplayed() {
        assertThat(engine.execute(FINAL, failing)).isEqualTo(new Outcome.Failed<>(NAME, failure, false));
        assertThat(engine.execute(FINAL, failing)).isEqualTo(new Outcome.Failed<>(NAME, null, true));

        assertThat(runs).hasValue(1);
        assertThat(engine.stored().status()).isEqualTo(Status.FAILED);
        assertThat(engine.stored().reason()).isEqualTo("threw java.io.IOException");
    }

    @Test
    void theMessageOfAFailureIsNotStored() {
        engine.execute(FINAL, failing);

        assertThat(engine.stored().result()).isEqualTo(NAME);
        assertThat(engine.stored().reason()).doesNotContain("4111");
    }

    @Test
    void whatIsStoredOfAFailureCanBeChosen() {
        StoredResult declined = new StoredResult("app/error", new byte[] {51});
        Operation<String> choosing = FINAL.storingFailures(thrown -> thrown == failure ? declined : NAME);

        assertThat(engine.execute(choosing, failing)).isEqualTo(new Outcome.Failed<>(declined, failure, false));
        assertThat(engine.execute(choosing, failing)).isEqualTo(new Outcome.Failed<>(declined, null, true));
    }

    @Test
    void aFailureThatCannotBeEncodedIsStillFinal() {
        Operation<String> choosing = FINAL.storingFailures(thrown -> {
            throw new IllegalStateException("no mapping");
        });
        StoredResult tombstone =
                StoredResult.tombstone("the result could not be encoded: java.lang.IllegalStateException");

        assertThat(engine.execute(choosing, failing)).isEqualTo(new Outcome.Failed<>(tombstone, failure, false));
        assertThat(engine.execute(choosing, failing)).isEqualTo(new Outcome.Failed<>(tombstone, null, true));
    }

    @Test
    void aFailureOfUnknownEffectParksTheClaim() {
        assertThat(engine.execute(UNKNOWN, failing)).isInstanceOfSatisfying(Outcome.Unknown.class, unknown -> {
            assertThat(unknown.reason()).isEqualTo("threw java.io.IOException");
            assertThat(unknown.cause()).isInstanceOf(java.io.IOException.class);
        });
        assertThat(engine.execute(UNKNOWN, failing)).isEqualTo(new Outcome.Unknown<>("threw java.io.IOException"));

        assertThat(runs).hasValue(1);
        assertThat(engine.stored().status()).isEqualTo(Status.UNKNOWN);
        assertThat(engine.stored().result()).isNull();
    }

    @Test
    void aClassifierThatThrowsMeansRetryable() {
        RuntimeException broken = new IllegalStateException("no rule");
        Operation<String> choosing = CHARGE.classifyingFailures(thrown -> {
            throw broken;
        });

        assertThat(engine.execute(choosing, failing)).isEqualTo(new Outcome.Retryable<>(failure));
        assertThat(failure).hasSuppressedException(broken);
        assertThat(engine.stored().status()).isEqualTo(Status.RETRYABLE);
    }

    @Test
    void aWrappedFailureIsTakenOutOfItsWrapper() {
        assertThat(engine.execute(CHARGE, run -> {
                    throw new CompletionException(failure);
                }))
                .isEqualTo(new Outcome.Retryable<>(failure));
    }

    @Test
    void anEmptyWrapperIsAFailureItself() {
        CompletionException empty = new CompletionException("nothing inside", null);

        assertThat(engine.execute(CHARGE, run -> {
                    throw empty;
                }))
                .isEqualTo(new Outcome.Retryable<>(empty));
    }

    @Test
    void aClassifierWithoutAnAnswerMeansRetryable() {
        assertThat(engine.execute(CHARGE.classifyingFailures(thrown -> Missing.value()), failing))
                .isEqualTo(new Outcome.Retryable<>(failure));
        assertThat(engine.stored().status()).isEqualTo(Status.RETRYABLE);
    }

    @Test
    void aClassifierThatRethrowsMeansRetryable() {
        RuntimeException declined = new IllegalStateException("declined");
        Operation<String> choosing = CHARGE.classifyingFailures(thrown -> {
            throw declined;
        });

        assertThat(engine.execute(choosing, run -> {
                    throw declined;
                }))
                .isEqualTo(new Outcome.Retryable<>(declined));
    }

    @Test
    void aClassifierThatFailsWithAnErrorMeansRetryable() {
        Operation<String> choosing = CHARGE.classifyingFailures(thrown -> {
            throw new NoClassDefFoundError("Rules");
        });

        assertThat(engine.execute(choosing, failing)).isEqualTo(new Outcome.Retryable<>(failure));
    }
}
