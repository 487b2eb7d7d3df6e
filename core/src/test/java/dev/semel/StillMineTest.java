// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import static dev.semel.TestEngine.CHARGE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.claim.StoreException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

@EngineTest
class StillMineTest {
    @AutoClose
    private final TestEngine engine = new TestEngine();

    @Test
    void theClaimIsMineWhileItsLeaseLasts() {
        assertThat(askedDuringARun(RunContext::stillMine)).isTrue();
    }

    @Test
    void theClaimIsMineAsynchronouslyToo() {
        assertThat(askedDuringARun(run -> TestEngine.get(run.stillMineAsync()))).isTrue();
    }

    @Test
    void theClaimIsNotMineOnceItsLeaseIsOver() {
        assertThat(askedDuringARun(run -> {
                    engine.age(Duration.ofMinutes(5));
                    return run.stillMine();
                }))
                .isFalse();
    }

    @Test
    void theClaimIsNotMineAfterATakeOver() {
        assertThat(askedDuringARun(run -> {
                    engine.takeOverElsewhere();
                    return run.stillMine() || TestEngine.get(run.stillMineAsync());
                }))
                .isFalse();
    }

    @Test
    void theClaimIsNotKnownToBeMineIfTheStoreDoesNotAnswer() {
        engine.store.beforeRead(() -> {
            throw new StoreException(StoreException.Kind.REJECTED, "no such column");
        });

        assertThat(askedDuringARun(RunContext::stillMine)).isFalse();
    }

    @Test
    void askingWithoutBlockingAnswersOnTheCallbackExecutor() throws InterruptedException {
        QueuedExecutor executor = new QueuedExecutor();
        try (TestEngine queued = new TestEngine(builder -> builder.callbackExecutor(executor))) {
            HeldWork held = new HeldWork();
            CompletableFuture<Outcome<String>> outcome = queued.start(CHARGE, held);

            CompletableFuture<Boolean> mine = held.context().stillMineAsync().toCompletableFuture();
            CompletableFuture<Thread> answeredOn = mine.thenApply(answer -> Thread.currentThread());
            executor.runUntilDone(mine);

            assertThat(answeredOn.join()).isSameAs(Thread.currentThread());
            held.finish("receipt");
            TestEngine.get(outcome);
        }
    }

    private boolean askedDuringARun(Predicate<RunContext> question) {
        Outcome<String> outcome = engine.execute(CHARGE, run -> String.valueOf(question.test(run)));
        return outcome instanceof Outcome.Unsettled<String> unsettled
                ? Boolean.parseBoolean(unsettled.value())
                : Boolean.parseBoolean(outcome.orElseThrow());
    }
}
