// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import static dev.semel.TestEngine.CHARGE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.claim.Status;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

@EngineTest
class AttemptCapTest {
    @AutoClose
    private final TestEngine engine = new TestEngine();

    private final AtomicInteger runs = new AtomicInteger();
    private final RuntimeException failure = new IllegalStateException("declined");
    private final Work<String> failing = run -> {
        runs.incrementAndGet();
        throw failure;
    };

    @Test
    void aFailureOfTheLastAttemptIsFinal() {
        Operation<String> twice = CHARGE.withAttemptCap(2);

        assertThat(engine.execute(twice, failing)).isEqualTo(new Outcome.Retryable<>(failure));
        assertThat(engine.execute(twice, failing)).isInstanceOfSatisfying(Outcome.Failed.class, failed -> {
            assertThat(failed.cause()).isSameAs(failure);
            assertThat(failed.stored()).isNotNull();
            assertThat(failed.replayed()).isFalse();
        });
        assertThat(engine.execute(twice, failing))
                .isInstanceOfSatisfying(
                        Outcome.Failed.class,
                        failed -> assertThat(failed.replayed()).isTrue());
        assertThat(runs).hasValue(2);
    }

    @Test
    void theLastAttemptMaySucceed() {
        engine.execute(CHARGE.withAttemptCap(2), failing);

        assertThat(engine.execute(CHARGE.withAttemptCap(2), run -> "receipt"))
                .isEqualTo(new Outcome.Succeeded<>("receipt", false));
    }

    @Test
    void aFailureOfUnknownEffectStaysUnknownAtTheLastAttempt() {
        Operation<String> once = CHARGE.withAttemptCap(1).classifyingFailures(thrown -> FailureClass.UNKNOWN);

        assertThat(engine.execute(once, failing)).isInstanceOf(Outcome.Unknown.class);
        assertThat(engine.stored().status()).isEqualTo(Status.UNKNOWN);
    }

    @Test
    void nothingRunsAfterTheLastAttemptDisappeared() {
        engine.claimedElsewhere(CHARGE);
        engine.age(Duration.ofMinutes(5));

        assertThat(engine.execute(CHARGE.withAttemptCap(1), failing))
                .isEqualTo(new Outcome.Failed<>(Operation.failure("given up after 1 attempts"), null, true));

        assertThat(runs).hasValue(0);
        assertThat(engine.stored().status()).isEqualTo(Status.FAILED);
        assertThat(engine.stored().reason()).isEqualTo("given up after 1 attempts");
    }

    @Test
    void anAttemptThatDisappearedCounts() {
        engine.claimedElsewhere(CHARGE);
        engine.age(Duration.ofMinutes(5));

        assertThat(engine.execute(CHARGE.withAttemptCap(2), failing)).isInstanceOf(Outcome.Failed.class);
        assertThat(runs).hasValue(1);
    }

    @Test
    void withoutACapThereIsNoLastAttempt() {
        for (int i = 0; i < 20; i++) {
            assertThat(engine.execute(CHARGE, failing)).isEqualTo(new Outcome.Retryable<>(failure));
        }
        assertThat(runs).hasValue(20);
    }
}
