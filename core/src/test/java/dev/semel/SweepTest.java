// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import static dev.semel.TestEngine.CHARGE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.semel.claim.Fingerprint;
import dev.semel.claim.Status;
import dev.semel.claim.StoreException;
import dev.semel.claim.SweepReport;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

@EngineTest
class SweepTest {
    @AutoClose
    private final TestEngine engine = new TestEngine(builder -> builder.sweepBatch(2));

    @Test
    void deletesExpiredClaimsBatchByBatch() {
        for (int i = 0; i < 5; i++) {
            engine.semel.execute(CHARGE, CHARGE.key("acme", "order-" + i), run -> "receipt");
        }
        engine.clock.advance(Duration.ofHours(24));

        assertThat(TestEngine.get(engine.semel.sweep())).isEqualTo(new SweepReport(5, 0, 0, false));

        assertThat(engine.store.sweeps()).containsExactly(2, 2, 2);
        assertThat(engine.journal.sweeps()).containsExactly(new SweepReport(5, 0, 0, false));
        assertThat(engine.memory.counts("acme")).isEmpty();
    }

    @Test
    void keepsClaimsThatAreRunningOrStillReplayed() {
        engine.claimedElsewhere(CHARGE);
        engine.semel.execute(CHARGE, CHARGE.key("acme", "order-18"), run -> "receipt");
        engine.clock.advance(Duration.ofHours(23));

        assertThat(TestEngine.get(engine.semel.sweep())).isEqualTo(SweepReport.NOTHING);
        assertThat(engine.store.sweeps()).containsExactly(2);
    }

    @Test
    void releasesAbandonedClaimsAndParksThoseThatMustNotRunAgain() {
        engine.claimedElsewhere(CHARGE);
        Operation<String> parking = CHARGE.parkWhenStale();
        TestEngine.get(
                engine.semel.claim(CHARGE.key("acme", "order-18"), Fingerprint.NONE, parking.terms(), Duration.ZERO));
        engine.clock.advance(Duration.ofHours(24).plusMinutes(5));

        assertThat(TestEngine.get(engine.semel.sweep())).isEqualTo(new SweepReport(0, 1, 1, false));

        assertThat(engine.stored().status()).isEqualTo(Status.RETRYABLE);
        assertThat(engine.stored().reason()).isEqualTo("abandoned: its lease ended a TTL ago");
        assertThat(engine.execute(CHARGE, run -> "attempt " + run.attempt()).orElseThrow())
                .isEqualTo("attempt 2");
        assertThat(engine.semel.execute(parking, CHARGE.key("acme", "order-18"), run -> "ran"))
                .isEqualTo(new Outcome.Unknown<>("abandoned: its lease ended a TTL ago"));
    }

    @Test
    void callersDuringASweepShareIt() {
        for (int i = 0; i < 4; i++) {
            engine.semel.execute(CHARGE, CHARGE.key("acme", "order-" + i), run -> "receipt");
        }
        engine.clock.advance(Duration.ofHours(24));

        CompletableFuture<SweepReport> one = engine.semel.sweep().toCompletableFuture();
        CompletableFuture<SweepReport> two = engine.semel.sweep().toCompletableFuture();

        assertThat(TestEngine.get(one)).isEqualTo(new SweepReport(4, 0, 0, false));
        assertThat(TestEngine.get(two)).isEqualTo(new SweepReport(4, 0, 0, false));
        assertThat(engine.journal.sweeps()).hasSize(1);
    }

    @Test
    void aLaterSweepIsANewOne() {
        TestEngine.get(engine.semel.sweep());
        engine.execute(CHARGE, run -> "receipt");
        engine.clock.advance(Duration.ofHours(24));

        assertThat(TestEngine.get(engine.semel.sweep())).isEqualTo(new SweepReport(1, 0, 0, false));
        assertThat(engine.journal.sweeps()).hasSize(2);
    }

    @Test
    void runsOnItsSchedule() {
        try (TestEngine sweeping = new TestEngine(builder -> builder.sweepEvery(Duration.ofMillis(5)))) {
            sweeping.execute(CHARGE, run -> "receipt");
            sweeping.clock.advance(Duration.ofHours(24));

            await().until(() -> sweeping.memory.counts("acme").isEmpty());
            await().until(() -> sweeping.journal.sweeps().size() >= 3);
        }
    }

    @Test
    void runsAgainAfterAFailure() {
        AtomicInteger failures = new AtomicInteger(2);
        try (TestEngine sweeping = new TestEngine(builder -> builder.sweepEvery(Duration.ofMillis(5)))) {
            sweeping.store.beforeSweep(() -> {
                if (failures.getAndDecrement() > 0) {
                    throw new StoreException(StoreException.Kind.BUSY, "locked");
                }
            });

            await().until(() -> !sweeping.journal.sweeps().isEmpty());
        }
    }

    @Test
    void isNotRetriedOnDemandIfItFails() {
        StoreException locked = new StoreException(StoreException.Kind.BUSY, "locked");
        engine.store.beforeSweep(() -> {
            throw locked;
        });
        CompletableFuture<SweepReport> sweep = engine.semel.sweep().toCompletableFuture();

        assertThatThrownBy(sweep::join).cause().isSameAs(locked);
        assertThat(engine.store.sweeps()).hasSize(1);
        assertThat(engine.journal.sweeps()).isEmpty();
    }
}
