// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import static dev.semel.TestEngine.CHARGE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.claim.Fingerprint;
import dev.semel.claim.Status;
import dev.semel.claim.StoreException;
import dev.semel.claim.Terms;
import dev.semel.spi.Command;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Row 37: load is shed before memory grows. */
@EngineTest
class BusyTest {
    private static final int MAX = 5;

    @AutoClose
    private final TestEngine engine =
            new TestEngine(builder -> builder.maxClaims(MAX).storeTimeout(Duration.ofSeconds(20)));

    private final CountDownLatch released = new CountDownLatch(1);

    @Test
    void row37_moreClaimsThanMayWaitAreRefusedAtOnce() {
        List<CompletableFuture<ClaimOutcome>> waiting = fill();

        ClaimOutcome refused = TestEngine.get(claim("one more"));

        assertThat(refused).isInstanceOfSatisfying(ClaimOutcome.Unavailable.class, busy -> {
            assertThat(busy.reason()).isEqualTo("Busy: 5 claims are waiting for the store already");
            assertThat(busy.cause())
                    .isInstanceOfSatisfying(
                            StoreException.class,
                            cause -> assertThat(cause.kind()).isEqualTo(StoreException.Kind.BUSY));
        });
        released.countDown();
        waiting.forEach(claim -> assertThat(TestEngine.get(claim)).isInstanceOf(ClaimOutcome.Granted.class));
        assertThat(engine.store.commands()).hasSize(MAX);
    }

    @Test
    void furtherClaimsAreAcceptedOnceTheFirstAreAnswered() {
        List<CompletableFuture<ClaimOutcome>> waiting = fill();
        released.countDown();
        waiting.forEach(TestEngine::get);

        assertThat(TestEngine.get(claim("one more"))).isInstanceOf(ClaimOutcome.Granted.class);
    }

    @ParameterizedTest
    @EnumSource
    void claimsThatFailedGiveTheirPlaceBackOnce(StoreException.Kind kind) {
        try (TestEngine failing =
                new TestEngine(builder -> builder.maxClaims(MAX).storeTimeout(Duration.ofMillis(20)))) {
            failing.store.beforeCommand(command -> {
                throw new StoreException(kind, "The store has failed");
            });
            for (int i = 0; i < 4 * MAX; i++) {
                assertThat(TestEngine.get(claim(failing, "order-" + i))).isInstanceOf(ClaimOutcome.Unavailable.class);
            }
            // A claim that may have been made is given back while its lease lasts, and keeps its place until then.
            failing.store.beforeCommand(command -> {});
            await().until(() -> TestEngine.get(claim(failing, "again")) instanceof ClaimOutcome.Granted
                    || TestEngine.get(claim(failing, "again")) instanceof ClaimOutcome.InProgress);
            await().until(() -> failing.memory.counts("acme").getOrDefault(Status.IN_PROGRESS, 0L) == 1);

            failing.store.beforeCommand(command -> TestEngine.meet(released));
            List<CompletableFuture<ClaimOutcome>> waiting = new ArrayList<>();
            for (int i = 0; i < 3 * MAX; i++) {
                waiting.add(aliased(failing, "more-" + i));
            }

            assertThat(waiting.stream().map(TestEngine::get).filter(BusyTest::isBusy))
                    .as("refused beyond the bound")
                    .hasSizeGreaterThanOrEqualTo(2 * MAX);
            released.countDown();
        }
    }

    private static boolean isBusy(ClaimOutcome outcome) {
        return outcome instanceof ClaimOutcome.Unavailable unavailable
                && unavailable.reason().startsWith("Busy");
    }

    @Test
    void settlementsAndRenewalsAreNeverRefused() {
        Claim mine = ((ClaimOutcome.Granted) TestEngine.get(claim("mine"))).claim();
        Claim other = ((ClaimOutcome.Granted) TestEngine.get(claim("other"))).claim();
        fill();

        CompletableFuture<Ownership> settled =
                engine.semel.settle(mine, Status.SUCCEEDED, null, null).toCompletableFuture();
        CompletableFuture<Ownership> renewed = engine.semel
                .renew(other.ref(), other.token(), Duration.ofMinutes(1))
                .toCompletableFuture();
        released.countDown();

        assertThat(TestEngine.get(settled)).isInstanceOf(Ownership.Confirmed.class);
        assertThat(TestEngine.get(renewed)).isInstanceOf(Ownership.Confirmed.class);
    }

    /** The store is silent, thousands of claims time out, then the store answers again: it must not receive their commands. */
    @Test
    void aCommandThatTimedOutBeforeItWasSentIsNeverSent() {
        try (TestEngine silent = new TestEngine(builder -> builder.storeTimeout(Duration.ofMillis(100)))) {
            silent.store.beforeCommand(command -> TestEngine.meet(released));
            List<CompletableFuture<ClaimOutcome>> claims = new ArrayList<>();
            for (int i = 0; i < 3_000; i++) {
                claims.add(claim(silent, "order-" + i));
            }
            claims.forEach(claim -> assertThat(TestEngine.get(claim)).isInstanceOf(ClaimOutcome.Unavailable.class));

            await().until(BusyTest::isStoreSilent);
            int left = silent.store.commands().size();
            released.countDown();

            assertThat(TestEngine.get(claim(silent, "after"))).isInstanceOf(ClaimOutcome.Granted.class);
            await().until(() -> silent.memory.counts("acme").getOrDefault(Status.RETRYABLE, 0L) == left);
            assertThat(silent.store.commands(Command.Insert.class)).hasSize(left + 1);
            assertThat(left).isLessThan(3_000 / 2);
        }
    }

    /** Every command that was sent is in the store: each store thread waits there, or for the next batch. */
    private static boolean isStoreSilent() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("semel-store"))
                .map(Thread::getState)
                .allMatch(state -> state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING);
    }

    @Test
    void aClaimThatWasSentKeepsItsPlaceAfterItsCallerLeft() {
        try (TestEngine silent =
                new TestEngine(builder -> builder.maxClaims(MAX).storeTimeout(Duration.ofMillis(100)))) {
            silent.store.beforeCommand(command -> TestEngine.meet(released));
            for (int i = 0; i < MAX; i++) {
                assertThat(TestEngine.get(aliased(silent, "order-" + i))).isInstanceOf(ClaimOutcome.Unavailable.class);
            }
            assertThat(silent.store.commands()).hasSize(MAX);

            assertThat(TestEngine.get(claim(silent, "one more")))
                    .isInstanceOfSatisfying(
                            ClaimOutcome.Unavailable.class,
                            busy -> assertThat(busy.reason()).startsWith("Busy"));

            released.countDown();
            await().until(() -> TestEngine.get(claim(silent, "one more")) instanceof ClaimOutcome.Granted);
        }
    }

    @Test
    void aClaimThatWasNeverSentGivesItsPlaceBackAtItsTimeOut() {
        try (TestEngine silent = new TestEngine(
                builder -> builder.maxClaims(MAX).storeThreads(1).storeTimeout(Duration.ofMillis(100)))) {
            silent.store.beforeCommand(command -> TestEngine.meet(released));
            for (int i = 0; i < 4 * MAX; i++) {
                assertThat(TestEngine.get(aliased(silent, "order-" + i)))
                        .isInstanceOfSatisfying(
                                ClaimOutcome.Unavailable.class,
                                late -> assertThat(late.reason()).isEqualTo("The store did not answer in time"));
            }

            released.countDown();

            assertThat(TestEngine.get(claim(silent, "after"))).isInstanceOf(ClaimOutcome.Granted.class);
            assertThat(silent.store.commands(Command.Insert.class)).hasSize(2);
        }
    }

    /** As with a pool that refuses the first try, and in which the second one still waits when the time is over. */
    @Test
    void aTimeOutIsExplainedByTheLatestFailure() {
        AtomicInteger tries = new AtomicInteger();
        try (TestEngine half = new TestEngine(builder -> builder.storeTimeout(Duration.ofMillis(200)))) {
            half.store.beforeCommand(command -> {
                if (tries.incrementAndGet() == 1) {
                    throw new StoreException(StoreException.Kind.UNREACHABLE, "No connection could be had");
                }
                TestEngine.meet(released);
            });

            assertThat(TestEngine.get(claim(half, "order-17")))
                    .isInstanceOfSatisfying(
                            ClaimOutcome.Unavailable.class,
                            late -> assertThat(late.reason()).isEqualTo("No connection could be had"));
            assertThat(tries).hasValueGreaterThan(1);
            released.countDown();
        }
    }

    /** Each caller waits for another owner in another process. */
    @Test
    void callersThatWaitForDifferentOwnersAreLimitedToo() {
        List<Claim> elsewhere = new ArrayList<>();
        try (TestEngine another = engine.another()) {
            for (int i = 0; i <= MAX; i++) {
                elsewhere.add(((ClaimOutcome.Granted) TestEngine.get(claim(another, "order-" + i))).claim());
            }
        }
        List<CompletableFuture<ClaimOutcome>> waiting = new ArrayList<>();
        for (int i = 0; i < MAX; i++) {
            waiting.add(waiter("order-" + i));
        }
        await().until(() -> engine.store.commands(Command.Insert.class).size() == MAX);

        await().atMost(Duration.ofMinutes(1))
                .until(() -> waiter("order-" + MAX).isDone() || engine.store.reads() > 100);

        assertThat(TestEngine.get(waiter("order-" + MAX))).isInstanceOf(ClaimOutcome.InProgress.class);
        elsewhere.forEach(claim -> TestEngine.get(engine.semel.settle(claim, Status.SUCCEEDED, null, null)));
        waiting.forEach(claim -> assertThat(TestEngine.get(claim)).isInstanceOf(ClaimOutcome.Succeeded.class));
        assertThat(TestEngine.get(waiter("order-" + MAX))).isInstanceOf(ClaimOutcome.Succeeded.class);
    }

    private CompletableFuture<ClaimOutcome> waiter(String key) {
        return engine.semel
                .claim(CHARGE.key("acme", key), Fingerprint.NONE, Terms.DEFAULT, Duration.ofMinutes(1))
                .toCompletableFuture();
    }

    /** Not in a lane: each command is sent alone. */
    private static CompletableFuture<ClaimOutcome> aliased(TestEngine engine, String key) {
        return engine.semel
                .claim(
                        CHARGE.key("acme", key).alsoKnownAs(key + " again"),
                        Fingerprint.NONE,
                        Terms.DEFAULT,
                        Duration.ZERO)
                .toCompletableFuture();
    }

    /** As many claims as may be in progress. */
    private List<CompletableFuture<ClaimOutcome>> fill() {
        engine.store.beforeCommand(command -> TestEngine.meet(released));
        List<CompletableFuture<ClaimOutcome>> waiting = new ArrayList<>();
        for (int i = 0; i < MAX; i++) {
            waiting.add(claim("order-" + i));
        }
        await().until(() -> !engine.store.commands(Command.Insert.class).isEmpty());
        return waiting;
    }

    private CompletableFuture<ClaimOutcome> claim(String key) {
        return claim(engine, key);
    }

    private static CompletableFuture<ClaimOutcome> claim(TestEngine engine, String key) {
        return engine.semel
                .claim(CHARGE.key("acme", key), Fingerprint.NONE, Terms.DEFAULT, Duration.ZERO)
                .toCompletableFuture();
    }
}
