// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import static dev.semel.TestEngine.CHARGE;
import static dev.semel.TestEngine.KEY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.claim.AliasedKey;
import dev.semel.claim.ClaimKey;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.StalePolicy;
import dev.semel.claim.Status;
import dev.semel.claim.StoreException;
import dev.semel.claim.StoredResult;
import dev.semel.claim.Terms;
import dev.semel.spi.Command;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Waiting for another owner's claim by reading only. */
@EngineTest
class AwaitTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final StoredResult DONE = new StoredResult("text/plain", "done".getBytes(StandardCharsets.UTF_8));

    @AutoClose
    private final TestEngine engine = new TestEngine();

    @Test
    void anUnclaimedKeyIsFree() {
        assertThat(awaited(LONG)).isEqualTo(new Awaited.Free());
        assertThat(engine.store.commands()).isEmpty();
    }

    @Test
    void aSettledClaimAnswersAtOnce() {
        settle(engine.claimedElsewhere(CHARGE), Status.SUCCEEDED);

        assertThat(awaited(Duration.ZERO)).isEqualTo(new Awaited.Answered(new ClaimOutcome.Succeeded(DONE)));
    }

    @Test
    void aWaiterReceivesTheResultAndWritesNothing() {
        Claim claim = engine.claimedElsewhere(CHARGE);
        CompletableFuture<Awaited> waiter = waiting();

        settle(claim, Status.SUCCEEDED);

        assertThat(TestEngine.get(waiter)).isEqualTo(new Awaited.Answered(new ClaimOutcome.Succeeded(DONE)));
        assertThat(engine.store.commands()).hasSize(2);
    }

    @Test
    void aRetryableFailureIsReturnedAndTheAttemptStays() {
        Claim claim = engine.claimedElsewhere(CHARGE);
        List<CompletableFuture<Awaited>> waiters =
                IntStream.range(0, 5).mapToObj(i -> waiting()).toList();

        settle(claim, Status.RETRYABLE);

        assertThat(waiters)
                .allSatisfy(waiter -> assertThat(TestEngine.get(waiter)).isEqualTo(new Awaited.FailedRetryably()));
        assertThat(engine.stored().status()).isEqualTo(Status.RETRYABLE);
        assertThat(engine.stored().attempt()).isEqualTo(1);
        assertThat(engine.store.commands(Command.TakeOver.class)).isEmpty();
    }

    @Test
    void aKeyIsFreeAfterItsOwnerDisappeared() {
        engine.claimedElsewhere(CHARGE);
        CompletableFuture<Awaited> waiter = waiting();

        engine.age(Duration.ofMinutes(5));

        assertThat(TestEngine.get(waiter)).isEqualTo(new Awaited.Free());
    }

    @Test
    void anOwnerThatDisappearedUnderParkIsUnknown() {
        engine.claimedElsewhere(Fingerprint.NONE, Terms.DEFAULT.withOnStale(StalePolicy.PARK));
        CompletableFuture<Awaited> waiter = waiting();

        engine.age(Duration.ofMinutes(5));

        assertThat(TestEngine.get(waiter))
                .isInstanceOfSatisfying(
                        Awaited.Answered.class,
                        answered -> assertThat(answered.outcome()).isInstanceOf(ClaimOutcome.Unknown.class));
    }

    @Test
    void aWaiterReceivesRunningOnceItsTimeIsOver() {
        engine.claimedElsewhere(CHARGE);

        assertThat(awaited(Duration.ofMillis(100)))
                .isInstanceOfSatisfying(
                        Awaited.Running.class,
                        running -> assertThat(running.leaseLeft()).isPositive());
    }

    @Test
    void anotherFingerprintIsAMismatchAtOnce() {
        engine.claimedElsewhere(Fingerprint.of("one"), CHARGE.terms());

        assertThat(TestEngine.get(engine.semel.await(AliasedKey.of(KEY), Fingerprint.of("other"), LONG)))
                .isEqualTo(new Awaited.Answered(new ClaimOutcome.Mismatch(Fingerprint.of("one"))));
    }

    @Test
    void manyWaitersShareOneRead() {
        Claim claim = engine.claimedElsewhere(CHARGE);
        List<CompletableFuture<Awaited>> waiters =
                IntStream.range(0, 200).mapToObj(i -> waiting()).toList();
        await().until(() -> engine.store.reads() > 0);
        int before = engine.store.reads();
        await().until(() -> engine.store.reads() >= before + 3);
        assertThat(engine.store.reads()).as("reads while 200 wait").isLessThan(before + 50);

        settle(claim, Status.SUCCEEDED);

        assertThat(waiters)
                .allSatisfy(waiter -> assertThat(TestEngine.get(waiter)).isInstanceOf(Awaited.Answered.class));
    }

    @Test
    void theRecordAnswersForItsAlias() {
        ClaimKey alias = CHARGE.key("acme", "transaction-3");
        Claim claim = ((ClaimOutcome.Granted) TestEngine.get(engine.semel.claim(
                        KEY.alsoKnownAs("transaction-3"), Fingerprint.NONE, Terms.DEFAULT, Duration.ZERO)))
                .claim();
        CompletableFuture<Awaited> waiter =
                engine.semel.await(AliasedKey.of(alias), Fingerprint.NONE, LONG).toCompletableFuture();

        settle(claim, Status.SUCCEEDED);

        assertThat(TestEngine.get(waiter)).isEqualTo(new Awaited.Answered(new ClaimOutcome.Succeeded(DONE)));
    }

    @Test
    void aSilentStoreIsUnavailable() {
        try (TestEngine hasty = new TestEngine(builder -> builder.storeTimeout(Duration.ofMillis(200)))) {
            hasty.store.beforeRead(() -> {
                throw new StoreException(StoreException.Kind.UNREACHABLE, "no route");
            });

            assertThat(TestEngine.get(hasty.semel.await(AliasedKey.of(KEY), Fingerprint.NONE, LONG)))
                    .isInstanceOf(Awaited.Unavailable.class);
        }
    }

    @Test
    void closingAnswersWaiters() {
        engine.claimedElsewhere(CHARGE);
        CompletableFuture<Awaited> waiter = waiting();

        engine.close();

        assertThat(TestEngine.get(waiter)).isInstanceOf(Awaited.Running.class);
    }

    private Awaited awaited(Duration maxWait) {
        return TestEngine.get(engine.semel.await(AliasedKey.of(KEY), Fingerprint.NONE, maxWait));
    }

    private CompletableFuture<Awaited> waiting() {
        return engine.semel.await(AliasedKey.of(KEY), Fingerprint.NONE, LONG).toCompletableFuture();
    }

    private void settle(Claim claim, Status status) {
        TestEngine.get(engine.semel.settle(claim, status, status == Status.SUCCEEDED ? DONE : null, null));
    }
}
