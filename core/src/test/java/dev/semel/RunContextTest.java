// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import static dev.semel.TestEngine.CHARGE;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

@EngineTest
class RunContextTest {
    @AutoClose
    private final TestEngine engine = new TestEngine();

    @Test
    void attemptsAreCountedInEveryKindOfTakeOver() {
        List<Integer> attempts = new ArrayList<>();
        failAnAttempt(RunContext::attempt, attempts);
        failAnAttempt(RunContext::attempt, attempts);
        engine.claimedElsewhere(CHARGE);
        engine.age(Duration.ofMinutes(5));
        failAnAttempt(RunContext::attempt, attempts);

        assertThat(attempts).containsExactly(1, 2, 4);
    }

    @Test
    void theFenceGrowsWithEveryAcquisition() {
        List<Long> fences = new ArrayList<>();
        failAnAttempt(RunContext::fence, fences);
        failAnAttempt(RunContext::fence, fences);
        failAnAttempt(RunContext::fence, fences);

        assertThat(fences.get(0)).isPositive();
        assertThat(fences).doesNotHaveDuplicates().isSorted();
    }

    @Test
    void theFenceGrowsOverExpiryAndCleanUpToo() {
        List<Long> fences = new ArrayList<>();
        failAnAttempt(RunContext::fence, fences);
        engine.clock.advance(Duration.ofHours(24));
        failAnAttempt(RunContext::fence, fences);
        engine.clock.advance(Duration.ofHours(24));
        assertThat(TestEngine.get(engine.semel.sweep()).deleted()).isEqualTo(1);
        failAnAttempt(RunContext::fence, fences);

        assertThat(fences).doesNotHaveDuplicates().isSorted();
    }

    @Test
    void aChildKeyIsTheSameOnEveryAttempt() {
        List<String> keys = new ArrayList<>();
        failAnAttempt(run -> run.childKey("charge"), keys);
        failAnAttempt(run -> run.childKey("charge"), keys);
        keys.add(engine.claimedElsewhere(CHARGE).childKey("charge"));
        engine.age(Duration.ofMinutes(5));
        failAnAttempt(run -> run.childKey("charge"), keys);

        assertThat(keys).hasSize(4).containsOnly(keys.get(0));
    }

    @Test
    void aChildKeyIsAnotherForEveryNameAndEveryRecord() {
        List<String> keys = new ArrayList<>();
        failAnAttempt(run -> run.childKey("charge"), keys);
        failAnAttempt(run -> run.childKey("notify"), keys);
        engine.semel.execute(CHARGE, CHARGE.key("acme", "order-18"), run -> {
            keys.add(run.childKey("charge"));
            return "receipt";
        });
        engine.age(Duration.ofHours(24));
        failAnAttempt(run -> run.childKey("charge"), keys);

        assertThat(keys).hasSize(4).doesNotHaveDuplicates();
    }

    @Test
    void theLeaseIsKnownToTheWork() {
        List<Duration> left = new ArrayList<>();
        failAnAttempt(RunContext::leaseLeft, left);

        assertThat(left.get(0)).isBetween(Duration.ofMinutes(4), Duration.ofMinutes(5));
    }

    /** Returns what the context says to an attempt that fails retryably. */
    private <V> void failAnAttempt(Function<RunContext, V> question, List<V> answers) {
        engine.execute(CHARGE, run -> {
            answers.add(question.apply(run));
            throw new IllegalStateException("declined");
        });
    }
}
