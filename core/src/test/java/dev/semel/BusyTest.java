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
        return engine.semel
                .claim(CHARGE.key("acme", key), Fingerprint.NONE, Terms.DEFAULT, Duration.ZERO)
                .toCompletableFuture();
    }
}
