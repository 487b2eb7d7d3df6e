// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

import static dev.semel.webhooks.TestSender.answer;
import static dev.semel.webhooks.TestSender.post;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.SweepReport;
import dev.semel.memory.MemoryClaimStore;
import dev.semel.spi.ClaimStore;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import dev.semel.spi.Verdict;
import dev.semel.testkit.MutableClock;
import dev.semel.webhooks.provider.ProviderConfig;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A handler may take longer than the lease, because the claim is renewed while it runs. */
class LeaseTest {
    private final Watched store = new Watched();

    @Test
    void aRunningEventsLeaseIsRenewed() {
        try (OneProcess process = new OneProcess(store)) {
            TestHandler handler = new TestHandler();
            WebhookGate gate = process.gate(
                    "stripe",
                    ProviderConfig.none(),
                    handler,
                    settings -> settings.acceptingUnverified().lease(Duration.ofMillis(1500)));
            CompletableFuture<Void> held = handler.hold();
            CompletionStage<WebhookAnswer> first = gate.receive(post(Map.of(), "{\"id\":\"evt_long\"}"));

            await().atMost(Duration.ofSeconds(60)).until(() -> store.renewals.get() >= 3);
            held.complete(null);

            assertThat(answer(first).kind()).isEqualTo(WebhookAnswer.Kind.PROCESSED);
        }
    }

    /** A memory store with a stopped clock, so that no lease ends on a slow machine. */
    private static final class Watched implements ClaimStore {
        private final ClaimStore store = new MemoryClaimStore(MutableClock.fromNow());
        final AtomicInteger renewals = new AtomicInteger();

        @Override
        public List<Verdict> apply(List<? extends Command> commands) {
            commands.stream().filter(Command.Renew.class::isInstance).forEach(one -> renewals.incrementAndGet());
            return store.apply(commands);
        }

        @Override
        public Map<ClaimRef, Snapshot> read(Collection<ClaimRef> refs) {
            return store.read(refs);
        }

        @Override
        public SweepReport sweep(int limit) {
            return store.sweep(limit);
        }
    }
}
