// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import static dev.semel.TestEngine.CHARGE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.ClaimEvent.Kind;
import dev.semel.claim.Status;
import dev.semel.spi.Snapshot;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

@EngineTest
class ReconcileTest {
    @AutoClose
    private final TestEngine engine = new TestEngine();

    private final AtomicInteger runs = new AtomicInteger();
    private final Work<String> work = run -> "receipt " + runs.incrementAndGet();
    private final Deque<Probe<String>> probes = new ArrayDeque<>();
    private final List<RunContext> asked = new ArrayList<>();
    private final Operation<String> reconciling = CHARGE.reconcileWhenStale(context -> {
        asked.add(context);
        return probes.remove().ask(context);
    });

    @Test
    void aFirstAttemptNeedsNoProbe() {
        assertThat(engine.execute(reconciling, work)).isEqualTo(new Outcome.Succeeded<>("receipt 1", false));
        assertThat(asked).isEmpty();
    }

    @Test
    void aRetryNeedsNoProbe() {
        engine.execute(reconciling, run -> {
            throw new IOException("declined");
        });

        assertThat(engine.execute(reconciling, work)).isEqualTo(new Outcome.Succeeded<>("receipt 1", false));
        assertThat(asked).isEmpty();
    }

    @Test
    void anEffectThatHappenedIsStoredAndNothingRuns() {
        abandoned();
        probes.add(context -> ProbeAnswer.done("the bank's receipt"));

        assertThat(engine.execute(reconciling, work)).isEqualTo(new Outcome.Succeeded<>("the bank's receipt", true));

        assertThat(engine.execute(reconciling, work)).isEqualTo(new Outcome.Succeeded<>("the bank's receipt", true));
        assertThat(runs).hasValue(0);
        assertThat(asked).hasSize(1);
    }

    @Test
    void anEffectThatDidNotHappenRuns() {
        abandoned();
        probes.add(context -> ProbeAnswer.notDone());

        assertThat(engine.execute(reconciling, work)).isEqualTo(new Outcome.Succeeded<>("receipt 1", false));
        assertThat(engine.stored().attempt()).isEqualTo(2);
    }

    @Test
    void anUnknownEffectIsParked() {
        abandoned();
        probes.add(context -> ProbeAnswer.unknown("the bank has no record yet"));

        assertThat(engine.execute(reconciling, work)).isEqualTo(new Outcome.Unknown<>("the bank has no record yet"));

        assertThat(engine.execute(reconciling, work)).isEqualTo(new Outcome.Unknown<>("the bank has no record yet"));
        assertThat(engine.stored().status()).isEqualTo(Status.UNKNOWN);
        assertThat(runs).hasValue(0);
        assertThat(engine.journal.kinds()).containsExactly(Kind.GRANTED, Kind.TAKEN_OVER, Kind.PARKED, Kind.UNKNOWN);
    }

    @Test
    void aProbeThatThrowsGivesTheClaimBackAndTheNextCallerAsksAgain() {
        abandoned();
        Exception silent = new IOException("the bank does not answer");
        probes.add(context -> {
            throw silent;
        });
        probes.add(context -> ProbeAnswer.done("the bank's receipt"));

        assertThat(engine.execute(reconciling, work)).isEqualTo(new Outcome.Retryable<>(silent));
        Snapshot stored = engine.stored();
        assertThat(stored.lapsed()).isTrue();
        assertThat(stored.attempt()).as("only the one that disappeared").isEqualTo(1);

        assertThat(engine.execute(reconciling, work)).isEqualTo(new Outcome.Succeeded<>("the bank's receipt", true));
        assertThat(runs).hasValue(0);
    }

    @Test
    void aProbeDerivesTheKeysOfTheAttemptThatItAsksAbout() {
        Claim lost = engine.claimedElsewhere(reconciling);
        engine.age(Duration.ofMinutes(5));
        probes.add(context -> ProbeAnswer.done(context.childKey("charge") + " " + context.attempt()));

        assertThat(engine.execute(reconciling, work).orElseThrow()).isEqualTo(lost.childKey("charge") + " 2");
    }

    @Test
    void aCallerWithoutAProbeParksTheClaim() {
        abandoned();
        String reason = "the owner's lease ended, and this operation has no probe";

        assertThat(engine.execute(CHARGE, work)).isEqualTo(new Outcome.Unknown<>(reason));

        assertThat(engine.stored().status()).isEqualTo(Status.UNKNOWN);
        assertThat(engine.stored().reason()).isEqualTo(reason);
        assertThat(runs).hasValue(0);
    }

    @Test
    void aProbeIsNotAskedIfTheClaimMayRunAgain() {
        engine.claimedElsewhere(CHARGE.rerunWhenStale());
        engine.age(Duration.ofMinutes(5));

        assertThat(engine.execute(reconciling, work)).isEqualTo(new Outcome.Succeeded<>("receipt 1", false));
        assertThat(asked).isEmpty();
    }

    @Test
    void anAnswerAfterTheLossOfTheClaimIsNotStored() {
        abandoned();
        probes.add(context -> {
            engine.takeOverElsewhere();
            return ProbeAnswer.done("the bank's receipt");
        });

        assertThat(engine.execute(reconciling, work))
                .isEqualTo(new Outcome.Unsettled<>(
                        "the bank's receipt", null, true, "another attempt (3) owns the claim"));
    }

    @Test
    void anErrorOfAProbeGivesTheClaimBackAndIsRethrown() {
        abandoned();
        Error error = new StackOverflowError();
        probes.add(context -> {
            throw error;
        });

        assertThatThrownBy(() -> engine.execute(reconciling, work)).isSameAs(error);
        assertThat(engine.stored().lapsed()).isTrue();
    }

    @Test
    void anInterruptedProbeLeavesTheThreadInterrupted() {
        abandoned();
        probes.add(context -> {
            throw new InterruptedException();
        });

        assertThat(engine.execute(reconciling, work)).isInstanceOf(Outcome.Retryable.class);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void aProbeThatReturnsNullGivesTheClaimBack() {
        abandoned();
        probes.add(context -> Missing.value());

        assertThat(engine.execute(reconciling, work)).isInstanceOf(Outcome.Retryable.class);
        assertThat(runs).hasValue(0);
        assertThat(engine.stored().lapsed()).isTrue();
    }

    @Test
    void aReasonIsMadeFitToBeStored() {
        abandoned();
        probes.add(context -> ProbeAnswer.unknown("line one\nline two"));

        assertThat(engine.execute(reconciling, work)).isEqualTo(new Outcome.Unknown<>("line one line two"));
        assertThat(engine.stored().status()).isEqualTo(Status.UNKNOWN);
    }

    @Test
    void aKeyNestedInItsOwnProbeIsAnError() {
        abandoned();
        probes.add(context -> ProbeAnswer.done(engine.execute(reconciling, work).orElseThrow()));

        assertThat(engine.execute(reconciling, work))
                .isInstanceOfSatisfying(
                        Outcome.Retryable.class,
                        retryable -> assertThat(retryable.cause()).isInstanceOf(IllegalStateException.class));
    }

    @Test
    void aProbeIsAskedBeyondTheAttemptCapToo() {
        Operation<String> once = reconciling.withAttemptCap(1);
        abandoned();
        probes.add(context -> ProbeAnswer.done("the bank's receipt"));

        assertThat(engine.execute(once, work)).isEqualTo(new Outcome.Succeeded<>("the bank's receipt", true));
    }

    @Test
    void aProbeCanFindThatItWasRejected() {
        abandoned();
        probes.add(context -> ProbeAnswer.done(context.reject("DECLINED")));

        assertThat(engine.execute(reconciling, work)).isInstanceOfSatisfying(Outcome.Rejected.class, rejected -> {
            assertThat(rejected.rejection().code()).isEqualTo("DECLINED");
            assertThat(rejected.replayed()).isTrue();
        });
        assertThat(engine.execute(reconciling, work)).isInstanceOf(Outcome.Rejected.class);
        assertThat(runs).hasValue(0);
    }

    @Test
    void aRejectionOfAProbeThatFoundNothingIsForgotten() {
        abandoned();
        probes.add(context -> {
            context.<String>reject("DECLINED");
            return ProbeAnswer.notDone();
        });

        assertThat(engine.execute(reconciling, work)).isEqualTo(new Outcome.Succeeded<>("receipt 1", false));
    }

    @Test
    void nothingRunsBeyondTheAttemptCap() {
        Operation<String> once = reconciling.withAttemptCap(1);
        abandoned();
        probes.add(context -> ProbeAnswer.notDone());

        assertThat(engine.execute(once, work))
                .isEqualTo(new Outcome.Failed<>(Operation.failure("given up after 1 attempts"), null, true));
        assertThat(runs).hasValue(0);
    }

    private void abandoned() {
        engine.claimedElsewhere(reconciling);
        engine.age(Duration.ofMinutes(5));
    }
}
