// SPDX-License-Identifier: Apache-2.0
package dev.semel.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.semel.ClaimEvent.Kind;
import dev.semel.Codec;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.ProbeAnswer;
import dev.semel.Semel;
import dev.semel.claim.ClaimKey;
import dev.semel.claim.Fingerprint;
import dev.semel.spi.Command;
import java.io.IOException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Row 7 of docs/failures.md: renewals stop however the work ends, and their failures are visible. */
class HeartbeatTest extends EngineScenario {
    private static final Operation<String> BEATING = PAY.withLease(Duration.ofMillis(60));

    @Test
    void row07_heartbeatStops_afterSuccess() {
        Outcome<String> outcome = semel.execute(BEATING, KEY, run -> {
            awaitRenewal(KEY);
            return "paid";
        });

        assertThat(outcome).isEqualTo(done("paid"));
        heartbeatHasStopped();
    }

    /** A renewal in progress may arrive before the settlement, or after it and be refused. No other one follows. */
    @Test
    void row07_heartbeatStops_whenOneIsInProgressAtTheEnd() {
        Fault underWay = store.onApplyOf(Command.Renew.class).hangBefore();
        CompletableFuture<String> work = new CompletableFuture<>();
        CompletableFuture<Outcome<String>> outcome =
                semel.executeAsync(BEATING, KEY, run -> work).toCompletableFuture();
        underWay.awaitHit();

        work.complete("paid");
        underWay.release();

        assertThat(outcome.join()).isEqualTo(done("paid"));
        heartbeatHasStopped();
    }

    @Test
    void row07_heartbeatStops_afterAnException() {
        IOException failure = new IOException("no");

        Outcome<String> outcome = semel.execute(BEATING, KEY, run -> {
            awaitRenewal(KEY);
            throw failure;
        });

        assertThat(outcome).isEqualTo(new Outcome.Retryable<>(failure));
        heartbeatHasStopped();
    }

    @Test
    void row07_heartbeatStops_afterAnError() {
        Error error = new OutOfMemoryError("simulated");

        assertThatThrownBy(() -> semel.execute(BEATING, KEY, run -> {
                    awaitRenewal(KEY);
                    throw error;
                }))
                .isSameAs(error);

        heartbeatHasStopped();
    }

    @Test
    void row07_heartbeatStops_whenTheResultCannotBeEncoded() {
        Operation<String> unwritable = Operation.of(
                        "pay",
                        Codec.<String>of(
                                value -> {
                                    throw new IllegalArgumentException("no");
                                },
                                stored -> stored.text()))
                .withLease(Duration.ofMillis(60));

        Outcome<String> outcome = semel.execute(unwritable, KEY, run -> {
            awaitRenewal(KEY);
            return "paid";
        });

        assertThat(outcome).isEqualTo(done("paid"));
        heartbeatHasStopped();
    }

    @Test
    void row07_heartbeatStops_whenAsynchronousWorkIsCancelled() {
        CompletableFuture<String> work = new CompletableFuture<>();
        CompletableFuture<Outcome<String>> outcome =
                semel.executeAsync(BEATING, KEY, run -> work).toCompletableFuture();
        awaitRenewal(KEY);

        work.cancel(true);

        assertThat(outcome.join()).isInstanceOf(Outcome.Retryable.class);
        heartbeatHasStopped();
    }

    @Test
    void row07_heartbeatStops_whenOwnershipIsLost() {
        Semel other = otherProcess();

        Outcome<String> zombie = semel.execute(BEATING, KEY, run -> {
            awaitRenewal(KEY);
            clock.advance(BEATING.terms().maxRun());
            pay(other);
            awaitEvent(Kind.OWNERSHIP_LOST);
            noMoreBeats();
            return "too late";
        });

        assertThat(assertInstanceOf(Outcome.Unsettled.class, zombie).value()).isEqualTo("too late");
        noMoreBeats();
    }

    @Test
    void row07_heartbeatStops_whenTheProbeThrows() {
        Operation<String> reconciled = BEATING.reconcileWhenStale(run -> {
            awaitRenewal(KEY);
            throw new IOException("the bank does not answer");
        });
        lapse(reconciled);

        assertThat(semel.execute(reconciled, KEY, run -> effect("paid"))).isInstanceOf(Outcome.Retryable.class);

        heartbeatHasStopped();
        assertThat(effects).hasValue(0);
        assertThat(claim().lapsed()).as("the next caller asks the probe again").isTrue();
    }

    @Test
    void row07_heartbeatStops_whenTheProbeKnowsTheResult() {
        Operation<String> reconciled = BEATING.reconcileWhenStale(run -> {
            awaitRenewal(KEY);
            return ProbeAnswer.done("paid before");
        });
        lapse(reconciled);

        assertThat(semel.execute(reconciled, KEY, run -> effect("paid"))).isEqualTo(replayed("paid before"));

        heartbeatHasStopped();
        assertThat(effects).hasValue(0);
    }

    @Test
    void row07_heartbeatThatFails_isVisibleAndTriedAgain() {
        Fault down = store.onApplyOf(Command.Renew.class).always().failBefore();

        Outcome<String> outcome = shortTimeoutEngine().execute(BEATING, KEY, run -> {
            awaitEvent(Kind.RENEWAL_FAILED);
            int tries = down.hits();
            await().until(() -> down.hits() > tries);
            assertThat(run.stillMine()).as("reads are answered").isTrue();
            store.onRead().always().failBefore();
            assertThat(run.stillMine()).as("nothing is answered").isFalse();
            store.heal();
            awaitRenewal(KEY);
            return effect("paid");
        });

        assertThat(outcome).isEqualTo(done("paid"));
        assertThat(heard(Kind.OWNERSHIP_LOST)).isFalse();
    }

    /** A renewal after the end would be refused and reported as a lost claim. */
    private void heartbeatHasStopped() {
        noMoreBeats();
        assertThat(heard(Kind.OWNERSHIP_LOST)).isFalse();
    }

    /**
     * While another run renews its lease ten times, renewals that were not stopped would occur more than once. One renewal
     * may have been in progress when they were stopped.
     */
    private void noMoreBeats() {
        long before = renewals(KEY);
        ClaimKey metronome = BEATING.key("acme", "metronome-" + UUID.randomUUID());
        Outcome<String> outcome = semel.execute(BEATING, metronome, run -> {
            await().until(() -> renewals(metronome) >= 10);
            return "tick";
        });
        assertThat(outcome).isEqualTo(done("tick"));
        assertThat(renewals(KEY) - before).as("renewals after the end").isLessThanOrEqualTo(1);
    }

    /** Leaves the claim as a killed owner does. */
    private void lapse(Operation<String> operation) {
        otherProcess()
                .claim(KEY, Fingerprint.NONE, operation.terms(), Duration.ZERO)
                .toCompletableFuture()
                .join();
        clock.advance(operation.terms().lease());
    }
}
