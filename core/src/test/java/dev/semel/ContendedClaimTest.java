// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import static dev.semel.TestEngine.CHARGE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.claim.Fingerprint;
import dev.semel.claim.OwnerToken;
import dev.semel.claim.RecordId;
import dev.semel.claim.Status;
import dev.semel.claim.Terms;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Changes by others between an engine's read of a claim and its attempt to take it over. */
@EngineTest
class ContendedClaimTest {
    @AutoClose
    private final TestEngine engine = new TestEngine();

    private final AtomicInteger runs = new AtomicInteger();
    private final Work<String> work = run -> "receipt " + runs.incrementAndGet();

    @Test
    void aClaimThatIsSweptInBetweenIsClaimedAnew() {
        failedRetryably();
        beforeTakeOvers(() -> {
            engine.age(Duration.ofHours(24));
            engine.memory.sweep(1);
        });

        assertThat(engine.execute(CHARGE, run -> "attempt " + run.attempt()).orElseThrow())
                .isEqualTo("attempt 1");
    }

    @Test
    void aClaimThatIsTakenInBetweenIsInProgress() {
        failedRetryably();
        beforeTakeOvers(this::takenBySomebodyElse);

        assertThat(engine.execute(CHARGE, work)).isEqualTo(new Outcome.InProgress<>(Duration.ofMinutes(5)));
        assertThat(runs).hasValue(0);
    }

    @Test
    void aClaimThatIsRenewedInBetweenIsInProgress() {
        Claim claim = engine.claimedElsewhere(CHARGE);
        engine.age(Duration.ofMinutes(5));
        beforeTakeOvers(() ->
                engine.memory.apply(List.of(new Command.Renew(claim.ref(), claim.token(), Duration.ofMinutes(1)))));

        assertThat(engine.execute(CHARGE, work)).isEqualTo(new Outcome.InProgress<>(Duration.ofMinutes(1)));
        assertThat(runs).hasValue(0);
    }

    @Test
    void aClaimThatKeepsChangingIsUnavailable() {
        failedRetryably();
        beforeTakeOvers(() -> {
            OwnerToken token = takenBySomebodyElse();
            engine.memory.apply(List.of(new Command.Settle(engine.ref(), token, Status.RETRYABLE, null, null)));
        });

        assertThat(engine.execute(CHARGE, work))
                .isEqualTo(new Outcome.Unavailable<>("the claim's owner changed repeatedly while it was read", null));
        assertThat(runs).hasValue(0);
        assertThat(engine.store.commands(Command.TakeOver.class)).hasSize(7);
    }

    @Test
    void aClaimThatIsGrantedTooLateIsGivenBack() {
        CountDownLatch answer = new CountDownLatch(1);
        try (TestEngine hasty = new TestEngine(builder -> builder.storeTimeout(Duration.ofMillis(200)))) {
            hasty.store.beforeCommand(command -> TestEngine.meet(answer));

            assertThat(hasty.executeAsync(CHARGE, work))
                    .isInstanceOfSatisfying(
                            Outcome.Unavailable.class,
                            unavailable ->
                                    assertThat(unavailable.reason()).isEqualTo("The store did not answer in time"));
            answer.countDown();

            await().until(() -> hasty.memory.counts("acme").containsKey(Status.RETRYABLE));
            assertThat(hasty.stored().reason()).isEqualTo("given back; nothing ran");
            assertThat(runs).hasValue(0);
        }
    }

    @Test
    void aClaimThatIsRefusedTooLateIsNotGivenBack() {
        CountDownLatch answer = new CountDownLatch(1);
        try (TestEngine hasty = new TestEngine(builder -> builder.storeTimeout(Duration.ofMillis(200)))) {
            Claim claim = hasty.claimedElsewhere(CHARGE);
            hasty.store.beforeCommand(command -> TestEngine.meet(answer));
            assertThat(hasty.executeAsync(CHARGE, work)).isInstanceOf(Outcome.Unavailable.class);
            hasty.store.beforeCommand(command -> {});

            answer.countDown();

            assertThat(TestEngine.get(hasty.semel.renew(claim.ref(), claim.token(), Duration.ofMinutes(1))))
                    .isInstanceOf(Ownership.Confirmed.class);
            assertThat(hasty.store.commands(Command.GiveBack.class)).isEmpty();
            assertThat(hasty.store.commands(Command.Settle.class)).isEmpty();
        }
    }

    @Test
    void theStoreTimeoutAppliesToAllStepsOfAClaimTogether() {
        try (TestEngine hasty = new TestEngine(builder -> builder.storeTimeout(Duration.ofMillis(200)))) {
            hasty.claimedElsewhere(CHARGE);
            hasty.age(Duration.ofMinutes(5));
            hasty.store.beforeCommand(command -> takingAtLeast(Duration.ofMillis(120)));

            assertThat(hasty.executeAsync(CHARGE, work)).isInstanceOf(Outcome.Unavailable.class);
            assertThat(runs).hasValue(0);
        }
    }

    private static void takingAtLeast(Duration time) {
        long start = System.nanoTime();
        await().pollInterval(Duration.ofMillis(5)).until(() -> System.nanoTime() - start >= time.toNanos());
    }

    @Test
    void aTakeOverThatIsGrantedTooLateIsGivenBackAsLapsed() {
        CountDownLatch answer = new CountDownLatch(1);
        Operation<String> reconciling = CHARGE.reconcileWhenStale(context -> ProbeAnswer.done("the bank's receipt"));
        try (TestEngine hasty = new TestEngine(builder -> builder.storeTimeout(Duration.ofMillis(200)))) {
            Claim first = hasty.claimedElsewhere(reconciling);
            hasty.age(Duration.ofMinutes(5));
            hasty.store.beforeCommand(command -> {
                if (command instanceof Command.TakeOver) {
                    TestEngine.meet(answer);
                }
            });
            assertThat(hasty.executeAsync(reconciling, work)).isInstanceOf(Outcome.Unavailable.class);
            hasty.store.beforeCommand(command -> {});

            answer.countDown();
            await().until(() ->
                    hasty.stored().fence() > first.fence() && hasty.stored().lapsed());
            assertThat(hasty.stored().attempt()).isEqualTo(1);

            assertThat(hasty.execute(reconciling, work)).isEqualTo(new Outcome.Succeeded<>("the bank's receipt", true));
            assertThat(runs).hasValue(0);
        }
    }

    private void failedRetryably() {
        engine.execute(CHARGE, run -> {
            throw new IllegalStateException("declined");
        });
    }

    private void beforeTakeOvers(Runnable others) {
        engine.store.beforeCommand(command -> {
            if (command instanceof Command.TakeOver) {
                others.run();
            }
        });
    }

    private OwnerToken takenBySomebodyElse() {
        Snapshot seen = engine.stored();
        OwnerToken token = OwnerToken.random();
        engine.memory.apply(List.of(new Command.TakeOver(
                seen.ref(), seen.token(), token, RecordId.random(), Fingerprint.NONE, Terms.DEFAULT)));
        return token;
    }
}
