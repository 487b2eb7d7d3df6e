// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import static dev.semel.TestEngine.CHARGE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.claim.AliasedKey;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.Terms;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Waiting by names of which only another than the first leads to the running claim; nobody has linked them. */
@EngineTest
class AwaitingUnlinkedNamesTest {
    private static final AliasedKey NAMES = CHARGE.key("acme", "order-17").alsoKnownAs("transaction-3");

    @AutoClose
    private final TestEngine engine = new TestEngine();

    @Test
    void manyWaitersAreOneReader_everLessOften() {
        TestEngine.get(engine.semel.claim(
                CHARGE.key("acme", "transaction-3"), Fingerprint.NONE, Terms.DEFAULT, Duration.ZERO));
        List<CompletableFuture<Awaited>> waiters = IntStream.range(0, 200)
                .mapToObj(i -> engine.semel
                        .await(NAMES, Fingerprint.NONE, Duration.ofSeconds(3))
                        .toCompletableFuture())
                .toList();
        await().until(() -> engine.store.reads() > 0);

        assertThat(waiters)
                .allSatisfy(waiter -> assertThat(TestEngine.get(waiter)).isInstanceOf(Awaited.Running.class));

        // With one reader and pauses that double: about 8. The first reads of 200 waiters come in few batches.
        assertThat(engine.store.refsRead()).as("names read in three seconds").isLessThan(1_000);
    }
}
