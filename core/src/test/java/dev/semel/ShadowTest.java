// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import static dev.semel.TestEngine.CHARGE;
import static dev.semel.TestEngine.KEY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.ClaimEvent.Kind;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.Status;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

@EngineTest
class ShadowTest {
    private static final Operation<String> SHADOW = CHARGE.inShadow();

    @AutoClose
    private final TestEngine engine = new TestEngine();

    private final AtomicInteger runs = new AtomicInteger();
    private final Work<String> work = run -> "receipt " + runs.incrementAndGet();

    @Test
    void everyCallRunsAndTheFirstIsRecorded() {
        assertThat(engine.execute(SHADOW, work)).isEqualTo(new Outcome.Succeeded<>("receipt 1", false));
        assertThat(engine.execute(SHADOW, work)).isEqualTo(new Outcome.Succeeded<>("receipt 2", false));

        assertThat(engine.execute(CHARGE, work)).isEqualTo(new Outcome.Succeeded<>("receipt 1", true));
    }

    @Test
    void duplicatesAreReported() {
        engine.execute(SHADOW, work);
        engine.execute(SHADOW, work);

        assertThat(engine.journal.kinds())
                .containsExactly(Kind.GRANTED, Kind.SUCCEEDED, Kind.REPLAYED, Kind.SHADOW_DUPLICATE);
        assertThat(engine.journal.events().get(3))
                .isEqualTo(new ClaimEvent(Kind.SHADOW_DUPLICATE, engine.ref(), "card.charge", 0, null));
    }

    @Test
    void aDuplicateOfARunningCallRunsAtOnce() {
        engine.claimedElsewhere(CHARGE);
        long start = System.nanoTime();

        Outcome<String> outcome = engine.execute(SHADOW.waitingUpTo(Duration.ofSeconds(20)), work);

        assertThat(outcome).isEqualTo(new Outcome.Succeeded<>("receipt 1", false));
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
        assertThat(engine.stored().status()).isEqualTo(Status.IN_PROGRESS);
    }

    @Test
    void aMismatchRuns() {
        engine.claimedElsewhere(Fingerprint.of("10 EUR"), CHARGE.terms());

        assertThat(engine.semel.execute(SHADOW, KEY, Fingerprint.of("20 EUR"), work))
                .isEqualTo(new Outcome.Succeeded<>("receipt 1", false));
        assertThat(engine.journal.kinds()).endsWith(Kind.MISMATCH, Kind.SHADOW_DUPLICATE);
    }

    @Test
    void aClaimToBeReconciledRunsWithoutAProbe() {
        engine.claimedElsewhere(CHARGE.reconcileWhenStale(context -> ProbeAnswer.unknown("never asked")));
        engine.age(Duration.ofMinutes(5));

        assertThat(engine.execute(SHADOW, work)).isEqualTo(new Outcome.Succeeded<>("receipt 1", false));
    }

    @Test
    void aDuplicateOwnsNothing() {
        engine.execute(SHADOW, work);
        List<String> childKeys = new ArrayList<>();

        for (int i = 0; i < 2; i++) {
            engine.execute(SHADOW, run -> {
                        run.onLost(() -> runs.incrementAndGet());
                        childKeys.add(run.childKey("charge"));
                        assertThat(run.attempt()).isEqualTo(1);
                        assertThat(run.fence()).isZero();
                        assertThat(run.leaseLeft()).isZero();
                        assertThat(run.stillMine()).isFalse();
                        assertThat(TestEngine.get(run.stillMineAsync())).isFalse();
                        return "receipt";
                    })
                    .orElseThrow();
        }

        assertThat(childKeys).doesNotHaveDuplicates().allMatch(key -> key.length() == 43);
        assertThat(runs).hasValue(1);
    }

    @Test
    void aDuplicateThatFailsIsAFailureThatChangesNothing() {
        engine.execute(SHADOW, work);
        Exception failure = new IOException("declined");

        assertThat(engine.execute(SHADOW, run -> {
                    throw failure;
                }))
                .isEqualTo(new Outcome.Retryable<>(failure));
        assertThat(engine.stored().status()).isEqualTo(Status.SUCCEEDED);
    }

    @Test
    void anErrorOfADuplicateIsRethrown() {
        engine.execute(SHADOW, work);
        Error error = new StackOverflowError();

        assertThatThrownBy(() -> engine.execute(SHADOW, run -> {
                    throw error;
                }))
                .isSameAs(error);
    }

    @Test
    void anAsynchronousDuplicateRunsToo() {
        engine.execute(SHADOW, work);

        assertThat(TestEngine.get(
                        engine.semel.executeAsync(SHADOW, KEY, run -> CompletableFuture.completedFuture("ran"))))
                .isEqualTo(new Outcome.Succeeded<>("ran", false));
    }

    @Test
    void anAttemptBeyondTheCapRuns() {
        engine.claimedElsewhere(CHARGE);
        engine.age(Duration.ofMinutes(5));

        assertThat(engine.execute(SHADOW.withAttemptCap(1), work))
                .isEqualTo(new Outcome.Succeeded<>("receipt 1", false));
    }
}
