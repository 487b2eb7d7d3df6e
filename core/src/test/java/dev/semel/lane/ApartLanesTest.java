// SPDX-License-Identifier: Apache-2.0
package dev.semel.lane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Entries that are sent apart: those in capital letters. Both kinds of an entry have the same key. */
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ApartLanesTest {
    private final Map<String, Semaphore> gates = new ConcurrentHashMap<>();
    private final List<List<String>> batches = Collections.synchronizedList(new ArrayList<>());
    private final ExecutorService threads = Executors.newFixedThreadPool(4);
    private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(1);
    private final Lanes<String, String> lanes = lanes(this::gated);

    private Lanes<String, String> lanes(BatchCall<String, String> call) {
        return lanes(call, threads);
    }

    private Lanes<String, String> lanes(BatchCall<String, String> call, Executor executor) {
        Batching<String> batching = Batching.<String>by(entry -> Character.toLowerCase(entry.charAt(0)))
                .apart(ApartLanesTest::isCapital);
        return new Lanes<>(2, batching, call, executor, timer);
    }

    private static boolean isCapital(String entry) {
        return Character.isUpperCase(entry.charAt(0));
    }

    @AfterEach
    void close() {
        gates.values().forEach(gate -> gate.release(1_000));
        threads.shutdownNow();
        timer.shutdownNow();
    }

    @Test
    void bothKindsAreOnTheirWayAtTheSameTimeAndNeverInOneBatch() throws Exception {
        CompletableFuture<String> small = lanes.submit("a");
        CompletableFuture<String> capital = lanes.submit("B");
        await().until(() -> batches.size() == 2);
        List<CompletableFuture<String>> more =
                List.of(lanes.submit("c"), lanes.submit("D"), lanes.submit("e"), lanes.submit("F"));

        pass("a", 10);
        pass("B", 10);

        assertThat(get(small)).isEqualTo("a");
        assertThat(get(capital)).isEqualTo("B");
        for (CompletableFuture<String> answer : more) {
            get(answer);
        }
        assertThat(batches).containsExactlyInAnyOrder(List.of("a"), List.of("B"), List.of("c", "e"), List.of("D", "F"));
    }

    /** Two lanes are at work already, one of each kind. */
    @Test
    void anotherLaneOfAKindStartsLaterThanWithOneKind() throws Exception {
        lanes.submit(letter(0));
        await().until(() -> batches.size() == 1);
        for (int i = 1; i < Lanes.MANY_OF_TWO_KINDS; i++) {
            lanes.submit(letter(i));
        }
        assertThat(batches).hasSize(1);

        lanes.submit(letter(Lanes.MANY_OF_TWO_KINDS));

        await().until(() -> batches.size() == 2);
        assertThat(batches.get(1)).hasSize(Lanes.MANY_OF_TWO_KINDS);
    }

    @Test
    void aKeyIsInOneBatchAtATimeAcrossBothKinds() throws Exception {
        CompletableFuture<String> first = lanes.submit("a");
        await().until(() -> batches.size() == 1);
        CompletableFuture<String> second = lanes.submit("A");
        CompletableFuture<String> other = lanes.submit("B");
        await().until(() -> batches.size() == 2);

        assertThat(batches).containsExactly(List.of("a"), List.of("B"));
        pass("B", 10);
        get(other);
        assertThat(second).isNotDone();
        pass("a", 10);

        assertThat(get(first)).isEqualTo("a");
        assertThat(get(second)).isEqualTo("A");
    }

    /** No lane of its kind is at work, and its key becomes free: the lane of the other kind has to wake it. */
    @Test
    void anEntryWhoseKeyBecomesFreeIsSentAtOnce() throws Exception {
        CompletableFuture<String> first = lanes.submit("a");
        await().until(() -> batches.size() == 1);
        CompletableFuture<String> second = lanes.submit("A");

        pass("a", 1);
        get(first);
        pass("A", 1);

        assertThat(get(second)).isEqualTo("A");
        assertThat(batches).containsExactly(List.of("a"), List.of("A"));
    }

    @Test
    void aCallerMakesItsOwnCallWhileTheOtherKindIsAtWork() throws Exception {
        lanes.submit("a");
        await().until(() -> batches.size() == 1);
        pass("B", 1);

        assertThat(lanes.submitOrRun("B")).isCompletedWithValue("B");
        assertThat(batches).containsExactly(List.of("a"), List.of("B"));
    }

    /** Its own call would overtake the entry of the same key. */
    @Test
    void aCallerWaitsIfItsKeyIsInABatchOfTheOtherKind() throws Exception {
        CompletableFuture<String> first = lanes.submit("a");
        await().until(() -> batches.size() == 1);

        CompletableFuture<String> second = lanes.submitOrRun("A");

        assertThat(second).isNotDone();
        assertThat(batches).hasSize(1);
        pass("a", 1);
        pass("A", 1);
        get(first);
        assertThat(get(second)).isEqualTo("A");
    }

    @Test
    void whatFollowsACallersOwnCallIsSentAlsoIfItIsOfTheOtherKind() throws Exception {
        CompletableFuture<String> own =
                CompletableFuture.supplyAsync(() -> lanes.submitOrRun("a").join(), threads);
        await().until(() -> batches.size() == 1);
        CompletableFuture<String> other = lanes.submit("A");

        pass("a", 1);
        pass("A", 1);

        assertThat(get(own)).isEqualTo("a");
        assertThat(get(other)).isEqualTo("A");
    }

    /** A silent batch is overtaken also by the other kind. */
    @Test
    void aBatchWithoutAnAnswerDoesNotBlockItsKeysForTheOtherKind() throws Exception {
        CompletableFuture<String> silent = lanes.submit("a");
        await().until(() -> batches.size() == 1);

        CompletableFuture<String> settled = lanes.submit("A");
        pass("A", 1);

        assertThat(get(settled)).isEqualTo("A");
        assertThat(silent).isNotDone();
    }

    /** Its own lane was opened, but the other kind took the key first and gets no answer. Nobody else submits anything. */
    @Test
    void anEntryWhoseKeyIsTakenBeforeItsLaneStartsWaitsForASecondOnly() throws Exception {
        BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
        AtomicBoolean held = new AtomicBoolean(true);
        Lanes<String, String> ordered = lanes(this::gated, task -> {
            if (held.get()) {
                tasks.add(task);
            } else {
                threads.execute(task);
            }
        });
        CompletableFuture<String> blocked = ordered.submit("a");
        CompletableFuture<String> silent = ordered.submit("A");
        Runnable ofBlocked = tasks.take();
        Runnable ofSilent = tasks.take();
        held.set(false);

        threads.execute(ofSilent);
        await().until(() -> batches.size() == 1);
        ofBlocked.run();
        pass("a", 1);

        assertThat(get(blocked)).isEqualTo("a");
        assertThat(silent).isNotDone();
    }

    @Test
    void anEntryOfTheOtherKindCanBeCancelledWhileItsKeyIsInABatch() throws Exception {
        CompletableFuture<String> first = lanes.submit("a");
        await().until(() -> batches.size() == 1);
        CompletableFuture<String> second = lanes.submit("A");

        assertThat(second.cancel(false)).isTrue();
        pass("a", 1);
        get(first);
        pass("B", 1);
        get(lanes.submit("B"));

        assertThat(batches).containsExactly(List.of("a"), List.of("B"));
    }

    @Test
    void closingFailsEntriesOfBothKinds() throws Exception {
        CompletableFuture<String> first = lanes.submit("a");
        await().until(() -> batches.size() == 1);
        CompletableFuture<String> small = lanes.submit("b");
        CompletableFuture<String> capital = lanes.submit("A");

        threads.shutdown();
        pass("a", 10);

        assertThat(get(first)).isEqualTo("a");
        // The lane that is at work goes on. The other kind would need another one.
        assertThat(get(small)).isEqualTo("b");
        assertThatThrownBy(() -> get(capital)).hasRootCauseInstanceOf(RejectedExecutionException.class);
    }

    /** Later entries of the same key and the other kind arrive all the time. */
    @Test
    void anEntryIsNotOvertakenByLaterOnesOfTheOtherKind() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        AtomicInteger sentIn = new AtomicInteger();
        AtomicBoolean done = new AtomicBoolean();
        Semaphore first = new Semaphore(0);
        Lanes<String, String> busy = lanes(entries -> {
            if (calls.incrementAndGet() == 1) {
                first.acquireUninterruptibly();
            }
            if (entries.contains("a")) {
                sentIn.set(calls.get());
            }
            return entries;
        });
        for (int i = 0; i < 8; i++) {
            again(busy, "A" + i, done);
        }
        CompletableFuture<String> settled = busy.submit("a");
        first.release();

        assertThat(get(settled)).isEqualTo("a");
        done.set(true);
        // After the eight that were submitted before it, one in a call.
        assertThat(sentIn).hasValue(9);
    }

    private static void again(Lanes<String, String> lanes, String entry, AtomicBoolean done) {
        lanes.submit(entry).thenRunAsync(() -> {
            if (!done.get()) {
                again(lanes, entry, done);
            }
        });
    }

    /** One thread for two lanes, and a steady flow of one kind. */
    @Test
    void aLaneWithoutAThreadHasItsTurn() throws Exception {
        ExecutorService one = Executors.newFixedThreadPool(1);
        AtomicBoolean done = new AtomicBoolean();
        try {
            Lanes<String, String> narrow = lanes(entries -> entries, one);
            for (char key = 'B'; key < 'Z'; key++) {
                again(narrow, String.valueOf(key), done);
            }
            for (int i = 0; i < 20; i++) {
                assertThat(get(narrow.submit("a" + i))).isEqualTo("a" + i);
            }
        } finally {
            done.set(true);
            one.shutdownNow();
        }
    }

    /** Every entry is answered once, and no key is in two batches, however the two kinds meet. */
    @Test
    void randomEntriesOfBothKinds() throws Exception {
        Set<Character> inFlight = new HashSet<>();
        AtomicInteger violations = new AtomicInteger();
        Lanes<String, String> random = lanes(entries -> {
            check(inFlight, entries, violations);
            Thread.onSpinWait();
            synchronized (inFlight) {
                entries.forEach(entry -> inFlight.remove(Character.toLowerCase(entry.charAt(0))));
            }
            return entries;
        });
        long seed = System.nanoTime();
        Random dice = new Random(seed);
        List<CompletableFuture<String>> answers = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            char key = (char) ('a' + dice.nextInt(6));
            String entry = (dice.nextBoolean() ? key : Character.toUpperCase(key)) + "" + i;
            answers.add(dice.nextInt(10) == 0 ? random.submitOrRun(entry) : random.submit(entry));
        }

        for (CompletableFuture<String> answer : answers) {
            assertThat(get(answer)).as("seed %d", seed).isNotNull();
        }
        assertThat(violations).as("seed %d", seed).hasValue(0);
    }

    private static void check(Set<Character> inFlight, List<String> entries, AtomicInteger violations) {
        synchronized (inFlight) {
            for (String entry : entries) {
                if (!inFlight.add(Character.toLowerCase(entry.charAt(0)))) {
                    violations.incrementAndGet();
                }
                if (isCapital(entry) != isCapital(entries.get(0))) {
                    violations.incrementAndGet();
                }
            }
        }
    }

    /** Returns once {@link #pass} allows a batch of this kind. */
    private List<String> gated(List<String> entries) {
        batches.add(List.copyOf(entries));
        gate(isCapital(entries.get(0))).acquireUninterruptibly();
        return entries;
    }

    private void pass(String kind, int calls) {
        gate(isCapital(kind)).release(calls);
    }

    private Semaphore gate(boolean capital) {
        return gates.computeIfAbsent(capital ? "capital" : "small", absent -> new Semaphore(0));
    }

    /** One of many entries that are not capital letters, each with a key of its own. */
    private static String letter(int number) {
        return String.valueOf((char) (0x4E00 + number));
    }

    private static String get(CompletableFuture<String> answer) throws Exception {
        return answer.get(20, TimeUnit.SECONDS);
    }
}
