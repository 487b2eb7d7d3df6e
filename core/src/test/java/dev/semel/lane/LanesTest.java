// SPDX-License-Identifier: Apache-2.0
package dev.semel.lane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LanesTest {
    private final GatedCall call = new GatedCall();
    private final ExecutorService threads = Executors.newFixedThreadPool(2, daemons());
    private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(1, daemons());

    /** An entry is a key and a number, such as {@code a1}. Its answer is the entry itself. */
    private final Lanes<String, String> lanes = lanes(1, threads);

    private Lanes<String, String> lanes(int count, Executor executor) {
        return new Lanes<>(count, Batching.by(entry -> entry.charAt(0)), call, executor, timer);
    }

    @AfterEach
    void close() {
        call.gate.release(1_000);
        threads.shutdownNow();
        timer.shutdownNow();
    }

    @Test
    void entriesCollectWhileABatchIsInProgress() throws Exception {
        CompletableFuture<String> first = lanes.submit("a");
        await().until(() -> call.batches.size() == 1);
        List<CompletableFuture<String>> more = List.of(lanes.submit("b"), lanes.submit("c"));
        assertThat(call.batches).hasSize(1);

        call.gate.release(2);

        assertThat(get(first)).isEqualTo("a");
        for (CompletableFuture<String> answer : more) {
            get(answer);
        }
        assertThat(call.batches).containsExactly(List.of("a"), List.of("b", "c"));
    }

    @Test
    void aBatchHoldsOneEntryForEachKeyAndKeepsTheirOrder() throws Exception {
        lanes.submit("z");
        await().until(() -> call.batches.size() == 1);
        lanes.submit("a1");
        lanes.submit("a2");
        CompletableFuture<String> other = lanes.submit("b");
        CompletableFuture<String> last = lanes.submit("a3");

        call.gate.release(10);
        get(other);
        get(last);

        assertThat(call.batches).containsExactly(List.of("z"), List.of("a1", "b"), List.of("a2"), List.of("a3"));
    }

    @Test
    void aBatchIsBounded() throws Exception {
        lanes.submit("a");
        await().until(() -> call.batches.size() == 1);
        List<CompletableFuture<String>> answers = new ArrayList<>();
        for (int i = 1; i <= Lanes.MAX_BATCH + 1; i++) {
            answers.add(lanes.submit(key(i)));
        }

        call.gate.release(10);
        for (CompletableFuture<String> answer : answers) {
            get(answer);
        }

        assertThat(call.batches.get(1)).hasSize(Lanes.MAX_BATCH);
        assertThat(call.batches.get(2)).hasSize(1);
    }

    @Test
    void aBatchIsBoundedInBytesToo() throws Exception {
        long half = Lanes.MAX_BATCH_BYTES / 2;
        Lanes<String, String> heavy = new Lanes<>(
                Environment.SYSTEM,
                1,
                Batching.<String>by(entry -> entry).sized(entry -> entry.equals("huge") ? 10 * half : half),
                call,
                threads,
                timer,
                null);
        heavy.submit("a");
        await().until(() -> call.batches.size() == 1);
        List<CompletableFuture<String>> answers = new ArrayList<>();
        for (String entry : List.of("b", "c", "d", "huge", "e")) {
            answers.add(heavy.submit(entry));
        }

        call.gate.release(10);
        for (CompletableFuture<String> answer : answers) {
            get(answer);
        }

        assertThat(call.batches)
                .containsExactly(List.of("a"), List.of("b", "c"), List.of("d"), List.of("huge"), List.of("e"));
    }

    @Test
    void anEntryThatWasSentCannotBeCancelled() throws Exception {
        CompletableFuture<String> left = lanes.submit("a");
        await().until(() -> call.batches.size() == 1);
        CompletableFuture<String> waiting = lanes.submit("b");

        assertThat(left.cancel(false)).isFalse();
        assertThat(waiting.cancel(false)).isTrue();
        call.gate.release(10);

        assertThat(get(left)).isEqualTo("a");
        assertThat(waiting).isCancelled();
        assertThat(call.batches).containsExactly(List.of("a"));
    }

    @Test
    void aFailureReachesItsBatchOnly() throws Exception {
        RuntimeException failure = new IllegalStateException("connection lost");
        call.failure = failure;
        CompletableFuture<String> first = lanes.submit("a");
        call.gate.release();
        assertThatThrownBy(first::join).hasCause(failure);

        call.failure = null;
        CompletableFuture<String> second = lanes.submit("b");
        call.gate.release();

        assertThat(get(second)).isEqualTo("b");
    }

    /** A callback may fail in a way that no future catches: the message of its exception cannot be read. */
    @Test
    void aCallbackThatThrowsDoesNotAffectOtherAnswers() throws Exception {
        lanes.submit("a");
        await().until(() -> call.batches.size() == 1);
        lanes.submit("b").handle((answer, failure) -> {
            throw new Unprintable();
        });
        CompletableFuture<String> other = lanes.submit("c");

        call.gate.release(2);

        assertThat(get(other)).isEqualTo("c");
    }

    @SuppressWarnings("serial")
    private static final class Unprintable extends RuntimeException {
        @Override
        public String getMessage() {
            throw new InternalError("no memory");
        }
    }

    /** The first batch never gets an answer. Later entries do not wait for it, even if no further entry arrives. */
    @Test
    void aBatchWithoutAnAnswerIsOvertaken() throws Exception {
        CompletableFuture<String> silent = lanes.submit("a");
        await().until(() -> call.batches.size() == 1);

        CompletableFuture<String> next = lanes.submit("b");
        await().until(() -> call.batches.size() == 2);

        assertThat(silent).isNotDone();
        call.gate.release(2);
        assertThat(get(silent)).isEqualTo("a");
        assertThat(get(next)).isEqualTo("b");
    }

    @Test
    void anEntryThatWasCompletedEarlyIsNotSent() throws Exception {
        lanes.submit("a");
        await().until(() -> call.batches.size() == 1);
        lanes.submit("b").cancel(false);
        CompletableFuture<String> last = lanes.submit("c");

        call.gate.release(10);
        get(last);

        assertThat(call.batches).containsExactly(List.of("a"), List.of("c"));
    }

    @Test
    void aThreadThatWouldOnlyWaitMakesTheCallItself() {
        call.gate.release();

        assertThat(lanes.submitOrRun("a")).isCompletedWithValue("a");

        assertThat(call.callers).containsExactly(Thread.currentThread());
    }

    @Test
    void entriesThatArriveMeanwhileAreSentOnAnotherThread() throws Exception {
        CompletableFuture<String> first =
                CompletableFuture.supplyAsync(() -> lanes.submitOrRun("a").join(), task -> new Thread(task).start());
        await().until(() -> call.batches.size() == 1);
        CompletableFuture<String> second = lanes.submitOrRun("b");
        CompletableFuture<String> third = lanes.submit("c");

        call.gate.release();
        assertThat(get(first)).isEqualTo("a");
        call.gate.release();
        get(second);
        get(third);

        assertThat(call.batches).containsExactly(List.of("a"), List.of("b", "c"));
        assertThat(call.callers.get(1).getName()).startsWith("daemon");
    }

    /** A timeout cannot reach a caller that makes its own call, so it must not be the first to meet a failing store. */
    @Test
    void noCallerMakesItsOwnCallAfterAFailure() {
        call.failure = new IllegalStateException("connection lost");
        call.gate.release(2);
        assertThatThrownBy(lanes.submitOrRun("a")::join).hasCause(call.failure);

        assertThatThrownBy(lanes.submitOrRun("b")::join).hasCause(call.failure);

        assertThat(call.callers.get(1).getName()).startsWith("daemon");
    }

    @Test
    void noCallerMakesItsOwnCallAfterOneWithoutAnAnswer() throws Exception {
        lanes.submit("a");
        await().until(() -> call.batches.size() == 1);
        CompletableFuture<String> overtaking = lanes.submit("b");
        await().until(() -> call.batches.size() == 2);
        call.failure = new IllegalStateException("connection lost");
        call.gate.release();
        await().until(() -> call.finished.availablePermits() == 1);

        CompletableFuture<String> next = lanes.submitOrRun("c");

        assertThat(next).isNotDone();
        call.gate.release(10);
        assertThatThrownBy(() -> get(overtaking)).hasCause(call.failure);
        assertThatThrownBy(() -> get(next)).hasCause(call.failure);
    }

    @Test
    void afterAnAnswerACallerMakesItsOwnCallAgain() throws Exception {
        call.failure = new IllegalStateException("connection lost");
        call.gate.release(3);
        assertThatThrownBy(lanes.submitOrRun("a")::join).hasCause(call.failure);
        call.failure = null;
        get(lanes.submitOrRun("b"));
        await().until(() -> {
            call.gate.release();
            return lanes.submitOrRun("c").isDone();
        });

        assertThat(call.callers).contains(Thread.currentThread());
    }

    @Test
    void closingFailsEntriesThatWait() {
        threads.shutdown();

        assertThatThrownBy(lanes.submit("a")::join).hasRootCauseInstanceOf(RejectedExecutionException.class);
    }

    /** Such as no memory for another thread. The entry must not be sent later, when its caller has given up. */
    @Test
    void anExecutorThatFailsFailsTheEntriesAndNotTheLane() throws Exception {
        AtomicBoolean failing = new AtomicBoolean(true);
        Lanes<String, String> shaky = lanes(1, task -> {
            if (failing.get()) {
                throw new InternalError("no thread");
            }
            threads.execute(task);
        });

        assertThatThrownBy(shaky.submit("a")::join).hasRootCauseInstanceOf(InternalError.class);
        failing.set(false);
        call.gate.release(1);

        assertThat(get(shaky.submit("b"))).isEqualTo("b");
        assertThat(call.batches).containsExactly(List.of("b"));
    }

    /** Many entries wait behind the first call, so another lane starts. It ends when few wait. */
    @Test
    void anotherLaneStartsOnlyIfManyEntriesWait() throws Exception {
        Lanes<String, String> two = lanes(2, threads);
        CompletableFuture<String> first = two.submit("first");
        await().until(() -> call.batches.size() == 1);
        List<CompletableFuture<String>> many = new ArrayList<>();
        for (int i = 1; i < Lanes.MANY; i++) {
            many.add(two.submit(key(i)));
        }
        assertThat(call.batches).hasSize(1);

        many.add(two.submit(key(Lanes.MANY)));
        await().until(() -> call.batches.size() == 2);
        CompletableFuture<String> behindBoth = two.submit("z");
        call.gate.release(1);
        await().until(() -> first.isDone() || many.get(0).isDone());

        // The lane that was answered ended, because one entry is not enough for two lanes.
        assertThat(call.batches).hasSize(2);
        assertThat(behindBoth).isNotDone();
        call.gate.release(10);
        get(first);
        for (CompletableFuture<String> answer : many) {
            get(answer);
        }
        assertThat(get(behindBoth)).isEqualTo("z");
        assertThat(call.batches.get(1)).hasSize(Lanes.MANY);
        assertThat(call.batches.get(2)).containsExactly("z");
    }

    /** Fewer entries keep a second lane than start it: otherwise it would end and start again with almost every batch. */
    @Test
    void aSecondLaneLastsWhileSomeEntriesWait() throws Exception {
        Lanes<String, String> two = lanes(2, threads);
        List<CompletableFuture<String>> answers = new ArrayList<>();
        answers.add(two.submit("first"));
        await().until(() -> call.batches.size() == 1);
        for (int i = 0; i < Lanes.MANY; i++) {
            answers.add(two.submit(key(i)));
        }
        await().until(() -> call.batches.size() == 2);
        List<String> some = IntStream.range(Lanes.MANY, Lanes.MANY + Lanes.FEW)
                .mapToObj(LanesTest::key)
                .toList();
        some.forEach(entry -> answers.add(two.submit(entry)));
        assertThat(call.batches).hasSize(2);

        call.gate.release(1);

        // The other batch still has no answer.
        await().until(() -> call.batches.size() == 3);
        assertThat(call.batches.get(2)).containsExactlyElementsOf(some);
        call.gate.release(10);
        for (CompletableFuture<String> answer : answers) {
            get(answer);
        }
    }

    @Test
    void aKeyIsInOneBatchAtATime() throws Exception {
        Lanes<String, String> two = lanes(2, threads);
        CompletableFuture<String> first = two.submit("a1");
        await().until(() -> call.batches.size() == 1);
        CompletableFuture<String> second = two.submit("a2");
        List<CompletableFuture<String>> others = new ArrayList<>();
        for (int i = 1; i < Lanes.MANY; i++) {
            others.add(two.submit(key(i)));
        }
        await().until(() -> call.batches.size() == 2);

        assertThat(call.batches.get(1)).doesNotContain("a2");
        call.gate.release(10);
        get(first);
        assertThat(get(second)).isEqualTo("a2");
        for (CompletableFuture<String> other : others) {
            get(other);
        }
    }

    /** A lane that has nothing to send but keys of other batches ends, and nothing is lost. */
    @Test
    void entriesOfOneKeyNeedOneLane() throws Exception {
        Lanes<String, String> two = lanes(2, threads);
        List<CompletableFuture<String>> answers = new ArrayList<>();
        for (int i = 0; i < 2 * Lanes.MANY; i++) {
            answers.add(two.submit("a" + i));
        }
        call.gate.release(1_000);

        for (CompletableFuture<String> answer : answers) {
            get(answer);
        }
        assertThat(call.batches)
                .containsExactlyElementsOf(IntStream.range(0, 2 * Lanes.MANY)
                        .mapToObj(i -> List.of("a" + i))
                        .toList());
    }

    @Test
    void requiresALane() {
        assertThatThrownBy(() -> lanes(0, threads))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("At least 1 lane is required, but the count is 0");
    }

    private static String key(int number) {
        return String.valueOf((char) (1_000 + number));
    }

    private static String get(CompletableFuture<String> answer) throws Exception {
        return answer.get(20, TimeUnit.SECONDS);
    }

    private static ThreadFactory daemons() {
        return task -> {
            Thread thread = new Thread(task, "daemon");
            thread.setDaemon(true);
            return thread;
        };
    }

    /** Records every batch, and returns from it when the test allows. */
    private static final class GatedCall implements BatchCall<String, String> {
        final List<List<String>> batches = Collections.synchronizedList(new ArrayList<>());
        final List<Thread> callers = Collections.synchronizedList(new ArrayList<>());
        final Semaphore gate = new Semaphore(0);
        final Semaphore finished = new Semaphore(0);
        volatile RuntimeException failure;

        @Override
        public List<String> make(List<String> entries) {
            callers.add(Thread.currentThread());
            batches.add(List.copyOf(entries));
            gate.acquireUninterruptibly();
            finished.release();
            if (failure != null) {
                throw failure;
            }
            return entries;
        }
    }
}
