// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.ClaimStore;
import dev.semel.claim.Command;
import dev.semel.claim.Digest;
import dev.semel.claim.OwnerToken;
import dev.semel.claim.Snapshot;
import dev.semel.claim.StoreException;
import dev.semel.claim.SweepReport;
import dev.semel.claim.Verdict;
import dev.semel.memory.MemoryClaimStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@EngineTest
class LaneTest {
    private final GatedStore store = new GatedStore();
    private final ExecutorService threads = Threads.pool("test-lane", 2);
    private final Lane lane = new Lane(store, threads);

    @AfterEach
    void close() {
        store.gate.release(1_000);
        threads.shutdownNow();
    }

    @Test
    void whileOneBatchIsOnItsWayTheNextCollects() {
        CompletableFuture<Verdict> first = lane.submit(command(1));
        await().until(() -> store.batches.size() == 1);
        List<CompletableFuture<Verdict>> more = List.of(lane.submit(command(2)), lane.submit(command(3)));
        assertThat(store.batches).hasSize(1);

        store.gate.release(2);

        assertThat(Engine.get(first)).isEqualTo(new Verdict.Refused(null));
        more.forEach(Engine::get);
        assertThat(store.batches).hasSize(2);
        assertThat(store.batches.get(1)).containsExactly(command(2), command(3));
    }

    @Test
    void aBatchHoldsOneCommandAClaimAndKeepsTheOrder() {
        lane.submit(command(9));
        await().until(() -> store.batches.size() == 1);
        Command again = command(1);
        lane.submit(command(1));
        lane.submit(again);
        CompletableFuture<Verdict> last = lane.submit(command(2));
        CompletableFuture<Verdict> second = lane.submit(again);

        store.gate.release(10);
        Engine.get(last);
        Engine.get(second);

        assertThat(store.batches.get(1)).extracting(Command::ref).containsExactly(ref(1), ref(2));
        assertThat(store.batches.get(2)).extracting(Command::ref).containsExactly(ref(1));
        assertThat(store.batches.get(3)).extracting(Command::ref).containsExactly(ref(1));
    }

    @Test
    void aBatchIsBounded() {
        lane.submit(command(0));
        await().until(() -> store.batches.size() == 1);
        List<CompletableFuture<Verdict>> answers = new ArrayList<>();
        for (int i = 1; i <= Lane.LARGEST_BATCH + 1; i++) {
            answers.add(lane.submit(command(i)));
        }

        store.gate.release(10);
        answers.forEach(Engine::get);

        assertThat(store.batches.get(1)).hasSize(Lane.LARGEST_BATCH);
        assertThat(store.batches.get(2)).hasSize(1);
    }

    @Test
    void aFailureReachesEveryoneInItsBatchAndNobodyElse() {
        StoreException failure = new StoreException(StoreException.Kind.UNREACHABLE, "connection lost");
        store.failure = failure;
        CompletableFuture<Verdict> first = lane.submit(command(1));
        store.gate.release();
        assertThatThrownBy(first::join).hasCause(failure);

        store.failure = null;
        CompletableFuture<Verdict> second = lane.submit(command(2));
        store.gate.release();

        assertThat(Engine.get(second)).isEqualTo(new Verdict.Refused(null));
    }

    /** The first never gets an answer; what comes a second later does not wait for it. */
    @Test
    void aBatchWithoutAnAnswerIsOvertaken() {
        CompletableFuture<Verdict> silent = lane.submit(command(1));
        await().until(() -> store.batches.size() == 1);

        await().until(() -> {
            lane.submit(command(2));
            return store.batches.size() == 2;
        });

        assertThat(silent).isNotDone();
        store.gate.release(1_000);
        assertThat(Engine.get(silent)).isEqualTo(new Verdict.Refused(null));
    }

    @Test
    void onceItIsClosedNobodyWaitsForEver() {
        threads.shutdown();

        assertThatThrownBy(lane.submit(command(1))::join)
                .hasRootCauseInstanceOf(java.util.concurrent.RejectedExecutionException.class);
    }

    private static ClaimRef ref(int number) {
        byte[] bytes = new byte[Digest.LENGTH];
        bytes[0] = (byte) number;
        bytes[1] = (byte) (number >> 8);
        return new ClaimRef("acme", new Digest(bytes));
    }

    private static final OwnerToken TOKEN = OwnerToken.random();

    private static Command command(int number) {
        return new Command.Renew(ref(number), TOKEN, Duration.ofMinutes(1));
    }

    /** Notes every batch as it arrives, and lets it through when the test says so. */
    private static final class GatedStore implements ClaimStore {
        final List<List<Command>> batches = Collections.synchronizedList(new ArrayList<>());
        final Semaphore gate = new Semaphore(0);
        volatile StoreException failure;
        private final ClaimStore store = new MemoryClaimStore();

        @Override
        public List<Verdict> apply(List<? extends Command> commands) {
            batches.add(List.copyOf(commands));
            gate.acquireUninterruptibly();
            if (failure != null) {
                throw failure;
            }
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
