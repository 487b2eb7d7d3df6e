// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import static dev.semel.TestEngine.CHARGE;
import static dev.semel.TestEngine.KEY;
import static dev.semel.TestEngine.inBackground;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.ClaimEvent.Kind;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.Status;
import dev.semel.claim.StoredResult;
import dev.semel.spi.Command;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Equal claims of one process: one asks the store, the others follow. */
@EngineTest
class CoalescingTest {
    private static final Operation<String> WAITING = CHARGE.waitingUpTo(Duration.ofSeconds(20));

    @AutoClose
    private final TestEngine engine = new TestEngine();

    private final AtomicInteger runs = new AtomicInteger();
    private final Work<String> work = run -> "receipt " + runs.incrementAndGet();

    @Test
    void followersDoNotAskTheStore() {
        HeldWork held = new HeldWork();
        CompletableFuture<Outcome<String>> first = engine.start(WAITING, held);
        List<CompletableFuture<Outcome<String>>> followers = follow(20);
        int asked = engine.store.commands().size();
        held.finish("receipt");

        assertThat(TestEngine.get(first)).isEqualTo(new Outcome.Succeeded<>("receipt", false));
        followers.forEach(
                follower -> assertThat(TestEngine.get(follower)).isEqualTo(new Outcome.Succeeded<>("receipt", true)));
        assertThat(asked).isEqualTo(1);
        assertThat(engine.store.commands()).hasSize(2);
        assertThat(engine.store.reads()).isZero();
        assertThat(runs).hasValue(0);
    }

    @Test
    void aCallDuringTheFirstCallsQuestionGetsItsAnswer() {
        engine.execute(CHARGE, work);
        CountDownLatch answer = new CountDownLatch(1);
        engine.store.beforeCommand(command -> TestEngine.meet(answer));
        CompletableFuture<Outcome<String>> first = inBackground(() -> engine.execute(CHARGE, work));
        await().until(() -> engine.store.commands(Command.Insert.class).size() == 2);
        CompletableFuture<Outcome<String>> second = inBackground(() -> engine.execute(CHARGE, work));
        CompletableFuture<Outcome<String>> waiting = follow(1).get(0);

        answer.countDown();

        assertThat(TestEngine.get(first)).isEqualTo(new Outcome.Succeeded<>("receipt 1", true));
        assertThat(TestEngine.get(second)).isEqualTo(new Outcome.Succeeded<>("receipt 1", true));
        assertThat(TestEngine.get(waiting)).isEqualTo(new Outcome.Succeeded<>("receipt 1", true));
    }

    /** It may have been decided since. Found by the simulation. */
    @Test
    void aCallAfterTheQuestionIsNotToldThatTheOutcomeIsUnknown() {
        Claim claim = engine.claimedElsewhere(CHARGE);
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        try (TestEngine other = engine.another()) {
            TestEngine.get(other.semel.settle(claim.ref(), claim.token(), Status.UNKNOWN, null, "nobody knows"));
            engine.store.afterCommand(command -> {
                asked.countDown();
                TestEngine.meet(answer);
            });
            CompletableFuture<Outcome<String>> first = executedAsync(CHARGE);
            TestEngine.meet(asked);
            StoredResult done = new StoredResult("text/plain", "receipt".getBytes(UTF_8));
            TestEngine.get(other.semel.settle(claim.ref(), claim.token(), Status.SUCCEEDED, done, null));
            CompletableFuture<Outcome<String>> second = executedAsync(CHARGE);
            CompletableFuture<Outcome<String>> waiting = executedAsync(WAITING);

            answer.countDown();

            assertThat(TestEngine.get(first)).isInstanceOf(Outcome.Unknown.class);
            assertThat(TestEngine.get(second)).isEqualTo(new Outcome.Succeeded<>("receipt", true));
            assertThat(TestEngine.get(waiting)).isEqualTo(new Outcome.Succeeded<>("receipt", true));
        }
    }

    /** The work may have run again since. Found by the simulation. */
    @Test
    void aCallAfterTheEndOfAnAnswerIsNotToldIt() {
        Duration kept = Duration.ofMillis(5);
        Operation<String> shortly = CHARGE.withTtl(kept);
        assertThat(engine.execute(shortly, work)).isEqualTo(new Outcome.Succeeded<>("receipt 1", false));
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        try (TestEngine other = engine.another()) {
            engine.store.afterCommand(command -> {
                asked.countDown();
                TestEngine.meet(answer);
            });
            long before = System.nanoTime();
            CompletableFuture<Outcome<String>> first = executedAsync(shortly);
            TestEngine.meet(asked);
            engine.clock.advance(kept);
            assertThat(other.execute(shortly, work)).isEqualTo(new Outcome.Succeeded<>("receipt 2", false));
            await().until(() -> System.nanoTime() - before > kept.toNanos());
            CompletableFuture<Outcome<String>> late = executedAsync(shortly);
            CompletableFuture<Outcome<String>> waiting = executedAsync(shortly.waitingUpTo(Duration.ofSeconds(20)));

            answer.countDown();

            assertThat(TestEngine.get(first)).isEqualTo(new Outcome.Succeeded<>("receipt 1", true));
            assertThat(TestEngine.get(late)).isEqualTo(new Outcome.Succeeded<>("receipt 2", true));
            assertThat(TestEngine.get(waiting)).isEqualTo(new Outcome.Succeeded<>("receipt 2", true));
        }
    }

    private CompletableFuture<Outcome<String>> executedAsync(Operation<String> operation) {
        return engine.semel
                .executeAsync(operation, KEY, run -> CompletableFuture.completedFuture(work.run(run)))
                .toCompletableFuture();
    }

    @Test
    void aFollowerGetsTheStoredFormAndNotTheObject() {
        Operation<StringBuilder> operation = Operation.of(
                        "build",
                        Codec.<StringBuilder>of(
                                text -> new StoredResult(
                                        "text/plain", text.toString().getBytes(UTF_8)),
                                stored -> new StringBuilder(stored.text())))
                .waitingUpTo(Duration.ofSeconds(20));
        CompletableFuture<StringBuilder> stage = new CompletableFuture<>();
        CompletableFuture<Outcome<StringBuilder>> first = engine.semel
                .executeAsync(operation, operation.key("acme", "1"), run -> stage)
                .toCompletableFuture();
        CompletableFuture<Outcome<StringBuilder>> second = engine.semel
                .executeAsync(operation, operation.key("acme", "1"), run -> stage)
                .toCompletableFuture();
        stage.complete(new StringBuilder("built"));

        StringBuilder one = TestEngine.get(first).orElseThrow();
        StringBuilder other = TestEngine.get(second).orElseThrow();

        assertThat(other).isNotSameAs(one).hasToString("built");
    }

    @Test
    void aFollowerThatDoesNotWaitReceivesTheRestOfTheLeaseAtOnce() {
        HeldWork held = new HeldWork();
        engine.start(CHARGE, held);

        assertThat(engine.execute(CHARGE, work))
                .isInstanceOfSatisfying(
                        Outcome.InProgress.class,
                        running -> assertThat(running.leaseLeft())
                                .isBetween(Duration.ofMinutes(4), Duration.ofMinutes(5)));
        assertThat(engine.store.commands()).hasSize(1);
        held.finish("receipt");
    }

    @Test
    void whenTheFirstFailsRetryablyOneFollowerRunsAndTheOthersFollowIt() {
        HeldWork held = new HeldWork();
        CompletableFuture<Outcome<String>> first = engine.start(WAITING, held);
        List<CompletableFuture<Outcome<String>>> followers = follow(20);

        held.fail(new IllegalStateException("declined"));

        assertThat(TestEngine.get(first)).isInstanceOf(Outcome.Retryable.class);
        followers.forEach(
                follower -> assertThat(TestEngine.get(follower).orElseThrow()).isEqualTo("receipt 1"));
        assertThat(runs).hasValue(1);
        assertThat(engine.stored().attempt()).isEqualTo(2);
    }

    @Test
    void whenTheFirstFailsPermanentlyAllGetTheFailure() {
        HeldWork held = new HeldWork();
        Operation<String> strict = WAITING.classifyingFailures(failure -> FailureClass.FINAL);
        engine.start(strict, held);
        CompletableFuture<Outcome<String>> follower = follow(1).get(0);

        held.fail(new IllegalStateException("declined"));

        assertThat(TestEngine.get(follower)).isInstanceOf(Outcome.Failed.class);
        assertThat(engine.journal.kinds()).containsExactly(Kind.GRANTED, Kind.FAILED, Kind.FAILURE_REPLAYED);
    }

    @Test
    void whenTheFirstLosesItsClaimTheStoreAnswers() {
        HeldWork held = new HeldWork();
        CompletableFuture<Outcome<String>> first = engine.start(WAITING, held);
        CompletableFuture<Outcome<String>> follower = follow(1).get(0);
        try (TestEngine another = engine.another()) {
            engine.age(Duration.ofMinutes(5));
            another.execute(CHARGE, work);
        }
        held.finish("late");

        assertThat(TestEngine.get(first)).isInstanceOf(Outcome.Unsettled.class);
        assertThat(TestEngine.get(follower)).isEqualTo(new Outcome.Succeeded<>("receipt 1", true));
    }

    @Test
    void anotherFingerprintDoesNotFollow() {
        HeldWork held = new HeldWork();
        inBackground(() -> engine.semel.execute(WAITING, KEY, Fingerprint.of("10 EUR"), held));
        held.context();

        assertThat(engine.semel.execute(WAITING, KEY, Fingerprint.of("20 EUR"), work))
                .isEqualTo(new Outcome.Mismatch<>(Fingerprint.of("10 EUR")));
        held.finish("receipt");
    }

    @Test
    void afterTheLeaseTheStoreDecidesAgain() {
        HeldWork held = new HeldWork();
        Operation<String> brief = CHARGE.withLease(Duration.ofMillis(30)).withMaxRun(Duration.ofMillis(30));
        CompletableFuture<Outcome<String>> first = engine.start(brief, held);
        engine.clock.advance(Duration.ofMillis(30));

        await().until(() -> engine.execute(brief, work) instanceof Outcome.Succeeded);

        assertThat(runs).hasValue(1);
        held.finish("late");
        assertThat(TestEngine.get(first)).isInstanceOf(Outcome.Unsettled.class);
    }

    @Test
    void manyCallersThatWaitForAnotherProcessShareOneRead() {
        Claim elsewhere;
        try (TestEngine another = engine.another()) {
            elsewhere = another.claimedElsewhere(CHARGE);
        }
        List<CompletableFuture<Outcome<String>>> waiters = follow(100);
        await().until(() -> engine.store.reads() >= 2);
        int reads = engine.store.reads();

        TestEngine.get(engine.semel.settle(elsewhere, Status.FAILED, null, null));

        waiters.forEach(waiter -> assertThat(TestEngine.get(waiter)).isEqualTo(new Outcome.Failed<>(null, null, true)));
        assertThat(reads).isLessThan(10);
    }

    @Test
    void waitersAreBounded() {
        try (TestEngine narrow = new TestEngine(builder -> builder.maxClaims(2))) {
            HeldWork held = new HeldWork();
            narrow.start(WAITING, held);
            List<CompletableFuture<Outcome<String>>> waiting = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                waiting.add(narrow.semel
                        .executeAsync(WAITING, KEY, run -> new CompletableFuture<String>())
                        .toCompletableFuture());
            }

            assertThat(narrow.execute(WAITING, work)).isInstanceOf(Outcome.InProgress.class);

            held.finish("receipt");
            waiting.forEach(
                    waiter -> assertThat(TestEngine.get(waiter)).isEqualTo(new Outcome.Succeeded<>("receipt", true)));
        }
    }

    /** These calls follow for certain: an asynchronous call has found the claim in flight when it returns. */
    private List<CompletableFuture<Outcome<String>>> follow(int count) {
        List<CompletableFuture<Outcome<String>>> followers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            followers.add(engine.semel
                    .executeAsync(WAITING, KEY, run -> CompletableFuture.completedFuture(work.run(run)))
                    .toCompletableFuture());
        }
        return followers;
    }
}
