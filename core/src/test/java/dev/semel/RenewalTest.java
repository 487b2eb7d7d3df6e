// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import static dev.semel.TestEngine.CHARGE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.ClaimEvent.Kind;
import dev.semel.claim.ClaimKey;
import dev.semel.claim.StoreException;
import dev.semel.spi.Command;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The timer is real and fast; the store's clock stands still, so that no lease ends by accident. */
@EngineTest
class RenewalTest {
    private static final Duration LEASE = Duration.ofMillis(150);
    private static final Duration MAX_OF_IT = Duration.ofMillis(140);
    private static final Operation<String> SHORT = CHARGE.withLease(LEASE).withMaxRun(Duration.ofHours(1));

    @AutoClose
    private final TestEngine engine = new TestEngine();

    private final HeldWork held = new HeldWork();
    private final AtomicInteger losses = new AtomicInteger();

    @Test
    void aRunningClaimIsRenewedAgainAndAgain() {
        CompletableFuture<Outcome<String>> outcome = engine.start(SHORT, held);
        for (int i = 0; i < 3; i++) {
            engine.clock.advance(MAX_OF_IT);
            await().until(() -> engine.stored().leaseLeft().equals(LEASE));
        }

        held.finish("receipt");

        assertThat(TestEngine.get(outcome)).isEqualTo(new Outcome.Succeeded<>("receipt", false));
        assertThat(engine.journal.kinds()).doesNotContain(Kind.OWNERSHIP_LOST);
    }

    @Test
    void aRenewalRevivesAnEndedLeaseIfThereWasNoTakeOver() {
        CompletableFuture<Outcome<String>> outcome = engine.start(SHORT, held);
        engine.clock.advance(LEASE.multipliedBy(2));

        await().until(() -> held.context().stillMine());

        held.finish("receipt");
        assertThat(TestEngine.get(outcome)).isEqualTo(new Outcome.Succeeded<>("receipt", false));
    }

    @Test
    void theWorkSeesItsLeaseGrow() {
        CompletableFuture<Outcome<String>> outcome = engine.start(SHORT, held);
        RunContext run = held.context();
        Duration[] last = {run.leaseLeft()};

        await().pollInterval(Duration.ofMillis(1)).until(() -> {
            Duration now = run.leaseLeft();
            boolean grew = now.compareTo(last[0]) > 0;
            last[0] = now;
            return grew;
        });

        assertThat(last[0]).isLessThanOrEqualTo(LEASE);
        held.finish("receipt");
        TestEngine.get(outcome);
    }

    @Test
    void theWorkIsInformedOfATakeOver() {
        CompletableFuture<Outcome<String>> outcome = engine.start(SHORT, held);
        held.context().onLost(losses::incrementAndGet);
        assertThat(losses).hasValue(0);

        engine.takeOverElsewhere();

        await().until(() -> losses.get() == 1 && engine.journal.kinds().contains(Kind.OWNERSHIP_LOST));
        assertThat(held.context().stillMine()).isFalse();
        assertThat(held.context().leaseLeft()).isZero();
        held.finish("receipt");
        assertThat(TestEngine.get(outcome))
                .isEqualTo(new Outcome.Unsettled<>("receipt", null, true, "another attempt (2) owns the claim"));
    }

    @Test
    void aCallbackThatIsAddedAfterTheLossRunsAtOnce() {
        CompletableFuture<Outcome<String>> outcome = engine.start(SHORT, held);
        engine.takeOverElsewhere();
        await().until(() -> engine.journal.kinds().contains(Kind.OWNERSHIP_LOST));

        held.context().onLost(losses::incrementAndGet);

        await().until(() -> losses.get() == 1);
        held.finish("receipt");
        TestEngine.get(outcome);
    }

    @Test
    void renewalsEndWithTheMaximumRunTime() {
        Operation<String> bounded = CHARGE.withLease(LEASE).withMaxRun(Duration.ofMillis(200));
        CompletableFuture<Outcome<String>> outcome = engine.start(bounded, held);
        held.context().onLost(losses::incrementAndGet);

        engine.clock.advance(MAX_OF_IT);
        await().until(() -> engine.stored().leaseLeft().equals(Duration.ofMillis(60)));
        assertThat(engine.journal.kinds()).doesNotContain(Kind.OWNERSHIP_LOST);
        engine.clock.advance(Duration.ofMillis(60));

        await().until(() -> losses.get() == 1 && engine.journal.kinds().contains(Kind.OWNERSHIP_LOST));
        assertThat(engine.stored().lapsed()).isTrue();
        held.finish("receipt");
        assertThat(TestEngine.get(outcome)).isEqualTo(new Outcome.Succeeded<>("receipt", false));
    }

    @Test
    void aRenewalThatFailsIsReportedAndTriedAgain() {
        StoreException failure = new StoreException(StoreException.Kind.REJECTED, "no such column");
        CompletableFuture<Outcome<String>> outcome = engine.start(SHORT, held);
        held.context().onLost(losses::incrementAndGet);
        beforeNextRenewal(() -> {
            throw failure;
        });
        ClaimEvent failed = new ClaimEvent(Kind.RENEWAL_FAILED, engine.ref(), "card.charge", 1, failure);
        await().until(() -> engine.journal.events().contains(failed));
        engine.clock.advance(MAX_OF_IT);

        await().until(() -> engine.stored().leaseLeft().equals(LEASE));

        assertThat(engine.journal.kinds()).doesNotContain(Kind.OWNERSHIP_LOST);
        held.finish("receipt");
        assertThat(TestEngine.get(outcome)).isEqualTo(new Outcome.Succeeded<>("receipt", false));
    }

    @Test
    void theWorkIsInformedWhenItsLeaseEndsWithoutARenewal() {
        CompletableFuture<Outcome<String>> outcome = engine.start(SHORT, held);
        held.context().onLost(losses::incrementAndGet);
        engine.store.beforeCommand(command -> {
            if (command instanceof Command.Renew) {
                throw new StoreException(StoreException.Kind.REJECTED, "no such column");
            }
        });

        await().until(() -> losses.get() == 1);

        assertThat(held.context().leaseLeft()).isZero();
        assertThat(engine.journal.kinds()).contains(Kind.RENEWAL_FAILED).doesNotContain(Kind.OWNERSHIP_LOST);
        held.finish("receipt");
        assertThat(TestEngine.get(outcome)).isEqualTo(new Outcome.Succeeded<>("receipt", false));
    }

    @Test
    void aRenewalWithoutAnAnswerEndsInTimeForAnother() {
        CountDownLatch end = new CountDownLatch(1);
        CompletableFuture<Outcome<String>> outcome = engine.start(SHORT, held);
        beforeNextRenewal(() -> TestEngine.meet(end));
        await().until(() -> engine.journal.kinds().contains(Kind.RENEWAL_FAILED));
        engine.clock.advance(MAX_OF_IT);

        await().until(() -> engine.stored().leaseLeft().equals(LEASE));

        end.countDown();
        held.finish("receipt");
        assertThat(TestEngine.get(outcome)).isEqualTo(new Outcome.Succeeded<>("receipt", false));
    }

    /** Called once the work runs: on a slow machine the grant itself may need a renewal, which does not count here. */
    private void beforeNextRenewal(Runnable fault) {
        AtomicBoolean used = new AtomicBoolean();
        engine.store.beforeCommand(command -> {
            if (command instanceof Command.Renew && used.compareAndSet(false, true)) {
                fault.run();
            }
        });
    }

    @Test
    void nothingIsRenewedAfterSuccess() {
        engine.execute(SHORT, run -> "receipt");

        noRenewalComes();
    }

    @Test
    void nothingIsRenewedAfterAFailure() {
        engine.execute(SHORT, run -> {
            throw new IllegalStateException("declined");
        });

        noRenewalComes();
    }

    @Test
    void nothingIsRenewedAfterItsProbeThrew() {
        reconciled(context -> {
            throw new IllegalStateException("no answer");
        });

        noRenewalComes();
    }

    @Test
    void nothingIsRenewedAfterItsProbeAnswered() {
        reconciled(context -> ProbeAnswer.done("receipt"));

        noRenewalComes();
    }

    @Test
    void nothingIsRenewedAfterItsProbeParkedTheClaim() {
        reconciled(context -> ProbeAnswer.unknown("no record"));

        noRenewalComes();
    }

    @Test
    void aClaimIsRenewedWhileItsProbeIsAsked() {
        Operation<String> reconciling = SHORT.reconcileWhenStale(context -> {
            engine.clock.advance(MAX_OF_IT);
            await().until(() -> engine.stored().leaseLeft().equals(LEASE));
            return ProbeAnswer.done("receipt");
        });
        engine.claimedElsewhere(reconciling);
        engine.age(LEASE);

        assertThat(engine.execute(reconciling, run -> "ran")).isEqualTo(new Outcome.Succeeded<>("receipt", true));
    }

    private void reconciled(Probe<String> probe) {
        Operation<String> reconciling = SHORT.reconcileWhenStale(probe);
        engine.claimedElsewhere(reconciling);
        engine.age(LEASE);
        engine.execute(reconciling, run -> "ran");
    }

    /** Another claim, started later with the same lease, is renewed three times, and this one is not. */
    private void noRenewalComes() {
        long before = engine.store.renewalsOf(engine.ref());
        ClaimKey other = CHARGE.key("acme", "order-18");
        CompletableFuture<Outcome<String>> running =
                TestEngine.inBackground(() -> engine.semel.execute(SHORT, other, held));

        await().until(() -> engine.store.renewalsOf(engine.semel.refOf(other)) >= 3);

        // One renewal may have been in progress already.
        assertThat(engine.store.renewalsOf(engine.ref())).isBetween(before, before + 1);
        assertThat(engine.journal.kinds()).doesNotContain(Kind.OWNERSHIP_LOST);
        held.finish("receipt");
        TestEngine.get(running);
    }
}
