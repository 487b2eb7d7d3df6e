// SPDX-License-Identifier: Apache-2.0
package dev.semel.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.ClaimEvent.Kind;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.Semel;
import dev.semel.claim.ClaimKey;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.Status;
import dev.semel.claim.SweepReport;
import dev.semel.memory.MemoryClaimStore;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Duplicates, other requests and sweeps of one key. Rows are those of docs/failures.md. */
class SharedKeysTest extends EngineScenario {
    private static final Fingerprint TEN = Fingerprint.of("10 EUR");
    private static final Fingerprint ELEVEN = Fingerprint.of("11 EUR");

    @Test
    void row16_expiredKeyClaimedWhileCleanupRuns_hasOneOwner() {
        // The real clock, because fences grow after a sweep only if the clock moves.
        MemoryClaimStore shared = new MemoryClaimStore();
        Semel one = engineOn(shared, Duration.ofSeconds(30));
        Semel other = engineOn(shared, Duration.ofSeconds(30));
        Operation<String> waiting = PAY.waitingUpTo(Duration.ofSeconds(30));
        for (int life = 1; life <= 100; life++) {
            AtomicInteger runs = new AtomicInteger();
            String receipt = "receipt " + life;

            List<Object> results = ConcurrentThreads.run(List.of(
                    () -> one.execute(waiting, KEY, run -> counted(runs, receipt)),
                    () -> other.execute(waiting, KEY, run -> counted(runs, receipt)),
                    () -> shared.sweep(10)));

            assertThat(runs).as("runs in life %d", life).hasValue(1);
            assertThat(results.subList(0, 2)).containsExactlyInAnyOrder(done(receipt), replayed(receipt));
            shared.age(one.refOf(KEY), PAY.terms().ttl().orElseThrow().plusHours(1));
        }
    }

    private static String counted(AtomicInteger runs, String receipt) {
        runs.incrementAndGet();
        return receipt;
    }

    @Test
    void row17_cleanup_neverDeletesARunningClaim() {
        Operation<String> shortLived = PAY.withTtl(Duration.ofSeconds(1));

        Outcome<String> outcome = semel.execute(shortLived, KEY, run -> {
            clock.advance(LEASE.minusSeconds(10));
            assertThat(semel.sweep().toCompletableFuture().join()).isEqualTo(SweepReport.NOTHING);
            assertThat(run.stillMine()).isTrue();
            return effect("paid");
        });

        assertThat(outcome).isEqualTo(done("paid"));
        assertThat(pay(semel)).isEqualTo(replayed("paid"));
        clock.advance(Duration.ofSeconds(2));
        assertThat(semel.sweep().toCompletableFuture().join().deleted()).isEqualTo(1);
    }

    /** The sweep releases the claim as abandoned. An owner that returns is refused. */
    @Test
    void row17_claimReleasedByACleanup_isRunByItsNextCallerAndItsOldOwnerIsTold() {
        Semel other = otherProcess();

        Outcome<String> zombie = semel.execute(PAY, KEY, run -> {
            clock.advance(Duration.ofDays(3));
            assertThat(other.sweep().toCompletableFuture().join().released()).isEqualTo(1);
            return effect("the zombie's");
        });

        assertThat(zombie).isInstanceOf(Outcome.Unsettled.class);
        assertThat(claim().status()).isEqualTo(Status.RETRYABLE);
        assertThat(pay(semel, "the successor's")).isEqualTo(done("the successor's"));
    }

    @Test
    void row19_otherPayload_isAMismatchWhileInProgressAndAfterwards() {
        Semel other = otherProcess();

        semel.execute(PAY, KEY, TEN, run -> {
            assertThat(other.execute(PAY, KEY, ELEVEN, again -> effect("11"))).isInstanceOf(Outcome.Mismatch.class);
            assertThat(other.execute(PAY, KEY, TEN, again -> effect("10"))).isInstanceOf(Outcome.InProgress.class);
            return effect("10");
        });

        assertThat(semel.execute(PAY, KEY, ELEVEN, run -> effect("11"))).isInstanceOf(Outcome.Mismatch.class);
        assertThat(semel.execute(PAY, KEY, TEN, run -> effect("10"))).isEqualTo(replayed("10"));
        assertThat(effects).hasValue(1);
        assertThat(events.stream().filter(event -> event.kind() == Kind.MISMATCH))
                .hasSize(2);
    }

    @Test
    void row19_otherPayload_isAMismatchBeforeATakeOverToo() {
        semel.execute(PAY, KEY, TEN, run -> {
            throw new IOException("no");
        });

        assertThat(semel.execute(PAY, KEY, ELEVEN, run -> effect("11"))).isInstanceOf(Outcome.Mismatch.class);
        assertThat(semel.execute(PAY, KEY, TEN, run -> effect("10"))).isEqualTo(done("10"));
        assertThat(effects).hasValue(1);
    }

    /** An expired claim counts as absent, so its request no longer matters. */
    @Test
    void row19_otherPayload_isNoMismatchOnceTheFirstHasExpired() {
        semel.execute(PAY, KEY, TEN, run -> effect("10"));
        clock.advance(PAY.terms().ttl().orElseThrow());

        assertThat(semel.execute(PAY, KEY, ELEVEN, run -> effect("11"))).isEqualTo(done("11"));
    }

    @Test
    void twoEngines_withFaultsOnBothConnections_haveEveryEffectOnce() {
        // About every third write is lost, before or after its effect.
        MemoryClaimStore shared = new MemoryClaimStore();
        FaultyStore[] connections = {new FaultyStore(shared), new FaultyStore(shared)};
        for (FaultyStore connection : connections) {
            for (int call = 1; call <= 300; call += 6) {
                connection.onApply().nth(call).failAfter();
                connection.onApply().nth(call + 3).failBefore();
            }
        }
        Operation<String> waiting = PAY.waitingUpTo(Duration.ofSeconds(30));
        Semel[] engines = {
            engineOn(connections[0], Duration.ofSeconds(30)), engineOn(connections[1], Duration.ofSeconds(30))
        };

        for (int i = 0; i < 20; i++) {
            ClaimKey key = PAY.key("acme", "order-" + i);
            AtomicInteger runs = new AtomicInteger();
            List<Outcome<String>> outcomes = ConcurrentThreads.run(
                    4, thread -> () -> engines[thread % 2].execute(waiting, key, run -> counted(runs, "paid")));

            assertThat(runs).as("runs of %d", i).hasValue(1);
            assertThat(outcomes).allMatch(outcome -> outcome.orElseThrow().equals("paid"));
        }
    }
}
