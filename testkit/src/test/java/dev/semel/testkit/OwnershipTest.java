// SPDX-License-Identifier: Apache-2.0
package dev.semel.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.semel.Claim;
import dev.semel.ClaimEvent.Kind;
import dev.semel.ClaimOutcome;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.Ownership;
import dev.semel.Semel;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.Status;
import dev.semel.claim.Terms;
import dev.semel.spi.Command;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Ownership of a claim whose owner is slow, paused or killed. Rows are those of docs/failures.md. */
class OwnershipTest extends EngineScenario {
    /** Short, so that renewals are frequent. The store's clock is fixed, so the lease does not end by itself. */
    private static final Operation<String> BEATING = PAY.withLease(Duration.ofMillis(90));

    @Test
    void row03_zombieCompletesAfterTakeover_isRefusedByToken() {
        Semel other = otherProcess();

        Outcome<String> zombie = semel.execute(PAY, KEY, run -> {
            clock.advance(LEASE.plusMinutes(1));
            assertThat(pay(other, "the successor's")).isEqualTo(done("the successor's"));
            return effect("the zombie's");
        });

        Outcome.Unsettled<?> told = assertInstanceOf(Outcome.Unsettled.class, zombie);
        assertThat(told.lost()).isTrue();
        assertThat(told.value()).isEqualTo("the zombie's");
        assertThat(heard(Kind.OWNERSHIP_LOST)).isTrue();
        assertThat(pay(semel)).isEqualTo(replayed("the successor's"));
    }

    @Test
    void row03_zombieCompletesWhileItsSuccessorRuns_isRefusedByToken() {
        Semel other = otherProcess();
        Claim[] successor = new Claim[1];

        Outcome<String> zombie = semel.execute(PAY, KEY, run -> {
            clock.advance(LEASE.plusMinutes(1));
            successor[0] = claimed(other);
            assertThat(run.stillMine()).as("while its successor's lease runs").isFalse();
            assertThat(successor[0].attempt()).isEqualTo(2);
            assertThat(successor[0].fence()).isGreaterThan(run.fence());
            assertThat(successor[0].childKey("bank")).as("the same child key").isEqualTo(run.childKey("bank"));
            return effect("the zombie's");
        });

        assertThat(assertInstanceOf(Outcome.Unsettled.class, zombie).lost()).isTrue();
        assertThat(claim().token()).isEqualTo(successor[0].token());
        assertThat(claim().status()).isEqualTo(Status.IN_PROGRESS);
        assertThat(settled(successor[0], Status.FAILED)).isInstanceOf(Ownership.Confirmed.class);
    }

    @Test
    void row04_zombieRenewsFailsOrReleases_isRefusedByToken() {
        Claim zombie = claimed(semel);
        clock.advance(LEASE.plusMinutes(1));
        Claim successor = claimed(otherProcess());

        for (Duration lease : new Duration[] {LEASE, Duration.ZERO}) {
            assertThat(semel.renew(zombie.ref(), zombie.token(), lease)
                            .toCompletableFuture()
                            .join())
                    .isInstanceOf(Ownership.Lost.class);
        }
        for (Status status : new Status[] {Status.FAILED, Status.RETRYABLE, Status.UNKNOWN, Status.SUCCEEDED}) {
            assertThat(settled(zombie, status)).isInstanceOf(Ownership.Lost.class);
        }

        assertThat(claim().token()).isEqualTo(successor.token());
        assertThat(claim().leaseLeft()).isEqualTo(LEASE);
        assertThat(settled(successor, Status.SUCCEEDED)).isInstanceOf(Ownership.Confirmed.class);
    }

    @Test
    void row04_zombieThatThrows_doesNotFailItsSuccessor() {
        Semel other = otherProcess();
        IOException failure = new IOException("too late");

        Outcome<String> zombie = semel.execute(PAY, KEY, run -> {
            clock.advance(LEASE.plusMinutes(1));
            pay(other, "the successor's");
            throw failure;
        });

        Outcome.Unsettled<?> told = assertInstanceOf(Outcome.Unsettled.class, zombie);
        assertThat(told.lost()).isTrue();
        assertThat(told.failure()).isSameAs(failure);
        assertThat(pay(semel)).isEqualTo(replayed("the successor's"));
    }

    @Test
    void row05_everyAcquisition_hasAFreshTokenAndAGreaterFenceOverCleanUpsToo() {
        Claim first = claimed(semel);
        settled(first, Status.RETRYABLE);
        Claim retried = claimed(semel);
        clock.advance(LEASE.plusMinutes(1));
        Claim takenOver = claimed(semel);
        settled(takenOver, Status.SUCCEEDED);
        clock.advance(Duration.ofDays(2));
        assertThat(semel.sweep().toCompletableFuture().join().deleted()).isEqualTo(1);
        Claim anew = claimed(semel);

        Claim[] all = {first, retried, takenOver, anew};
        assertThat(all).extracting(Claim::token).doesNotHaveDuplicates();
        assertThat(all).extracting(Claim::fence).isSorted().doesNotHaveDuplicates();
        assertThat(all).extracting(Claim::attempt).containsExactly(1, 2, 3, 1);
        assertThat(anew.record()).isNotEqualTo(first.record());
    }

    @Test
    void row06_runLongerThanTheLease_isKeptAliveByItsHeartbeat() {
        Semel other = otherProcess();

        Outcome<String> outcome = semel.execute(BEATING, KEY, run -> {
            for (int i = 0; i < 5; i++) {
                clock.advance(Duration.ofMillis(80));
                awaitRenewal(KEY);
                assertThat(pay(other)).isInstanceOf(Outcome.InProgress.class);
                assertThat(run.stillMine()).isTrue();
            }
            return effect("paid");
        });

        assertThat(outcome).isEqualTo(done("paid"));
        assertThat(effects).hasValue(1);
    }

    @Test
    void row06_pauseLongerThanTheLease_operationIsToldAndItsCommitRefused() {
        Semel other = otherProcess();
        Fault pause = store.onApplyOf(Command.Renew.class).always().hangBefore();
        AtomicBoolean lost = new AtomicBoolean();

        Outcome<String> zombie = semel.execute(BEATING, KEY, run -> {
            run.onLost(() -> lost.set(true));
            assertThat(run.stillMine()).isTrue();
            pause.awaitHit();
            clock.advance(Duration.ofMillis(100));
            assertThat(run.stillMine()).as("once the lease is over").isFalse();
            pay(other, "the successor's");
            pause.release();
            await().untilTrue(lost);
            assertThat(run.stillMine()).isFalse();
            assertThat(run.leaseLeft()).isZero();
            return effect("the zombie's");
        });

        Outcome.Unsettled<?> told = assertInstanceOf(Outcome.Unsettled.class, zombie);
        assertThat(told.lost()).isTrue();
        assertThat(told.value()).isEqualTo("the zombie's");
        assertThat(heard(Kind.OWNERSHIP_LOST)).isTrue();
        assertThat(pay(semel)).isEqualTo(replayed("the successor's"));
    }

    @Test
    void row06_maximumRunTimeReached_ownerIsToldThoughNobodyTookOver() {
        Operation<String> bounded = BEATING.withMaxRun(Duration.ofMillis(200));
        CompletableFuture<Duration> leftWhenLost = new CompletableFuture<>();

        Outcome<String> outcome = semel.execute(bounded, KEY, run -> {
            run.onLost(() -> leftWhenLost.complete(run.leaseLeft()));
            clock.advance(Duration.ofMillis(150));
            awaitRenewal(KEY);
            assertThat(claim().leaseLeft()).as("never past the end").isEqualTo(Duration.ofMillis(50));
            assertThat(leftWhenLost).isNotDone();
            clock.advance(Duration.ofMillis(50));
            assertThat(leftWhenLost.join()).isZero();
            assertThat(run.stillMine()).isFalse();
            return effect("paid");
        });

        assertThat(heard(Kind.OWNERSHIP_LOST)).isTrue();
        assertThat(outcome)
                .as("no other owner took over, so it can still settle")
                .isEqualTo(done("paid"));
    }

    @Test
    void row06_maximumRunTimeReached_anotherMayTakeOverThoughItStillRuns() {
        Semel other = otherProcess();

        Outcome<String> zombie = semel.execute(BEATING, KEY, run -> {
            clock.advance(BEATING.terms().maxRun());
            assertThat(pay(other, "the successor's")).isEqualTo(done("the successor's"));
            return effect("the zombie's");
        });

        assertThat(assertInstanceOf(Outcome.Unsettled.class, zombie).lost()).isTrue();
        assertThat(pay(semel)).isEqualTo(replayed("the successor's"));
    }

    private static Claim claimed(Semel engine) {
        ClaimOutcome outcome = engine.claim(KEY, Fingerprint.NONE, Terms.DEFAULT, Duration.ZERO)
                .toCompletableFuture()
                .join();
        return assertInstanceOf(ClaimOutcome.Granted.class, outcome).claim();
    }

    private Ownership settled(Claim claim, Status status) {
        return semel.settle(claim, status, null, null).toCompletableFuture().join();
    }
}
