// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import static dev.semel.TestEngine.CHARGE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.claim.ClaimKey;
import dev.semel.claim.ClaimRef;
import dev.semel.claim.OwnerToken;
import dev.semel.spi.Command;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A caller whose own read took all of its time, and whose insert then finds its lane busy. */
@EngineTest
class LateCallerTest {
    private static final ClaimKey LATE = CHARGE.key("acme", "late");

    @AutoClose
    private final TestEngine engine = new TestEngine(builder -> builder.storeTimeout(Duration.ofMillis(300)));

    @Test
    void aCommandThatWasNotSentInTimeIsNeverSent() {
        for (int i = 0; i < 100; i++) {
            engine.execute(CHARGE, run -> "receipt");
        }
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger held = new AtomicInteger();
        engine.store.beforeRead(() -> {
            engine.store.beforeRead(() -> {});
            // Both lanes are busy by now, and this read takes longer than the timeout.
            engine.store.beforeCommand(command -> {
                if (!command.ref().equals(ref()) && held.incrementAndGet() <= 2) {
                    TestEngine.meet(release);
                }
            });
            renewals();
            await().until(() -> held.get() >= 2);
            long end = System.nanoTime() + Duration.ofMillis(320).toNanos();
            await().pollInterval(Duration.ofMillis(10)).until(() -> System.nanoTime() > end);
        });

        Outcome<String> outcome = engine.semel.execute(CHARGE, LATE, run -> "late");

        assertThat(outcome).isInstanceOf(Outcome.Unavailable.class);
        release.countDown();
        // Lanes keep the order: an answer now means that an insert before it has been sent or withdrawn.
        renewals().forEach(TestEngine::get);
        assertThat(engine.store.commands(Command.Insert.class))
                .as("inserts that left after their caller was answered")
                .noneMatch(insert -> insert.ref().equals(ref()));
    }

    /** Enough claims that every lane gets some. */
    private List<CompletionStage<Ownership>> renewals() {
        return IntStream.range(0, 12)
                .mapToObj(i -> engine.semel.renew(
                        engine.semel.refOf(CHARGE.key("acme", "other-" + i)),
                        OwnerToken.random(),
                        Duration.ofMinutes(1)))
                .toList();
    }

    private ClaimRef ref() {
        return engine.semel.refOf(LATE);
    }
}
