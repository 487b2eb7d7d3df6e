// SPDX-License-Identifier: Apache-2.0
package dev.semel.lane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LanesTest {
    private final Workers workers = Workers.cached("test-worker");
    private final ScheduledThreadPoolExecutor timer = DaemonThreads.timer("test-timer");
    private final Semaphore gate = new Semaphore(0);
    private final List<List<Integer>> batches = new CopyOnWriteArrayList<>();

    /** The key of an entry is the entry, so even and odd ones have a lane each. */
    private final Lanes<Integer, Integer> lanes =
            new Lanes<>(2, entry -> entry, entry -> 0, this::answer, workers, timer);

    private List<Integer> answer(List<Integer> batch) {
        batches.add(batch);
        gate.acquireUninterruptibly();
        return batch;
    }

    @AfterEach
    void close() {
        gate.release(1_000);
        timer.shutdownNow();
        workers.end(Duration.ZERO);
    }

    @Test
    void eachLaneHasABatchInProgressAndCollectsTheNext() {
        List<CompletableFuture<Integer>> first = List.of(lanes.submit(0), lanes.submit(1));
        await().until(() -> batches.size() == 2);
        List<CompletableFuture<Integer>> next = List.of(lanes.submit(2), lanes.submit(4), lanes.submit(3));

        gate.release(1_000);

        first.forEach(CompletableFuture::join);
        next.forEach(CompletableFuture::join);
        assertThat(batches).containsExactlyInAnyOrder(List.of(0), List.of(1), List.of(2, 4), List.of(3));
    }

    @Test
    void aKeyWithANegativeHashHasALaneToo() {
        gate.release();

        assertThat(lanes.submitOrRun(-7).join()).isEqualTo(-7);
    }

    @Test
    void refusesEntriesOnceTheWorkersAreShutDown() {
        workers.shutdown();

        assertThatThrownBy(lanes.submit(1)::join).hasCauseInstanceOf(RejectedExecutionException.class);
    }

    @Test
    void requiresALane() {
        assertThatThrownBy(
                        () -> new Lanes<Integer, Integer>(0, entry -> entry, entry -> 0, list -> list, workers, timer))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("At least 1 lane is required, but the count is 0");
    }
}
