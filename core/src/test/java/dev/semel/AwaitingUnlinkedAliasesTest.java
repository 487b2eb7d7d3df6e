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

/** Waiting by digests of which only the second leads to the running claim, and which have not been linked. */
@EngineTest
class AwaitingUnlinkedAliasesTest {
    private static final AliasedKey BOTH = CHARGE.key("acme", "order-17").alsoKnownAs("transaction-3");

    @AutoClose
    private final TestEngine engine = new TestEngine();

    @Test
    void manyWaitersShareOneReadThatIsRepeatedEverLessOften() {
        TestEngine.get(engine.semel.claim(
                CHARGE.key("acme", "transaction-3"), Fingerprint.NONE, Terms.DEFAULT, Duration.ZERO));
        List<CompletableFuture<Awaited>> waiters = IntStream.range(0, 200)
                .mapToObj(i -> engine.semel
                        .await(BOTH, Fingerprint.NONE, Duration.ofSeconds(3))
                        .toCompletableFuture())
                .toList();
        await().until(() -> engine.store.reads() > 0);

        assertThat(waiters)
                .allSatisfy(waiter -> assertThat(TestEngine.get(waiter)).isInstanceOf(Awaited.Running.class));

        // With one read for all and pauses that double: about 8. The first reads of 200 callers arrive in few batches.
        assertThat(engine.store.refsRead()).as("claims read in three seconds").isLessThan(1_000);
    }
}
