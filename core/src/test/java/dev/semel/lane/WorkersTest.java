// SPDX-License-Identifier: Apache-2.0
package dev.semel.lane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WorkersTest {
    private static final Duration LONG = Duration.ofSeconds(20);

    private final Workers workers = Workers.fixed("test-worker", 1);
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch gate = new CountDownLatch(1);
    private final AtomicBoolean made = new AtomicBoolean();

    @AfterEach
    void close() {
        gate.countDown();
        workers.end(Duration.ZERO);
    }

    @Test
    void aCallReturnsItsAnswerOrItsException() {
        RuntimeException bug = new IllegalStateException("bug");

        assertThat(workers.call(() -> Thread.currentThread().getName()).join()).isEqualTo("test-worker-1");
        assertThatThrownBy(workers.call(() -> {
                    throw bug;
                })::join)
                .hasCause(bug);
    }

    @Test
    void aCallThatIsCancelledWhileItWaitsIsNeverMade() throws Exception {
        CompletableFuture<String> running = blocked();
        CompletableFuture<Boolean> waiting = workers.call(() -> made.getAndSet(true));
        assertThat(workers.waiting()).isEqualTo(1);

        assertThat(waiting.cancel(false)).isTrue();
        assertThat(workers.waiting()).isZero();
        assertThat(running.cancel(false)).isFalse();
        gate.countDown();

        assertThat(running.join()).isEqualTo("answer");
        assertThat(workers.end(LONG)).isTrue();
        assertThat(made).isFalse();
    }

    @Test
    void aCallThatIsCompletedWhileItWaitsIsNeverMade() throws Exception {
        blocked();
        CompletableFuture<Boolean> waiting = workers.call(() -> made.getAndSet(true));

        waiting.complete(false);
        gate.countDown();

        assertThat(workers.end(LONG)).isTrue();
        assertThat(made).isFalse();
    }

    @Test
    void callsThatWereAcceptedEndBeforeTheWorkers() throws Exception {
        CompletableFuture<String> running = blocked();
        CompletableFuture<Boolean> waiting = workers.call(() -> made.getAndSet(true));

        workers.shutdown();
        assertThatThrownBy(workers.call(() -> "late")::join).hasCauseInstanceOf(RejectedExecutionException.class);
        gate.countDown();

        assertThat(workers.end(LONG)).isTrue();
        assertThat(running).isCompletedWithValue("answer");
        assertThat(waiting).isCompletedWithValue(false);
    }

    @Test
    void callsThatStillWaitAtTheEndFail() throws Exception {
        blocked();
        CompletableFuture<Boolean> waiting = workers.call(() -> made.getAndSet(true));

        assertThat(workers.end(Duration.ZERO)).isFalse();

        assertThatThrownBy(waiting::join).hasCauseInstanceOf(RejectedExecutionException.class);
        assertThat(made).isFalse();
    }

    @Test
    void anInterruptEndsTheWaitAndStaysSet() throws Exception {
        CompletableFuture<String> running = blocked();

        Thread.currentThread().interrupt();

        assertThat(workers.end(LONG)).isFalse();
        assertThat(Thread.interrupted()).isTrue();
        await().until(running::isDone);
    }

    @Test
    void cachedWorkersHaveAThreadForEachCall() throws Exception {
        Workers cached = Workers.cached("test-cached");
        try {
            CompletableFuture<String> first = cached.call(this::answer);
            begun.await();

            assertThat(cached.call(() -> "second").join()).isEqualTo("second");

            gate.countDown();
            assertThat(first.join()).isEqualTo("answer");
        } finally {
            cached.end(Duration.ZERO);
        }
    }

    private CompletableFuture<String> blocked() throws InterruptedException {
        CompletableFuture<String> call = workers.call(this::answer);
        begun.await();
        return call;
    }

    private String answer() {
        begun.countDown();
        try {
            gate.await();
            return "answer";
        } catch (InterruptedException e) {
            return "interrupted";
        }
    }
}
