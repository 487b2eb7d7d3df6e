// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import static dev.semel.TestEngine.CHARGE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.claim.Status;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

@EngineTest
class StalePolicyTest {
    private static final Duration LEASE = CHARGE.terms().lease();
    private static final Outcome<String> UNKNOWN = new Outcome.Unknown<>("the owner's lease ended");

    @AutoClose
    private final TestEngine engine = new TestEngine();

    @AutoClose
    private final TestEngine another = engine.another();

    private final AtomicInteger runs = new AtomicInteger();
    private final Work<String> work = run -> "receipt " + runs.incrementAndGet();

    @Test
    void rerunTakesOverTheMomentTheLeaseIsOver() {
        engine.claimedElsewhere(CHARGE);

        engine.age(LEASE.minusNanos(1_000));
        assertThat(engine.execute(CHARGE, work)).isEqualTo(new Outcome.InProgress<>(Duration.ofNanos(1_000)));

        engine.age(Duration.ofNanos(1_000));
        assertThat(engine.execute(CHARGE, work)).isEqualTo(new Outcome.Succeeded<>("receipt 1", false));
        assertThat(engine.stored().attempt()).isEqualTo(2);
    }

    @Test
    void parkPreventsTakeOvers() {
        Operation<String> parking = CHARGE.parkWhenStale();
        Claim claim = engine.claimedElsewhere(parking);
        engine.age(LEASE);

        assertThat(engine.execute(parking, work)).isEqualTo(UNKNOWN);
        assertThat(engine.execute(parking, work)).isEqualTo(UNKNOWN);
        assertThat(runs).hasValue(0);
        assertThat(engine.stored().token()).isEqualTo(claim.token());
    }

    @Test
    void theStoredPolicyDecidesAndNotTheCallers() {
        engine.claimedElsewhere(CHARGE.parkWhenStale());
        engine.age(LEASE);

        assertThat(engine.execute(CHARGE.rerunWhenStale(), work)).isEqualTo(UNKNOWN);
        assertThat(runs).hasValue(0);
    }

    @Test
    void aCallersStricterPolicyDoesNotDecideEither() {
        engine.claimedElsewhere(CHARGE.rerunWhenStale());
        engine.age(LEASE);

        assertThat(engine.execute(CHARGE.parkWhenStale(), work)).isEqualTo(new Outcome.Succeeded<>("receipt 1", false));
    }

    @Test
    void anOwnerMaySettleAfterItsLeaseUntilATakeOver() {
        HeldWork late = new HeldWork();
        CompletableFuture<Outcome<String>> owner = engine.start(CHARGE, late);
        engine.age(LEASE.multipliedBy(2));

        late.finish("late receipt");

        assertThat(TestEngine.get(owner)).isEqualTo(new Outcome.Succeeded<>("late receipt", false));
        assertThat(engine.execute(CHARGE, work)).isEqualTo(new Outcome.Succeeded<>("late receipt", true));
    }

    @Test
    void anOwnerThatWasReplacedIsUnsettledAndChangesNothing() {
        HeldWork late = new HeldWork();
        CompletableFuture<Outcome<String>> owner = engine.start(CHARGE, late);
        HeldWork second = new HeldWork();
        engine.age(LEASE);
        CompletableFuture<Outcome<String>> successor = another.start(CHARGE, second);

        late.finish("late receipt");
        assertThat(TestEngine.get(owner))
                .isEqualTo(new Outcome.Unsettled<>("late receipt", null, true, "another attempt (2) owns the claim"));

        second.finish("receipt");
        assertThat(TestEngine.get(successor)).isEqualTo(new Outcome.Succeeded<>("receipt", false));
        assertThat(engine.execute(CHARGE, work)).isEqualTo(new Outcome.Succeeded<>("receipt", true));
    }

    @Test
    void anOwnerThatWasReplacedAndFailsIsUnsettled() {
        HeldWork late = new HeldWork();
        CompletableFuture<Outcome<String>> owner = engine.start(CHARGE, late);
        engine.age(LEASE);
        another.execute(CHARGE, work);
        Exception failure = new IllegalStateException("declined");

        late.fail(failure);

        assertThat(TestEngine.get(owner))
                .isEqualTo(new Outcome.Unsettled<>(null, failure, true, "the claim is SUCCEEDED"));
        assertThat(engine.stored().status()).isEqualTo(Status.SUCCEEDED);
    }
}
