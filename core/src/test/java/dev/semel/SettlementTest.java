// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import static dev.semel.TestEngine.CHARGE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.ClaimEvent.Kind;
import dev.semel.claim.Status;
import dev.semel.claim.StoreException;
import dev.semel.claim.StoredResult;
import dev.semel.spi.Command.Settle;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

@EngineTest
class SettlementTest {
    private final StoreException rejected = new StoreException(StoreException.Kind.REJECTED, "row too large");

    @AutoClose
    private final TestEngine engine = new TestEngine(builder -> builder.storeTimeout(Duration.ofMillis(300)));

    @Test
    void aResultThatTheStoreRejectsBecomesATombstone() {
        engine.store.beforeCommand(command -> {
            if (command instanceof Settle settle && !isTombstone(settle.result())) {
                throw rejected;
            }
        });

        assertThat(engine.execute(CHARGE, run -> "receipt")).isEqualTo(new Outcome.Succeeded<>("receipt", false));
        assertThat(engine.execute(CHARGE, run -> "again"))
                .isEqualTo(new Outcome.Tombstone<>("the store rejected the result"));
        assertThat(engine.journal.kinds()).containsExactly(Kind.GRANTED, Kind.SUCCEEDED, Kind.REPLAYED);
    }

    /** Row 45, after the caller has left: the work was done, so it must not run again. */
    @Test
    void row45_aResultThatIsRejectedTooLateStillBecomesATombstone() {
        CountDownLatch answer = new CountDownLatch(1);
        engine.store.beforeCommand(command -> {
            if (command instanceof Settle settle && !isTombstone(settle.result())) {
                TestEngine.meet(answer);
                throw rejected;
            }
        });
        assertThat(engine.executeAsync(CHARGE, run -> "receipt")).isInstanceOf(Outcome.Unsettled.class);

        answer.countDown();

        await().until(() -> engine.stored().status() == Status.SUCCEEDED);
        assertThat(engine.execute(CHARGE, run -> "again"))
                .isEqualTo(new Outcome.Tombstone<>("the store rejected the result"));
    }

    @Test
    void aSettlementThatIsRejectedWithoutAResultIsNotSentAgain() {
        engine.store.beforeCommand(command -> {
            if (command instanceof Settle) {
                throw rejected;
            }
        });
        Exception failure = new IllegalStateException("declined");

        assertThat(engine.execute(CHARGE, run -> {
                    throw failure;
                }))
                .isEqualTo(new Outcome.Unsettled<>(null, failure, false, "row too large"));
        assertThat(engine.store.commands(Settle.class)).hasSize(1);
        assertThat(engine.journal.events())
                .endsWith(new ClaimEvent(Kind.SETTLEMENT_FAILED, engine.ref(), "card.charge", 1, rejected));
    }

    @Test
    void aSettlementIsTriedAgainAfterAnErrorOfTheStore() {
        engine.store.beforeCommand(command -> {
            if (command instanceof Settle && engine.store.commands(Settle.class).size() == 1) {
                throw new InternalError("no memory");
            }
            if (command instanceof Settle && engine.store.commands(Settle.class).size() == 2) {
                throw new IllegalStateException("bug");
            }
        });

        assertThat(engine.executeAsync(CHARGE, run -> "receipt")).isEqualTo(new Outcome.Succeeded<>("receipt", false));
        assertThat(engine.stored().status()).isEqualTo(Status.SUCCEEDED);
    }

    @Test
    void aSettlementIsStillTriedAfterItsCallerGotAnAnswer() {
        AtomicBoolean locked = new AtomicBoolean(true);
        engine.store.beforeCommand(command -> {
            if (command instanceof Settle && locked.get()) {
                throw new StoreException(StoreException.Kind.BUSY, "locked");
            }
        });

        assertThat(engine.execute(CHARGE, run -> "receipt"))
                .isEqualTo(new Outcome.Unsettled<>("receipt", null, false, "The store did not answer in time"));
        locked.set(false);

        await().until(() -> engine.stored().status() == Status.SUCCEEDED);
        assertThat(engine.execute(CHARGE, run -> "again")).isEqualTo(new Outcome.Succeeded<>("receipt", true));
    }

    @Test
    void aSettlementByReferenceIsRetriedWithinTheStoreTimeout() {
        Claim claim = engine.claimedElsewhere(CHARGE);
        engine.store.beforeCommand(command -> {
            if (engine.store.commands(Settle.class).size() == 1) {
                throw new StoreException(StoreException.Kind.BUSY, "locked");
            }
        });

        assertThat(TestEngine.get(engine.semel.settle(claim.ref(), claim.token(), Status.RETRYABLE, null, null)))
                .isEqualTo(new Ownership.Confirmed(Duration.ZERO));
        assertThat(engine.store.commands(Settle.class)).hasSize(2);
    }

    private static boolean isTombstone(@Nullable StoredResult result) {
        return result != null && result.isTombstone();
    }
}
