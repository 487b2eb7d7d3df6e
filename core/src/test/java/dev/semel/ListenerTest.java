// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import static dev.semel.TestEngine.CHARGE;
import static dev.semel.TestEngine.KEY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.semel.ClaimEvent.Kind;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.OwnerToken;
import dev.semel.claim.Status;
import dev.semel.claim.StoreException;
import dev.semel.claim.SweepReport;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

@EngineTest
class ListenerTest {
    @AutoClose
    private final TestEngine engine = new TestEngine();

    private final Work<String> failing = run -> {
        throw new IllegalStateException("declined");
    };

    @Test
    void hearsOfAFirstRunAndItsReplay() {
        engine.execute(CHARGE, run -> "receipt");
        engine.execute(CHARGE, run -> "receipt");

        assertThat(engine.journal.events())
                .containsExactly(
                        new ClaimEvent(Kind.GRANTED, engine.ref(), "card.charge", 1, null, Duration.ofHours(24)),
                        new ClaimEvent(Kind.SUCCEEDED, engine.ref(), "card.charge", 1, null),
                        new ClaimEvent(Kind.REPLAYED, engine.ref(), "card.charge", 0, null));
    }

    @Test
    void hearsOfAFailureAndItsRetry() {
        engine.execute(CHARGE, failing);
        engine.execute(CHARGE, run -> "receipt");

        assertThat(heard()).containsExactly(Kind.GRANTED, Kind.FAILED_RETRYABLY, Kind.RETRIED, Kind.SUCCEEDED);
        assertThat(engine.journal.events().get(2).attempt()).isEqualTo(2);
    }

    @Test
    void hearsOfAFinalFailureAndItsReplay() {
        Operation<String> hopeless = CHARGE.classifyingFailures(failure -> FailureClass.FINAL);
        engine.execute(hopeless, failing);
        engine.execute(hopeless, failing);

        assertThat(heard()).containsExactly(Kind.GRANTED, Kind.FAILED, Kind.FAILURE_REPLAYED);
    }

    @Test
    void hearsOfAParkedClaimAndOfLaterCallers() {
        Operation<String> unsure = CHARGE.classifyingFailures(failure -> FailureClass.UNKNOWN);
        engine.execute(unsure, failing);
        engine.execute(unsure, failing);

        assertThat(heard()).containsExactly(Kind.GRANTED, Kind.PARKED, Kind.UNKNOWN);
    }

    @Test
    void hearsOfDuplicatesMismatchesAndTakeOvers() {
        engine.claimedElsewhere(Fingerprint.of("10 EUR"), CHARGE.terms());
        engine.execute(CHARGE, run -> "receipt");
        engine.semel.execute(CHARGE, KEY, Fingerprint.of("20 EUR"), run -> "receipt");
        engine.age(Duration.ofMinutes(5));
        engine.execute(CHARGE, run -> "receipt");

        assertThat(heard())
                .containsExactly(Kind.GRANTED, Kind.IN_PROGRESS, Kind.MISMATCH, Kind.TAKEN_OVER, Kind.SUCCEEDED);
    }

    @Test
    void hearsOfAReconciledClaimAsTakenOver() {
        Operation<String> reconciling = CHARGE.reconcileWhenStale(context -> ProbeAnswer.done("receipt"));
        engine.claimedElsewhere(reconciling);
        engine.age(Duration.ofMinutes(5));
        engine.execute(reconciling, run -> "receipt");

        assertThat(heard()).containsExactly(Kind.GRANTED, Kind.TAKEN_OVER, Kind.SUCCEEDED);
    }

    @Test
    void hearsOfAnOwnerThatSettlesTooLate() {
        Claim claim = engine.claimedElsewhere(CHARGE);
        engine.takeOverElsewhere();
        TestEngine.get(engine.semel.settle(claim, Status.SUCCEEDED, null, null));

        assertThat(heard()).containsExactly(Kind.GRANTED, Kind.OWNERSHIP_LOST);
    }

    @Test
    void hearsOnceOfAClaimThatAnotherProcessGrantedWithItsScope() {
        Claim claim = engine.claimedElsewhere(CHARGE);
        try (TestEngine other = engine.another()) {
            for (int sent = 0; sent < 2; sent++) {
                TestEngine.get(other.semel.settle(claim.ref(), claim.token(), Status.SUCCEEDED, null, null));
            }
            TestEngine.get(other.semel.settle(claim.ref(), OwnerToken.random(), Status.FAILED, null, null));

            assertThat(other.journal.events())
                    .extracting(ClaimEvent::kind, ClaimEvent::scope, ClaimEvent::attempt)
                    .containsExactly(
                            tuple(Kind.SUCCEEDED, claim.scope(), 1), tuple(Kind.OWNERSHIP_LOST, claim.scope(), 0));
        }
    }

    @Test
    void hearsOfAClaimThatIsSettledAgainWithItsScopeAndAttempt() {
        Claim claim = engine.claimedElsewhere(CHARGE);
        settle(claim, Status.UNKNOWN);
        settle(claim, Status.SUCCEEDED);
        settle(claim, Status.SUCCEEDED);
        settle(claim, Status.FAILED);
        engine.store.beforeCommand(command -> {
            throw new StoreException(StoreException.Kind.BUSY, "locked");
        });
        settle(claim, Status.SUCCEEDED);

        assertThat(engine.journal.events())
                .extracting(ClaimEvent::kind, ClaimEvent::scope, ClaimEvent::attempt)
                .containsExactly(
                        tuple(Kind.GRANTED, claim.scope(), 1),
                        tuple(Kind.PARKED, claim.scope(), 1),
                        tuple(Kind.SUCCEEDED, claim.scope(), 1),
                        tuple(Kind.OWNERSHIP_LOST, claim.scope(), 1),
                        tuple(Kind.SETTLEMENT_FAILED, claim.scope(), 1));
    }

    private void settle(Claim claim, Status status) {
        String reason = status == Status.UNKNOWN ? "a person has to look" : null;
        TestEngine.get(engine.semel.settle(claim.ref(), claim.token(), status, null, reason));
    }

    @Test
    void hearsWhyNothingCouldBeClaimed() {
        engine.close();
        engine.execute(CHARGE, run -> "receipt");

        assertThat(heard()).containsExactly(Kind.UNAVAILABLE);
        assertThat(engine.journal.events().get(0).cause()).hasMessage("Semel is closed");
    }

    @Test
    void hearsOfASettlementThatCouldNotBeWritten() {
        engine.execute(CHARGE, run -> {
            engine.close();
            return "receipt";
        });

        assertThat(heard()).containsExactly(Kind.GRANTED, Kind.SETTLEMENT_FAILED);
        assertThat(engine.journal.events().get(1).cause()).hasMessage("Semel is closed");
    }

    @Test
    void anExceptionOfTheListenerHasNoEffect() {
        try (TestEngine shouting = new TestEngine(builder -> builder.listener(new Shouting()))) {
            assertThat(shouting.execute(CHARGE, run -> "receipt")).isEqualTo(new Outcome.Succeeded<>("receipt", false));
            assertThat(shouting.execute(CHARGE, run -> "receipt")).isEqualTo(new Outcome.Succeeded<>("receipt", true));
            shouting.age(Duration.ofHours(24));
            assertThat(TestEngine.get(shouting.semel.sweep())).isEqualTo(new SweepReport(1, 0, 0, false));
        }
    }

    @Test
    void needNotImplementSweeps() {
        try (TestEngine quiet = new TestEngine(builder -> builder.listener(event -> {}))) {
            assertThat(TestEngine.get(quiet.semel.sweep())).isEqualTo(SweepReport.NOTHING);
        }
    }

    @Test
    void anErrorOfTheListenerHasNoEffect() {
        ClaimListener broken = event -> {
            throw new NoClassDefFoundError("Metrics");
        };
        try (TestEngine shouting = new TestEngine(builder -> builder.listener(broken))) {
            assertThat(shouting.execute(CHARGE, run -> "receipt")).isEqualTo(new Outcome.Succeeded<>("receipt", false));
        }
    }

    @Test
    void hearsOfCallsOfTheStore() {
        List<StoreCall> calls = new CopyOnWriteArrayList<>();
        ClaimListener counting = new ClaimListener() {
            @Override
            public void onClaim(ClaimEvent event) {}

            @Override
            public void onStoreCall(StoreCall call) {
                calls.add(call);
            }
        };
        try (TestEngine counted = new TestEngine(builder -> builder.listener(counting))) {
            counted.execute(CHARGE, run -> "receipt");
            TestEngine.get(counted.semel.sweep());

            assertThat(calls)
                    .extracting(StoreCall::kind)
                    .containsExactly(StoreCall.Kind.APPLY, StoreCall.Kind.APPLY, StoreCall.Kind.SWEEP);
            assertThat(calls.get(0).size()).isEqualTo(1);
            assertThat(calls)
                    .allMatch(StoreCall::answered)
                    .allMatch(call -> !call.waited().isNegative());
            assertThat(calls).noneMatch(call -> call.took().isZero());
        }
    }

    private List<Kind> heard() {
        return engine.journal.kinds();
    }

    private static final class Shouting implements ClaimListener {
        @Override
        public void onClaim(ClaimEvent event) {
            throw new Complaint("I do not like " + event.kind());
        }

        @Override
        public void onSweep(SweepReport report) {
            throw new Complaint("I do not like sweeps");
        }
    }

    /** Without a stack trace, which would only fill the log. */
    private static final class Complaint extends RuntimeException {
        Complaint(String message) {
            super(message, null, false, false);
        }
    }
}
