// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import static dev.semel.Engine.CHARGE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.claim.Command;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.Status;
import dev.semel.claim.StoreException;
import dev.semel.claim.Terms;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Row 37: load is shed before memory grows. */
@EngineTest
class BusyTest {
    private static final int MOST = 5;

    @AutoClose
    private final Engine engine = new Engine(builder -> builder.mostClaims(MOST).storeTimeout(Duration.ofSeconds(20)));

    private final CountDownLatch released = new CountDownLatch(1);

    @Test
    void row37_moreClaimsThanMayWaitAreRefusedAtOnce() {
        List<CompletableFuture<ClaimOutcome>> waiting = fill();

        ClaimOutcome refused = Engine.get(claim("one more"));

        assertThat(refused).isInstanceOfSatisfying(ClaimOutcome.Unavailable.class, busy -> {
            assertThat(busy.reason()).isEqualTo("Busy: 5 claims are waiting for the store already");
            assertThat(busy.cause())
                    .isInstanceOfSatisfying(
                            StoreException.class,
                            cause -> assertThat(cause.kind()).isEqualTo(StoreException.Kind.BUSY));
        });
        released.countDown();
        waiting.forEach(claim -> assertThat(Engine.get(claim)).isInstanceOf(ClaimOutcome.Granted.class));
        assertThat(engine.store.commands()).hasSize(MOST);
    }

    @Test
    void onceTheyAreServedThereIsRoomAgain() {
        List<CompletableFuture<ClaimOutcome>> waiting = fill();
        released.countDown();
        waiting.forEach(Engine::get);

        assertThat(Engine.get(claim("one more"))).isInstanceOf(ClaimOutcome.Granted.class);
    }

    @ParameterizedTest
    @EnumSource
    void claimsThatFailedGiveTheirPlaceBackOnce(StoreException.Kind kind) {
        try (Engine failing = new Engine(builder -> builder.mostClaims(MOST).storeTimeout(Duration.ofMillis(20)))) {
            failing.store.beforeCommand(command -> {
                throw new StoreException(kind, "The store has failed");
            });
            for (int i = 0; i < 4 * MOST; i++) {
                assertThat(Engine.get(claim(failing, "order-" + i))).isInstanceOf(ClaimOutcome.Unavailable.class);
            }
            // What may have taken effect is given back while its lease lasts, and keeps its place until then.
            failing.store.beforeCommand(command -> {});
            await().until(() -> Engine.get(claim(failing, "again")) instanceof ClaimOutcome.Granted
                    || Engine.get(claim(failing, "again")) instanceof ClaimOutcome.InProgress);
            await().until(() -> failing.memory.counts("acme").getOrDefault(Status.IN_PROGRESS, 0L) == 1);

            failing.store.beforeCommand(command -> Engine.meet(released));
            List<CompletableFuture<ClaimOutcome>> waiting = new ArrayList<>();
            for (int i = 0; i < 3 * MOST; i++) {
                waiting.add(aliased(failing, "more-" + i));
            }

            assertThat(waiting.stream().map(Engine::get).filter(BusyTest::isBusy))
                    .as("refused beyond the bound")
                    .hasSizeGreaterThanOrEqualTo(2 * MOST);
            released.countDown();
        }
    }

    private static boolean isBusy(ClaimOutcome outcome) {
        return outcome instanceof ClaimOutcome.Unavailable unavailable
                && unavailable.reason().startsWith("Busy");
    }

    @Test
    void settlementsAndRenewalsAreNeverRefused() {
        Claim mine = ((ClaimOutcome.Granted) Engine.get(claim("mine"))).claim();
        Claim other = ((ClaimOutcome.Granted) Engine.get(claim("other"))).claim();
        fill();

        CompletableFuture<Ownership> settled =
                engine.semel.settle(mine, Status.SUCCEEDED, null, null).toCompletableFuture();
        CompletableFuture<Ownership> renewed = engine.semel
                .renew(other.ref(), other.token(), Duration.ofMinutes(1))
                .toCompletableFuture();
        released.countDown();

        assertThat(Engine.get(settled)).isInstanceOf(Ownership.Confirmed.class);
        assertThat(Engine.get(renewed)).isInstanceOf(Ownership.Confirmed.class);
    }

    /** The store is silent, thousands of claims time out, and then it is back: it must not be sent what nobody wants. */
    @Test
    void whatTimedOutBeforeItLeftIsNeverSent() {
        try (Engine silent = new Engine(builder -> builder.storeTimeout(Duration.ofMillis(100)))) {
            silent.store.beforeCommand(command -> Engine.meet(released));
            List<CompletableFuture<ClaimOutcome>> claims = new ArrayList<>();
            for (int i = 0; i < 3_000; i++) {
                claims.add(claim(silent, "order-" + i));
            }
            claims.forEach(claim -> assertThat(Engine.get(claim)).isInstanceOf(ClaimOutcome.Unavailable.class));

            await().until(BusyTest::isStoreSilent);
            int left = silent.store.commands().size();
            released.countDown();

            assertThat(Engine.get(claim(silent, "after"))).isInstanceOf(ClaimOutcome.Granted.class);
            await().until(() -> silent.memory.counts("acme").getOrDefault(Status.RETRYABLE, 0L) == left);
            assertThat(silent.store.commands(Command.Insert.class)).hasSize(left + 1);
            assertThat(left).isLessThan(3_000 / 2);
        }
    }

    /** Whatever has left is in the store: each of the store's threads waits there, or for the next batch. */
    private static boolean isStoreSilent() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("semel-store"))
                .map(Thread::getState)
                .allMatch(state -> state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING);
    }

    @Test
    void aClaimThatLeftKeepsItsPlaceThoughItsCallerIsGone() {
        try (Engine silent = new Engine(builder -> builder.mostClaims(MOST).storeTimeout(Duration.ofMillis(100)))) {
            silent.store.beforeCommand(command -> Engine.meet(released));
            for (int i = 0; i < MOST; i++) {
                assertThat(Engine.get(aliased(silent, "order-" + i))).isInstanceOf(ClaimOutcome.Unavailable.class);
            }
            assertThat(silent.store.commands()).hasSize(MOST);

            assertThat(Engine.get(claim(silent, "one more")))
                    .isInstanceOfSatisfying(
                            ClaimOutcome.Unavailable.class,
                            busy -> assertThat(busy.reason()).startsWith("Busy"));

            released.countDown();
            await().until(() -> Engine.get(claim(silent, "one more")) instanceof ClaimOutcome.Granted);
        }
    }

    @Test
    void aClaimThatNeverLeftGivesItsPlaceBackWithItsTimeOut() {
        try (Engine silent =
                new Engine(builder -> builder.mostClaims(MOST).storeThreads(1).storeTimeout(Duration.ofMillis(100)))) {
            silent.store.beforeCommand(command -> Engine.meet(released));
            for (int i = 0; i < 4 * MOST; i++) {
                assertThat(Engine.get(aliased(silent, "order-" + i)))
                        .isInstanceOfSatisfying(
                                ClaimOutcome.Unavailable.class,
                                late -> assertThat(late.reason()).isEqualTo("The store did not answer in time"));
            }

            released.countDown();

            assertThat(Engine.get(claim(silent, "after"))).isInstanceOf(ClaimOutcome.Granted.class);
            assertThat(silent.store.commands(Command.Insert.class)).hasSize(2);
        }
    }

    /** Each waits for an owner elsewhere, and each for another one. */
    @Test
    void thoseWhoWaitForDifferentOwnersAreBoundedToo() {
        List<Claim> elsewhere = new ArrayList<>();
        try (Engine another = engine.another()) {
            for (int i = 0; i <= MOST; i++) {
                elsewhere.add(((ClaimOutcome.Granted) Engine.get(claim(another, "order-" + i))).claim());
            }
        }
        List<CompletableFuture<ClaimOutcome>> waiting = new ArrayList<>();
        for (int i = 0; i < MOST; i++) {
            waiting.add(patient("order-" + i));
        }
        await().until(() -> engine.store.commands(Command.Insert.class).size() == MOST);

        await().until(() -> patient("order-" + MOST).isDone() || engine.store.reads() > 100);

        assertThat(Engine.get(patient("order-" + MOST))).isInstanceOf(ClaimOutcome.InProgress.class);
        elsewhere.forEach(claim -> Engine.get(engine.semel.settle(claim, Status.SUCCEEDED, null, null)));
        waiting.forEach(claim -> assertThat(Engine.get(claim)).isInstanceOf(ClaimOutcome.Succeeded.class));
        assertThat(Engine.get(patient("order-" + MOST))).isInstanceOf(ClaimOutcome.Succeeded.class);
    }

    private CompletableFuture<ClaimOutcome> patient(String key) {
        return engine.semel
                .claim(CHARGE.key("acme", key), Fingerprint.NONE, Terms.DEFAULT, Duration.ofMinutes(1))
                .toCompletableFuture();
    }

    /** Not in a lane: each leaves by itself. */
    private static CompletableFuture<ClaimOutcome> aliased(Engine engine, String key) {
        return engine.semel
                .claim(
                        CHARGE.key("acme", key).alsoKnownAs(key + " again"),
                        Fingerprint.NONE,
                        Terms.DEFAULT,
                        Duration.ZERO)
                .toCompletableFuture();
    }

    /** So many claims that no further one may wait. */
    private List<CompletableFuture<ClaimOutcome>> fill() {
        engine.store.beforeCommand(command -> Engine.meet(released));
        List<CompletableFuture<ClaimOutcome>> waiting = new ArrayList<>();
        for (int i = 0; i < MOST; i++) {
            waiting.add(claim("order-" + i));
        }
        await().until(() -> !engine.store.commands(Command.Insert.class).isEmpty());
        return waiting;
    }

    private CompletableFuture<ClaimOutcome> claim(String key) {
        return claim(engine, key);
    }

    private static CompletableFuture<ClaimOutcome> claim(Engine engine, String key) {
        return engine.semel
                .claim(CHARGE.key("acme", key), Fingerprint.NONE, Terms.DEFAULT, Duration.ZERO)
                .toCompletableFuture();
    }
}
