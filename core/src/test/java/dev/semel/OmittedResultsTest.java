// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import static dev.semel.TestEngine.CHARGE;
import static dev.semel.TestEngine.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.ClaimOutcome.Succeeded;
import dev.semel.claim.AliasedKey;
import dev.semel.claim.ClaimKey;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.Status;
import dev.semel.claim.StoredResult;
import dev.semel.claim.Terms;
import dev.semel.key.Secrets;
import dev.semel.memory.MemoryClaimStore;
import dev.semel.replay.ProcessReplayCache;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Stores omit large results from calls about many claims. A single caller still gets its result, many get a bounded part. */
@EngineTest
class OmittedResultsTest {
    /** So many that more than 16 share a batch, however two lanes and two batches divide them. */
    private static final int MANY = 120;

    private static final int MEBIBYTE = 1 << 20;
    private static final int THREADS = 8;

    @AutoClose
    private final TestEngine engine = new TestEngine(SemelBuilder::withoutReplayCache);

    private static ClaimKey key(int i) {
        return CHARGE.key("acme", "key " + i);
    }

    private static ClaimRequest request(ClaimKey key) {
        return new ClaimRequest(AliasedKey.of(key), Fingerprint.NONE, Terms.DEFAULT);
    }

    /** Text, so that operations can read it; a different one for each number. */
    private static StoredResult result(int number, int size) {
        String text = number + " ";
        try {
            return Codec.text().encode(text + "x".repeat(size - text.length()));
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private void settled(Semel on, int number, StoredResult result) {
        Claim claim = ((ClaimOutcome.Granted)
                        get(on.claim(key(number), Fingerprint.NONE, Terms.DEFAULT, Duration.ZERO)))
                .claim();
        get(on.settle(claim, Status.SUCCEEDED, result, null));
    }

    private void settled(int count, int size) {
        IntStream.range(0, count).forEach(i -> settled(engine.semel, i, result(i, size)));
    }

    private static List<StoredResult> results(List<ClaimOutcome> outcomes) {
        return outcomes.stream().map(outcome -> ((Succeeded) outcome).result()).toList();
    }

    private List<StoredResult> claimed(List<ClaimRequest> requests) {
        return results(get(engine.semel.claimAll(requests)));
    }

    @Test
    void manyOutcomesHoldFourMebibytesTogetherInTheirOrder() {
        settled(60, MEBIBYTE);

        List<StoredResult> results =
                claimed(IntStream.range(0, 60).mapToObj(i -> request(key(i))).toList());

        for (int i = 0; i < 60; i++) {
            assertThat(results.get(i)).isEqualTo(i < 4 ? result(i, MEBIBYTE) : StoredResult.omitted(MEBIBYTE));
        }
    }

    @Test
    void aResultThatFitsIsIncludedAfterOneThatDoesNot() {
        settled(engine.semel, 0, result(0, 5 * MEBIBYTE));
        settled(engine.semel, 1, result(1, 3 * MEBIBYTE));
        settled(engine.semel, 2, result(2, 2 * MEBIBYTE));
        settled(engine.semel, 3, result(3, MEBIBYTE));

        List<StoredResult> results =
                claimed(IntStream.range(0, 4).mapToObj(i -> request(key(i))).toList());

        assertThat(results)
                .containsExactly(
                        StoredResult.omitted(5 * MEBIBYTE),
                        result(1, 3 * MEBIBYTE),
                        StoredResult.omitted(2 * MEBIBYTE),
                        result(3, MEBIBYTE));
    }

    @Test
    void oneKeyAskedForManyTimesHasOneResult() {
        settled(engine.semel, 0, result(0, MEBIBYTE));
        settled(engine.semel, 1, result(1, 1_000));

        List<StoredResult> large = claimed(Collections.nCopies(60, request(key(0))));
        List<StoredResult> small = claimed(Collections.nCopies(60, request(key(1))));

        assertThat(large.get(0)).isEqualTo(result(0, MEBIBYTE));
        assertThat(large).allSatisfy(one -> assertThat(one).isSameAs(large.get(0)));
        assertThat(small.get(0)).isEqualTo(result(1, 1_000));
        assertThat(small).allSatisfy(one -> assertThat(one).isSameAs(small.get(0)));
    }

    @Test
    void smallResultsCostNoFurtherCall() {
        settled(60, 1_000);
        int calls = engine.store.batches().size();

        List<StoredResult> results =
                claimed(IntStream.range(0, 60).mapToObj(i -> request(key(i))).toList());

        assertThat(results).allMatch(result -> !result.isOmitted());
        assertThat(engine.store.batches()).hasSize(calls + 1);
        assertThat(engine.store.reads()).isZero();
    }

    @Test
    void resultsOfTheCacheAreBoundedToo() {
        ProcessReplayCache cache = new ProcessReplayCache(1L << 30);
        try (Semel cached = Semel.on(new MemoryClaimStore())
                .secrets(Secrets.of("0123456789abcdef0123456789abcdef"))
                .replayCache(cache)
                .withoutSweep()
                .build()) {
            IntStream.range(0, 20).forEach(i -> settled(cached, i, result(i, MEBIBYTE)));
            List<ClaimRequest> all =
                    IntStream.range(0, 20).mapToObj(i -> request(key(i))).toList();
            List<ClaimRequest> twice = new ArrayList<>(all);
            twice.addAll(all);
            await().until(() -> {
                all.forEach(one -> get(cached.claim(one.key(), Fingerprint.NONE, Terms.DEFAULT, Duration.ZERO)));
                return cache.size() == 20;
            });

            List<StoredResult> results = results(get(cached.claimAll(twice)));

            for (int i = 0; i < 40; i++) {
                assertThat(results.get(i))
                        .isEqualTo(i % 20 < 4 ? result(i % 20, MEBIBYTE) : StoredResult.omitted(MEBIBYTE));
            }
        }
    }

    /** While the lanes are blocked, the claims of many callers collect in one call, which omits their results. */
    private <T> List<T> together(int count, Function<ClaimKey, CompletionStage<T>> call) {
        CountDownLatch release = new CountDownLatch(1);
        AtomicBoolean held = new AtomicBoolean(true);
        engine.store.beforeCommand(command -> {
            if (held.get()) {
                TestEngine.meet(release);
            }
        });
        engine.store.beforeRead(() -> {
            if (held.get()) {
                TestEngine.meet(release);
            }
        });
        List<CompletableFuture<T>> calls = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            calls.add(call.apply(key(i)).toCompletableFuture());
        }
        held.set(false);
        release.countDown();
        return calls.stream().map(TestEngine::get).toList();
    }

    @Test
    void everySingleCallerGetsTheWholeResult() {
        settled(MANY, MEBIBYTE / 4);

        List<ClaimOutcome> outcomes =
                together(MANY, key -> engine.semel.claim(key, Fingerprint.NONE, Terms.DEFAULT, Duration.ZERO));

        assertThat(engine.store.batches()).as("they came together").anyMatch(size -> size > 16);
        for (int i = 0; i < MANY; i++) {
            assertThat(outcomes.get(i)).isEqualTo(new Succeeded(result(i, MEBIBYTE / 4)));
        }
        assertThat(engine.store.reads()).as("reads alone").isPositive();
    }

    @Test
    void everyExecutionIsReplayedWhole() {
        settled(40, MEBIBYTE / 4);

        List<Outcome<String>> outcomes = together(
                40,
                key -> engine.semel.executeAsync(CHARGE, key, run -> CompletableFuture.completedFuture("ran again")));

        for (int i = 0; i < 40; i++) {
            assertThat(outcomes.get(i))
                    .isEqualTo(new Outcome.Succeeded<>(result(i, MEBIBYTE / 4).text(), true));
        }
    }

    @Test
    void aCallerThatOnlyWaitsGetsTheWholeResult() {
        settled(40, MEBIBYTE / 4);

        List<Awaited> awaited =
                together(40, key -> engine.semel.await(AliasedKey.of(key), Fingerprint.NONE, Duration.ZERO));

        for (int i = 0; i < 40; i++) {
            assertThat(awaited.get(i)).isEqualTo(new Awaited.Answered(new Succeeded(result(i, MEBIBYTE / 4))));
        }
    }

    @Test
    void fewLargeResultsAreReadAtTheSameTime() {
        try (TestEngine few =
                new TestEngine(builder -> builder.withoutReplayCache().storeThreads(THREADS))) {
            IntStream.range(0, 30).forEach(i -> settled(few.semel, i, result(i, MEBIBYTE / 2)));
            AtomicInteger reading = new AtomicInteger();
            AtomicInteger most = new AtomicInteger();
            CountDownLatch release = new CountDownLatch(1);
            few.store.beforeCommand(command -> TestEngine.meet(release));
            List<CompletableFuture<ClaimOutcome>> calls = IntStream.range(0, 30)
                    .mapToObj(i -> few.semel
                            .claim(key(i), Fingerprint.NONE, Terms.DEFAULT, Duration.ZERO)
                            .toCompletableFuture())
                    .toList();
            CountDownLatch hold = new CountDownLatch(1);
            few.store.beforeRead(() -> {
                most.accumulateAndGet(reading.incrementAndGet(), Math::max);
                TestEngine.meet(hold);
                reading.decrementAndGet();
            });
            release.countDown();
            await().until(() -> most.get() == THREADS / 2);
            hold.countDown();

            for (int i = 0; i < 30; i++) {
                assertThat(get(calls.get(i))).isEqualTo(new Succeeded(result(i, MEBIBYTE / 2)));
            }
            assertThat(most).hasValue(THREADS / 2);
        }
    }

    /** Callers that wait for the same result share one copy. */
    @Test
    void callersThatWantTheSameResultShareIt() {
        ClaimKey key = key(0);
        Claim claim = ((ClaimOutcome.Granted)
                        get(engine.semel.claim(key, Fingerprint.NONE, Terms.DEFAULT, Duration.ZERO)))
                .claim();
        List<CompletableFuture<ClaimOutcome>> waiting = IntStream.range(0, 50)
                .mapToObj(i -> engine.semel
                        .claim(key, Fingerprint.NONE, Terms.DEFAULT, Duration.ofSeconds(15))
                        .toCompletableFuture())
                .toList();

        get(engine.semel.settle(claim, Status.SUCCEEDED, result(0, 3 * MEBIBYTE), null));

        Set<StoredResult> held = Collections.newSetFromMap(new IdentityHashMap<>());
        waiting.forEach(one -> held.add(((Succeeded) get(one)).result()));
        assertThat(held).hasSize(1);
    }

    @Test
    void aStoreThatFallsSilentIsUnavailableAndNothingRuns() {
        try (TestEngine brief =
                new TestEngine(builder -> builder.withoutReplayCache().storeTimeout(Duration.ofMillis(300)))) {
            IntStream.range(0, 2).forEach(i -> settled(brief.semel, i, result(i, 3 * MEBIBYTE)));
            CountDownLatch release = new CountDownLatch(1);
            CountDownLatch silent = new CountDownLatch(1);
            brief.store.beforeCommand(command -> TestEngine.meet(release));
            brief.store.beforeRead(() -> TestEngine.meet(silent));
            List<CompletableFuture<ClaimOutcome>> calls = new ArrayList<>();
            // More than one for each lane, however they are divided.
            for (int round = 0; round < 2; round++) {
                for (int i = 0; i < 2; i++) {
                    calls.add(brief.semel
                            .claim(AliasedKey.of(key(i)), Fingerprint.NONE, Terms.DEFAULT, Duration.ZERO)
                            .toCompletableFuture());
                }
            }
            release.countDown();

            List<ClaimOutcome> outcomes = get(brief.semel.claimAll(List.of(request(key(0)), request(key(1)))));
            assertThat(results(outcomes)).containsOnly(StoredResult.omitted(3 * MEBIBYTE));
            calls.forEach(
                    call -> assertThat(get(call)).isInstanceOfAny(Succeeded.class, ClaimOutcome.Unavailable.class));
            silent.countDown();
        }
    }
}
