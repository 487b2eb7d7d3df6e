// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import static dev.semel.TestEngine.CHARGE;
import static dev.semel.TestEngine.KEY;
import static dev.semel.TestEngine.inBackground;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.claim.Fingerprint;
import dev.semel.claim.Terms;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@EngineTest
class DrainTest {
    private static final Duration LONG = Duration.ofSeconds(20);

    private final TestEngine engine = new TestEngine();
    private final AtomicInteger runs = new AtomicInteger();

    private CompletableFuture<Boolean> draining() {
        CompletableFuture<Boolean> drained = inBackground(() -> engine.semel.drain(LONG));
        await().until(() -> engine.claim(Fingerprint.NONE, Terms.DEFAULT) instanceof ClaimOutcome.Unavailable);
        return drained;
    }

    @Test
    void waitsForRunningWorkAndRefusesNewWork() {
        HeldWork held = new HeldWork();
        CompletableFuture<Outcome<String>> running = engine.start(CHARGE, held);
        held.context();
        CompletableFuture<Boolean> drained = draining();

        assertThat(engine.semel.execute(CHARGE, CHARGE.key("acme", "new"), run -> "ran " + runs.incrementAndGet()))
                .isInstanceOfSatisfying(
                        Outcome.Unavailable.class,
                        refused -> assertThat(refused.reason()).contains("the engine is closing"));
        assertThat(TestEngine.get(engine.semel.executeAsync(
                        CHARGE,
                        CHARGE.key("acme", "new"),
                        run -> CompletableFuture.completedFuture("ran " + runs.incrementAndGet()))))
                .isInstanceOf(Outcome.Unavailable.class);
        assertThat(drained).isNotDone();
        held.finish("receipt");

        assertThat(TestEngine.get(drained)).isTrue();
        assertThat(TestEngine.get(running)).isEqualTo(new Outcome.Succeeded<>("receipt", false));
        assertThat(runs).hasValue(0);
    }

    @Test
    void runningWorkMayCallTheEngine() {
        HeldWork held = new HeldWork();
        Operation<String> inner = Operation.of("inner", Codec.text());
        CompletableFuture<Outcome<String>> running = inBackground(() -> engine.execute(
                CHARGE,
                run -> held.run(run)
                        + engine.semel
                                .execute(inner, inner.key("acme", "inner"), nested -> " and more")
                                .orElseThrow()));
        held.context();
        CompletableFuture<Boolean> drained = draining();
        held.finish("receipt");

        assertThat(TestEngine.get(running)).isEqualTo(new Outcome.Succeeded<>("receipt and more", false));
        assertThat(TestEngine.get(drained)).isTrue();
    }

    /** A cancelled future does not stop the work, so the work is waited for. */
    @Test
    void waitsForAsynchronousWorkWhoseFutureWasCancelled() {
        CompletableFuture<String> end = new CompletableFuture<>();
        CompletableFuture<RunContext> started = new CompletableFuture<>();
        CompletableFuture<Outcome<String>> outcome = engine.semel
                .executeAsync(CHARGE, KEY, run -> {
                    started.complete(run);
                    return end;
                })
                .toCompletableFuture();
        TestEngine.get(started);
        outcome.cancel(false);
        CompletableFuture<Boolean> drained = draining();

        assertThat(drained).isNotDone();
        end.complete("receipt");
        assertThat(TestEngine.get(drained)).isTrue();
        assertThat(engine.store.commands()).hasSize(2);
    }

    @Test
    @Timeout(10)
    void waitIsBounded() {
        HeldWork held = new HeldWork();
        CompletableFuture<Outcome<String>> running = engine.start(CHARGE, held);
        held.context();

        assertThat(engine.semel.drain(Duration.ofMillis(1))).isFalse();
        held.finish("receipt");
        assertThat(TestEngine.get(running)).isEqualTo(new Outcome.Succeeded<>("receipt", false));
        assertThat(engine.semel.drain(Duration.ZERO)).isTrue();
    }
}
