// SPDX-License-Identifier: Apache-2.0
package dev.semel.operations;

import static dev.semel.operations.TestJson.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.FailureClass;
import dev.semel.Work;
import dev.semel.claim.AliasedKey;
import dev.semel.claim.StalePolicy;
import dev.semel.claim.Terms;
import dev.semel.memory.MemoryClaimStore;
import dev.semel.operations.StepOutcome.Done;
import dev.semel.operations.StepOutcome.Failed;
import dev.semel.operations.StepOutcome.Locked;
import dev.semel.payload.Keep;
import dev.semel.payload.compare.VolatileMembers;
import dev.semel.payload.json.Json;
import dev.semel.spi.Snapshot;
import dev.semel.testkit.MutableClock;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StepsTest {
    private static final StepRequest STEP =
            StepRequest.of("acme", "run-1", "send-invoice", json("{'invoice':17,'timestamp':'10:00'}"));
    private static final Json RESULT = json("{'phone':'+250788123456','password':'hunter2','lines':[1,{'a':2}]}");

    private final MutableClock clock = MutableClock.fromNow();
    private final MemoryClaimStore memory = new MemoryClaimStore(clock);
    private final TestProcess process = TestProcess.on(memory);
    private final AtomicInteger effects = new AtomicInteger();

    @AfterEach
    void close() {
        process.close();
    }

    private Work<Json> returning(Json value) {
        return run -> {
            effects.incrementAndGet();
            return value;
        };
    }

    @Test
    void aRedeliveredStepReusesTheExactResult() {
        StepRequest redelivered = StepRequest.of(
                "acme", "run-1", "send-invoice", json("{'timestamp':'10:05','sentAt':1,'invoice':17.0}"));

        assertThat(process.steps.run(STEP, returning(RESULT))).isEqualTo(new Done<>(RESULT, false, null));
        StepOutcome<Json> again = process.steps.run(redelivered, returning(json("{}")));

        assertThat(again).isEqualTo(new Done<>(RESULT, true, null));
        assertThat(again.status()).isEqualTo("DONE");
        assertThat(effects).hasValue(1);
    }

    @Test
    void resultsAreEncryptedInTheStore() {
        process.steps.run(STEP, returning(RESULT));

        Snapshot stored = memory.read(List.of(process.semel.refOf(STEP.key()))).get(process.semel.refOf(STEP.key()));
        assertThat(stored.result().type()).isEqualTo("semel/sealed");
        assertThat(stored.result().text()).doesNotContain("hunter2").doesNotContain("788");
    }

    @Test
    void resultsAreSanitisedIfTheRulesSaySo() {
        StepRequest open = STEP.with(OperationRules.STEP.keep(Keep.SANITISED));
        process.steps.run(open, returning(RESULT));

        assertThat(process.steps.run(open, returning(RESULT)))
                .isEqualTo(new Done<>(
                        json("{'phone':'+********3456','password':'[REDACTED]','lines':[1,{'a':2}]}"), true, null));
    }

    @Test
    void otherRunsStepsInputsAndOrganizationsRun() {
        process.steps.run(STEP, returning(RESULT));

        process.steps.run(StepRequest.of("acme", "run-2", "send-invoice", STEP.input()), returning(RESULT));
        process.steps.run(StepRequest.of("acme", "run-1", "send-reminder", STEP.input()), returning(RESULT));
        process.steps.run(StepRequest.of("acme", "run-1", "send-invoice", json("{'invoice':18}")), returning(RESULT));
        process.steps.run(StepRequest.of("other", "run-1", "send-invoice", STEP.input()), returning(RESULT));
        process.steps.run(STEP.leavingOut(VolatileMembers.NONE), returning(RESULT));

        assertThat(effects).hasValue(6);
    }

    @Test
    void aStepThatRunsElsewhereIsLockedWithARetryTime() {
        process.claimAndDie(AliasedKey.of(STEP.key()), Terms.DEFAULT);
        clock.advance(Duration.ofMinutes(4));

        StepOutcome<Json> locked = process.steps.run(STEP, returning(RESULT));
        assertThat(locked).isEqualTo(new Locked<>(Duration.ofSeconds(5)));
        assertThat(locked.status()).isEqualTo("LOCKED");
        clock.advance(Duration.ofSeconds(58));
        assertThat(process.steps.run(STEP, returning(RESULT))).isEqualTo(new Locked<>(Duration.ofSeconds(2)));
        assertThat(effects).hasValue(0);

        clock.advance(Duration.ofSeconds(3));
        assertThat(process.steps.run(STEP, returning(RESULT))).isEqualTo(new Done<>(RESULT, false, null));
    }

    @Test
    void aFailedStepRunsAgain() {
        IOException failure = new IOException("down");

        StepOutcome<Json> failed = process.steps.run(STEP, run -> {
            throw failure;
        });

        assertThat(failed).isEqualTo(new Failed<>(StopReason.OPERATION_FAILED, true, failure));
        assertThat(failed.status()).isEqualTo("FAILED");
        assertThat(process.steps.run(STEP, returning(RESULT))).isEqualTo(new Done<>(RESULT, false, null));
    }

    @Test
    void aStepThatStoppedPermanentlyDoesNotRunAgain() {
        process.steps.run(STEP, run -> {
            throw new StopException("no_such_invoice", FailureClass.FINAL);
        });

        assertThat(process.steps.run(STEP, returning(RESULT))).isEqualTo(new Failed<>("no_such_invoice", false, null));
    }

    @Test
    void stepsMayBeAsynchronous() {
        assertThat(TestProcess.get(process.steps.runAsync(STEP, run -> CompletableFuture.completedFuture(RESULT))))
                .isEqualTo(new Done<>(RESULT, false, null));
        assertThat(TestProcess.get(process.steps.runAsync(STEP, run -> CompletableFuture.completedFuture(json("1")))))
                .isEqualTo(new Done<>(RESULT, true, null));
    }

    @Test
    void theLongestNamesWork() {
        StepRequest longest = StepRequest.of("acme", "r".repeat(1_024), "s".repeat(1_024), json("{}"));

        process.steps.run(longest, returning(RESULT));
        assertThat(process.steps.run(longest, returning(RESULT))).isEqualTo(new Done<>(RESULT, true, null));
    }

    @Test
    void rulesAreChecked() {
        assertThatThrownBy(() -> OperationRules.STEP.with(Terms.DEFAULT.withOnStale(StalePolicy.RECONCILE)))
                .hasMessageContaining("probe");
        assertThatThrownBy(() -> OperationRules.STEP.waitingUpTo(Duration.ofSeconds(-1)))
                .hasMessageContaining("maxWait");
        assertThatThrownBy(() -> OperationRules.STEP.waitingUpTo(Duration.ofHours(25)))
                .hasMessageContaining("maxWait");
        assertThat(OperationRules.STEP.ttlHours(3).staleTakeoverMinutes(2).terms())
                .isEqualTo(Terms.DEFAULT.withTtl(Duration.ofHours(3)).withLease(Duration.ofMinutes(2)));
    }
}
