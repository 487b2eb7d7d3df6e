// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import static dev.semel.TestEngine.CHARGE;
import static dev.semel.TestEngine.KEY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.ClaimEvent.Kind;
import dev.semel.claim.AliasedKey;
import dev.semel.claim.Fingerprint;
import dev.semel.key.KeyDigests;
import dev.semel.key.Secret;
import dev.semel.lane.Alarms;
import dev.semel.lane.DaemonThreads;
import dev.semel.lane.Environment;
import dev.semel.lane.Workers;
import dev.semel.memory.MemoryClaimStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Delayed;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@EngineTest
class RunTest {
    private static final Duration LEASE = Duration.ofHours(3);

    private final Workers workers = Workers.fixed("test-store", 1);
    private final ScheduledThreadPoolExecutor timer = DaemonThreads.timer("test-timer");
    private final ScheduledThreadPoolExecutor bounds = DaemonThreads.timer("test-bounds");
    private final RecordedEvents journal = new RecordedEvents();
    private final KeyDigests digests = new KeyDigests(Secret.of("0123456789abcdef0123456789abcdef"));
    private final StoreGateway gateway = new StoreGateway(new MemoryClaimStore(), workers, bounds);
    private final OwnerCommands owners = new OwnerCommands(gateway, Duration.ofSeconds(5));
    private final ClaimProtocol claims = new ClaimProtocol(
            new Acquisition.Engine(
                    gateway,
                    Duration.ofSeconds(5),
                    new CachedOutcomes(null, null, gateway, Duration.ofSeconds(5)),
                    owners,
                    new OmittedResults(gateway, 4),
                    new Events(List.of(journal))),
            100,
            4);

    @AfterEach
    void close() {
        timer.shutdownNow();
        bounds.shutdownNow();
        workers.end(Duration.ZERO);
    }

    @Test
    void isRenewedAtAThirdOfItsLease() {
        started();

        assertThat(timer.getQueue()).hasSize(1);
        Duration delay = Duration.ofNanos(((Delayed) timer.getQueue().element()).getDelay(TimeUnit.NANOSECONDS));
        assertThat(delay).isBetween(Duration.ofMinutes(59), Duration.ofMinutes(60));
    }

    @Test
    void saysThatItCannotBeRenewedByATimerThatIsClosed() {
        Claim claim = granted();
        timer.shutdownNow();

        Run.started(
                        Environment.SYSTEM,
                        claim,
                        new Rejecting(DetailsCodec.text()),
                        owners,
                        new Events(List.of(journal)),
                        new Alarms(Environment.SYSTEM, timer),
                        Runnable::run)
                .stop();

        assertThat(journal.kinds()).containsExactly(Kind.RENEWAL_FAILED);
    }

    @Test
    void knowsItsClaim() {
        Claim claim = granted();
        Run run = Run.started(
                Environment.SYSTEM,
                claim,
                new Rejecting(DetailsCodec.text()),
                owners,
                new Events(List.of(journal)),
                new Alarms(Environment.SYSTEM, timer),
                Runnable::run);

        assertThat(run.claim()).isSameAs(claim);
        assertThat(run.fence()).isEqualTo(claim.fence());
    }

    private Run started() {
        return Run.started(
                Environment.SYSTEM,
                granted(),
                new Rejecting(DetailsCodec.text()),
                owners,
                new Events(List.of(journal)),
                new Alarms(Environment.SYSTEM, timer),
                Runnable::run);
    }

    private Claim granted() {
        ClaimOutcome outcome = TestEngine.get(claims.claim(ClaimCall.toRunElsewhere(
                Environment.SYSTEM,
                ClaimDigests.of(digests, AliasedKey.of(KEY)),
                KEY.scope(),
                Fingerprint.NONE,
                CHARGE.withLease(LEASE).terms(),
                Duration.ZERO)));
        return ((ClaimOutcome.Granted) outcome).claim();
    }
}
