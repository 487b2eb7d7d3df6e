// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import static dev.semel.TestEngine.CHARGE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.ClaimEvent.Kind;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.StalePolicy;
import dev.semel.claim.Status;
import dev.semel.claim.StoreException;
import dev.semel.claim.Terms;
import dev.semel.spi.Command;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Attempts that were given back before they ran do not count. */
@EngineTest
class GivenBackAttemptsTest {
    private static final Operation<String> ONCE = CHARGE.withAttemptCap(1);

    private final AtomicInteger runs = new AtomicInteger();
    private final Work<String> work = run -> "receipt " + runs.incrementAndGet() + " of attempt " + run.attempt();

    @Test
    void claimsWhoseAnswerWasLateDoNotCountTowardsTheCap() {
        try (TestEngine hasty = new TestEngine(builder -> builder.storeTimeout(Duration.ofMillis(200)))) {
            List<Long> fences = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                CountDownLatch answer = new CountDownLatch(1);
                Class<? extends Command> acquires = i == 0 ? Command.Insert.class : Command.TakeOver.class;
                hasty.store.beforeCommand(command -> {
                    if (acquires.isInstance(command)) {
                        TestEngine.meet(answer);
                    }
                });
                assertThat(hasty.executeAsync(ONCE, work)).isInstanceOf(Outcome.Unavailable.class);
                answer.countDown();
                await().until(() -> hasty.memory.counts("acme").containsKey(Status.RETRYABLE)
                        && !fences.contains(hasty.stored().fence()));
                fences.add(hasty.stored().fence());
            }
            hasty.store.beforeCommand(command -> {});

            assertThat(hasty.execute(ONCE, work)).isEqualTo(new Outcome.Succeeded<>("receipt 1 of attempt 1", false));
            assertThat(fences).doesNotHaveDuplicates().isSorted();
            assertThat(hasty.stored().fence()).isGreaterThan(fences.get(2));
        }
    }

    /** The store fails for longer than its timeout. No other caller can have the claim until it is given back. */
    @Test
    void aLateClaimIsGivenBackWhileItsLeaseLasts() {
        try (TestEngine hasty = new TestEngine(builder -> builder.storeTimeout(Duration.ofMillis(100)))) {
            CountDownLatch answer = new CountDownLatch(1);
            AtomicInteger failures = new AtomicInteger();
            hasty.store.beforeCommand(command -> {
                if (command instanceof Command.Insert) {
                    TestEngine.meet(answer);
                }
                // The pauses double from 5 ms, so the eighth failure is long after the timeout.
                if (command instanceof Command.GiveBack && failures.incrementAndGet() <= 8) {
                    throw new StoreException(StoreException.Kind.UNREACHABLE, "The store has failed");
                }
            });
            assertThat(hasty.executeAsync(ONCE, work)).isInstanceOf(Outcome.Unavailable.class);

            answer.countDown();

            await().until(() -> hasty.memory.counts("acme").containsKey(Status.RETRYABLE));
            assertThat(hasty.execute(ONCE, work)).isEqualTo(new Outcome.Succeeded<>("receipt 1 of attempt 1", false));
        }
    }

    @Test
    void aProbeThatThrowsDoesNotCountTowardsTheCap() {
        try (TestEngine engine = new TestEngine()) {
            AtomicInteger asked = new AtomicInteger();
            Operation<String> reconciled = CHARGE.withAttemptCap(2).reconcileWhenStale(run -> {
                if (asked.incrementAndGet() <= 3) {
                    throw new IllegalStateException("the provider does not answer");
                }
                return ProbeAnswer.notDone();
            });
            engine.claimedElsewhere(Fingerprint.NONE, Terms.DEFAULT.withOnStale(StalePolicy.RECONCILE));
            engine.age(Duration.ofMinutes(5));
            for (int i = 0; i < 3; i++) {
                assertThat(engine.execute(reconciled, work)).isInstanceOf(Outcome.Retryable.class);
                assertThat(engine.stored().attempt()).isEqualTo(1);
            }

            assertThat(engine.execute(reconciled, work))
                    .isEqualTo(new Outcome.Succeeded<>("receipt 1 of attempt 2", false));
        }
    }

    @Test
    void aClaimThatItsOwnerGivesBackIsTheNextCallersFirstAttempt() {
        try (TestEngine engine = new TestEngine()) {
            for (int i = 0; i < 3; i++) {
                Claim claim = engine.claimedElsewhere(CHARGE);
                assertThat(claim.attempt()).isEqualTo(1);
                assertThat(TestEngine.get(engine.semel.giveBack(claim))).isInstanceOf(Ownership.Confirmed.class);
                assertThat(engine.journal.kinds()).endsWith(Kind.GIVEN_BACK);
            }

            assertThat(engine.execute(ONCE, work)).isEqualTo(new Outcome.Succeeded<>("receipt 1 of attempt 1", false));
        }
    }

    @Test
    void aCallerThatGaveItsClaimBackNoLongerOwnsIt() {
        try (TestEngine engine = new TestEngine()) {
            Claim claim = engine.claimedElsewhere(CHARGE);
            TestEngine.get(engine.semel.giveBack(claim));

            assertThat(TestEngine.get(engine.semel.settle(claim, Status.SUCCEEDED, null, null)))
                    .isInstanceOf(Ownership.Lost.class);
            assertThat(TestEngine.get(engine.semel.giveBack(claim))).isInstanceOf(Ownership.Lost.class);
        }
    }
}
