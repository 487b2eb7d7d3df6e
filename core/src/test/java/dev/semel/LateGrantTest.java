// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import static dev.semel.TestEngine.CHARGE;
import static dev.semel.TestEngine.KEY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.ClaimEvent.Kind;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.Status;
import dev.semel.claim.StoreException;
import dev.semel.spi.Command;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The answer to a claim arrives when its lease is over, or nearly so. */
@EngineTest
class LateGrantTest {
    private static final Duration LEASE = Duration.ofMillis(150);
    private static final Operation<String> SHORT = CHARGE.withLease(LEASE).withMaxRun(Duration.ofHours(1));

    @AutoClose
    private final TestEngine engine = new TestEngine();

    private final AtomicInteger runs = new AtomicInteger();
    private final Work<String> work = run -> "receipt " + runs.incrementAndGet();

    /** The ways to make a claim. Each returns whether the caller may begin. */
    static Stream<Function<TestEngine, Object>> ways() {
        return Stream.of(
                engine -> engine.execute(SHORT, run -> "ran"),
                engine -> engine.executeAsync(SHORT, run -> "ran"),
                engine -> engine.claim(Fingerprint.NONE, SHORT.terms()),
                engine -> TestEngine.get(
                                engine.semel.claimAll(List.of(ClaimRequest.of(KEY, Fingerprint.NONE, SHORT.terms()))))
                        .get(0));
    }

    @ParameterizedTest
    @MethodSource("ways")
    void aGrantThatArrivesAfterItsLeaseDoesNotStart(Function<TestEngine, Object> way) {
        AtomicBoolean first = new AtomicBoolean(true);
        engine.store.afterCommand(command -> {
            if (command instanceof Command.Insert && first.getAndSet(false)) {
                engine.takeOverElsewhere();
                over(LEASE);
            }
        });

        Object outcome = way.apply(engine);

        assertThat(outcome).isInstanceOfAny(Outcome.InProgress.class, ClaimOutcome.InProgress.class);
        assertThat(engine.stored().status()).isEqualTo(Status.IN_PROGRESS);
        assertThat(engine.stored().attempt()).isEqualTo(2);
    }

    @ParameterizedTest
    @MethodSource("ways")
    void aGrantThatArrivesAfterItsLeaseIsRenewedIfItWasNotTakenOver(Function<TestEngine, Object> way) {
        engine.store.afterCommand(command -> {
            if (command instanceof Command.Insert) {
                engine.clock.advance(LEASE);
                over(LEASE);
            }
        });

        Object outcome = way.apply(engine);

        assertThat(outcome).isInstanceOfAny(Outcome.Succeeded.class, ClaimOutcome.Granted.class);
        assertThat(engine.store.renewalsOf(engine.ref())).isPositive();
        assertThat(engine.stored().attempt()).isEqualTo(1);
    }

    @Test
    void aGrantedClaimKnowsWhatIsLeftOfItsLeaseNow() {
        Claim claim = engine.claimedElsewhere(SHORT);
        Duration atFirst = claim.leaseLeft();

        over(Duration.ofMillis(20));

        assertThat(claim.leaseLeft()).isLessThan(atFirst).isLessThan(LEASE);
        await().until(() -> claim.leaseLeft().isZero());
    }

    /** The executor is busy for longer than the lease lasts, and no renewal succeeds. */
    @Test
    void workThatIsStartedAfterItsClaimWasLostDoesNotRun() throws Exception {
        QueuedExecutor busy = new QueuedExecutor();
        try (TestEngine queued = new TestEngine(builder -> builder.callbackExecutor(busy))) {
            CompletableFuture<Outcome<String>> outcome = start(queued);
            await().until(() -> busy.size() == 1);
            queued.takeOverElsewhere();
            await().until(() -> queued.journal.kinds().contains(Kind.OWNERSHIP_LOST));

            busy.runUntilDone(outcome);

            assertThat(TestEngine.get(outcome)).isInstanceOf(Outcome.Unavailable.class);
            assertThat(runs).hasValue(0);
            assertThat(queued.stored().attempt()).isEqualTo(2);
        }
    }

    @Test
    void workWhoseLeaseEndedBeforeItStartedDoesNotRunWhileTheStoreIsSilent() throws Exception {
        QueuedExecutor busy = new QueuedExecutor();
        try (TestEngine queued = new TestEngine(builder -> builder.callbackExecutor(busy))) {
            queued.store.beforeCommand(command -> {
                if (command instanceof Command.Renew) {
                    throw new StoreException(StoreException.Kind.REJECTED, "no such column");
                }
            });
            CompletableFuture<Outcome<String>> outcome = start(queued);
            await().until(() -> busy.size() == 1);
            over(LEASE);

            busy.runUntilDone(outcome);

            assertThat(TestEngine.get(outcome)).isInstanceOf(Outcome.Unavailable.class);
            assertThat(runs).hasValue(0);
            await().until(() -> queued.stored().reclaimable());
        }
    }

    private CompletableFuture<Outcome<String>> start(TestEngine queued) {
        return queued.semel
                .executeAsync(SHORT, KEY, run -> CompletableFuture.completedFuture(work.run(run)))
                .toCompletableFuture();
    }

    /** Waits until this much real time has passed. */
    private static void over(Duration time) {
        long start = System.nanoTime();
        await().pollInterval(Duration.ofMillis(5)).until(() -> System.nanoTime() - start >= time.toNanos());
    }
}
