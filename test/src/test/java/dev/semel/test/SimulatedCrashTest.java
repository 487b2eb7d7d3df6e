// SPDX-License-Identifier: Apache-2.0
package dev.semel.test;

import static dev.semel.test.Bank.CHARGE;
import static dev.semel.test.Bank.ORDER;
import static dev.semel.test.SemelAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.ClaimEvent.Kind;
import dev.semel.Outcome;
import dev.semel.claim.ClaimKey;
import dev.semel.claim.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

@SemelTest
class SimulatedCrashTest {
    private static final Duration LEASE = CHARGE.terms().lease();

    private final TestSemel semel;
    private final Bank bank = new Bank();

    SimulatedCrashTest(TestSemel semel) {
        this.semel = semel;
    }

    @Test
    void afterTheLeaseTheNextCallerTakesOverWithTheSameChildKey() {
        semel.crashBeforeSettlement(() -> bank.charge(semel.semel()));

        assertThat(bank.keys()).hasSize(1);
        assertThat(semel.stored(ORDER))
                .hasValueSatisfying(claim -> assertThat(claim.status()).isEqualTo(Status.IN_PROGRESS));
        assertThat(bank.charge(semel.semel())).isInProgress();

        semel.advance(LEASE.minusMillis(1));
        assertThat(bank.charge(semel.semel())).isInProgress();

        semel.advance(Duration.ofMillis(1));
        assertThat(bank.charge(semel.semel())).ranNow().hasValue("receipt 2");
        assertThat(bank.keys()).hasSize(2);
        assertThat(bank.keys().get(1)).isEqualTo(bank.keys().get(0));
        assertThat(bank.charge(semel.semel())).isReplayed().hasValue("receipt 2");
        assertThat(semel.history(ORDER)).ran(2).wasReplayed(1);
    }

    @Test
    void anotherProcessTakesOverToo() {
        semel.crashBeforeSettlement(() -> bank.charge(semel.semel()));
        semel.advance(LEASE);

        assertThat(bank.charge(semel.anotherProcess())).ranNow();

        assertThat(bank.keys()).hasSize(2).containsOnly(bank.keys().get(0));
        assertThat(semel.history().count(Kind.TAKEN_OVER)).isEqualTo(1);
    }

    @Test
    void theProcessCanCrashAgain() {
        for (int crash = 1; crash <= 3; crash++) {
            semel.crashBeforeSettlement(() -> bank.charge(semel.semel()));
            semel.advance(LEASE);
        }

        assertThat(bank.charge(semel.semel())).ranNow();
        assertThat(bank.keys()).hasSize(4).containsOnly(bank.keys().get(0));
    }

    @Test
    void whatTheCallThrowsIsIgnored() {
        semel.crashBeforeSettlement(() -> bank.charge(semel.semel()).orElseThrow());

        assertThat(bank.keys()).hasSize(1);
    }

    /** A failed attempt is settled as retryable, and that settlement is lost as well. */
    @Test
    void aFailureOfTheWorkIsLostToo() {
        semel.crashBeforeSettlement(() -> semel.semel().execute(CHARGE, ORDER, run -> {
            throw new IllegalStateException("declined");
        }));

        assertThat(bank.charge(semel.semel())).isInProgress();
        semel.advance(LEASE);
        assertThat(bank.charge(semel.semel())).ranNow();
    }

    @Test
    void nothingOfTheDeadProcessReachesTheStoreAfterTheCrash() {
        ClaimKey step = CHARGE.key("acme", "step");
        ClaimKey next = CHARGE.key("acme", "next");
        List<Outcome<String>> steps = new ArrayList<>();

        semel.crashBeforeSettlement(() -> semel.semel().execute(CHARGE, ORDER, run -> {
            steps.add(semel.semel().execute(CHARGE, step, bank::charge));
            steps.add(semel.semel().execute(CHARGE, next, bank::charge));
            return "both";
        }));

        assertThat(steps.get(0)).isUnsettled();
        assertThat(steps.get(1)).isUnavailable();
        assertThat(bank.keys()).hasSize(1);
        assertThat(semel.stored(next)).isEmpty();
        assertThat(semel.stored(ORDER))
                .hasValueSatisfying(claim -> assertThat(claim.status()).isEqualTo(Status.IN_PROGRESS));
    }

    @Test
    void theCrashCanComeAtALaterSettlement() {
        ClaimKey step = CHARGE.key("acme", "step");

        semel.crashBeforeSettlement(2, () -> twoSteps(step));
        semel.advance(LEASE);
        assertThat(twoSteps(step)).ranNow();

        assertThat(semel.history(step)).ranOnce().wasReplayed(1);
        assertThat(semel.history(ORDER)).ran(2);
        assertThat(bank.keys()).hasSize(1);
    }

    private Outcome<String> twoSteps(ClaimKey step) {
        return semel.semel()
                .execute(
                        CHARGE,
                        ORDER,
                        run -> semel.semel().execute(CHARGE, step, bank::charge).orElseThrow());
    }

    /** Work that was running elsewhere in the process dies with it, even if it ends after the call. */
    @Test
    void otherWorkOfTheProcessDiesWithIt() {
        ClaimKey background = CHARGE.key("acme", "background");
        CompletableFuture<String> held = new CompletableFuture<>();
        CompletableFuture<Void> started = new CompletableFuture<>();
        CompletableFuture<Outcome<String>> outcome = semel.semel()
                .executeAsync(CHARGE, background, run -> {
                    started.complete(null);
                    return held;
                })
                .toCompletableFuture();
        started.join();

        semel.crashBeforeSettlement(() -> bank.charge(semel.semel()));
        held.complete("too late");

        assertThat(outcome.join()).isUnsettled();
        assertThat(semel.semel().execute(CHARGE, background, bank::charge)).isInProgress();
    }

    @Test
    void anotherProcessGoesOn() {
        ClaimKey other = CHARGE.key("acme", "order-18");

        semel.crashBeforeSettlement(() -> {
            bank.charge(semel.semel());
            assertThat(semel.anotherProcess().execute(CHARGE, other, bank::charge))
                    .ranNow();
        });

        assertThat(semel.stored(other))
                .hasValueSatisfying(claim -> assertThat(claim.status()).isEqualTo(Status.SUCCEEDED));
    }

    @Test
    void aCallThatSettlesNothingCannotCrash() {
        bank.charge(semel.semel());

        assertThatThrownBy(() -> semel.crashBeforeSettlement(() -> bank.charge(semel.semel())))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("did not crash")
                .hasMessageContaining("REPLAYED");
        assertThat(semel.semel().execute(CHARGE, CHARGE.key("acme", "order-18"), bank::charge))
                .as("the crash is withdrawn")
                .ranNow()
                .isSucceeded();
    }

    @Test
    void whatTheCallThrewExplainsWhyItDidNotCrash() {
        IllegalStateException defect = new IllegalStateException("a defect of the test");

        assertThatThrownBy(() -> semel.crashBeforeSettlement(() -> {
                    throw defect;
                }))
                .isInstanceOf(AssertionError.class)
                .hasCause(defect);
    }

    @Test
    void settlementsAreCountedFromOne() {
        assertThatThrownBy(() -> semel.crashBeforeSettlement(0, () -> {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("counted from 1");
    }
}
