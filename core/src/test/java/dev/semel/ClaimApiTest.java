// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import static dev.semel.TestEngine.CHARGE;
import static dev.semel.TestEngine.KEY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.semel.claim.ClaimKey;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.OwnerToken;
import dev.semel.claim.Status;
import dev.semel.claim.StoredResult;
import dev.semel.claim.Terms;
import dev.semel.key.ClaimMode;
import dev.semel.key.KeyDigests;
import dev.semel.key.Secret;
import dev.semel.spi.Snapshot;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

@EngineTest
class ClaimApiTest {
    private static final Duration LEASE = Terms.DEFAULT.lease();
    private static final StoredResult RESULT = new StoredResult("a/b", new byte[] {1});

    @AutoClose
    private final TestEngine engine = new TestEngine();

    @Test
    void aGrantedClaimIsWhatTheStoreHolds() {
        Claim claim = engine.claimedElsewhere(CHARGE);

        Snapshot stored = engine.stored();
        assertThat(claim)
                .isEqualTo(new Claim(
                        engine.ref(),
                        "card.charge",
                        stored.token(),
                        stored.record(),
                        1,
                        stored.fence(),
                        Claim.Origin.FIRST,
                        Terms.DEFAULT,
                        claim.leaseEnd()));
        assertThat(claim.leaseLeft()).isBetween(LEASE.minusMinutes(1), LEASE);
        assertThat(claim.toString())
                .doesNotContain(claim.token().hex(), claim.record().hex());
    }

    @Test
    void aClaimIsFoundWhereTheDigestSays() {
        KeyDigests digests = new KeyDigests(Secret.of("0123456789abcdef0123456789abcdef"));

        assertThat(engine.semel.refOf(KEY)).isEqualTo(digests.refOf(ClaimMode.LEASED, KEY));
        assertThat(engine.semel.refOf(new ClaimKey("acme", "x", "y"))).isNotEqualTo(engine.ref());
    }

    @Test
    void everyOriginIsReported() {
        Claim first = engine.claimedElsewhere(CHARGE);
        settle(first, Status.RETRYABLE, null);
        Claim retry = engine.claimedElsewhere(CHARGE);
        engine.age(LEASE);
        Claim lapsed = engine.claimedElsewhere(CHARGE.reconcileWhenStale(context -> ProbeAnswer.notDone()));
        engine.age(LEASE);
        Claim reconcile = engine.claimedElsewhere(CHARGE);
        settle(reconcile, Status.SUCCEEDED, RESULT);
        engine.age(Duration.ofHours(24));
        Claim again = engine.claimedElsewhere(CHARGE);

        assertThat(first.origin()).isEqualTo(Claim.Origin.FIRST);
        assertThat(retry.origin()).isEqualTo(Claim.Origin.RETRY);
        assertThat(lapsed.origin()).isEqualTo(Claim.Origin.LAPSED);
        assertThat(reconcile.origin()).isEqualTo(Claim.Origin.RECONCILE);
        assertThat(again.origin()).isEqualTo(Claim.Origin.FIRST);
        assertThat(reconcile.attempt()).isEqualTo(4);
        assertThat(again.attempt()).isEqualTo(1);
        assertThat(again.record()).isNotEqualTo(first.record());
        assertThat(reconcile.record()).isEqualTo(first.record());
    }

    @Test
    void aClaimThatExistsAnswers() {
        Claim claim = engine.claimedElsewhere(Fingerprint.of("10 EUR"), Terms.DEFAULT);

        assertThat(engine.claim(Fingerprint.NONE, Terms.DEFAULT)).isEqualTo(new ClaimOutcome.InProgress(LEASE));
        assertThat(engine.claim(Fingerprint.of("20 EUR"), Terms.DEFAULT))
                .isEqualTo(new ClaimOutcome.Mismatch(Fingerprint.of("10 EUR")));
        settle(claim, Status.UNKNOWN, null);
        assertThat(engine.claim(Fingerprint.NONE, Terms.DEFAULT)).isEqualTo(new ClaimOutcome.Unknown("parked"));
        settle(claim, Status.SUCCEEDED, RESULT);
        assertThat(engine.claim(Fingerprint.NONE, Terms.DEFAULT)).isEqualTo(new ClaimOutcome.Succeeded(RESULT));
    }

    @Test
    void aClaimMayWaitForTheAnswer() {
        Claim claim = engine.claimedElsewhere(CHARGE);
        CompletableFuture<ClaimOutcome> waiter = engine.semel
                .claim(KEY, Fingerprint.NONE, Terms.DEFAULT, Duration.ofSeconds(20))
                .toCompletableFuture();

        settle(claim, Status.FAILED, RESULT);

        assertThat(TestEngine.get(waiter)).isEqualTo(new ClaimOutcome.Failed(RESULT));
    }

    @Test
    void aSettlementNeedsNoMoreThanReferenceAndToken() {
        Claim claim = engine.claimedElsewhere(CHARGE);

        assertThat(TestEngine.get(engine.semel.settle(claim.ref(), claim.token(), Status.FAILED, RESULT, "declined")))
                .isEqualTo(new Ownership.Confirmed(Duration.ZERO));

        assertThat(engine.stored().status()).isEqualTo(Status.FAILED);
        assertThat(engine.stored().result()).isEqualTo(RESULT);
        assertThat(engine.stored().reason()).isEqualTo("declined");
    }

    @Test
    void theSameSettlementMayBeSentAgain() {
        Claim claim = engine.claimedElsewhere(CHARGE);

        assertThat(settle(claim, Status.SUCCEEDED, RESULT)).isEqualTo(new Ownership.Confirmed(Duration.ZERO));
        assertThat(settle(claim, Status.SUCCEEDED, RESULT)).isEqualTo(new Ownership.Confirmed(Duration.ZERO));
    }

    @Test
    void anotherSettlementIsRefusedAndChangesNothing() {
        Claim claim = engine.claimedElsewhere(CHARGE);
        settle(claim, Status.SUCCEEDED, RESULT);

        assertThat(settle(claim, Status.FAILED, null)).isEqualTo(new Ownership.Lost("the claim is SUCCEEDED"));
        assertThat(engine.stored().status()).isEqualTo(Status.SUCCEEDED);
    }

    @Test
    void aParkedClaimMayBeSettledByItsOwner() {
        Claim claim = engine.claimedElsewhere(CHARGE);
        settle(claim, Status.UNKNOWN, null);

        assertThat(settle(claim, Status.SUCCEEDED, RESULT)).isInstanceOf(Ownership.Confirmed.class);
        assertThat(engine.stored().status()).isEqualTo(Status.SUCCEEDED);
    }

    @Test
    void aSettlementOfAClaimThatWasTakenOverIsRefused() {
        Claim claim = engine.claimedElsewhere(CHARGE);
        engine.takeOverElsewhere();

        assertThat(settle(claim, Status.SUCCEEDED, RESULT))
                .isEqualTo(new Ownership.Lost("another attempt (2) owns the claim"));
        assertThat(TestEngine.get(engine.semel.settle(claim.ref(), claim.token(), Status.FAILED, null, null)))
                .isInstanceOf(Ownership.Lost.class);
        assertThat(engine.stored().status()).isEqualTo(Status.IN_PROGRESS);
    }

    @Test
    void aSettlementOfNoClaimIsRefused() {
        assertThat(TestEngine.get(engine.semel.settle(engine.ref(), OwnerToken.random(), Status.FAILED, null, null)))
                .isEqualTo(new Ownership.Lost("the claim is gone"));
    }

    @Test
    void aClaimCannotBeSettledAsInProgress() {
        Claim claim = engine.claimedElsewhere(CHARGE);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> engine.semel.settle(claim, Status.IN_PROGRESS, null, null));
    }

    @Test
    void aRenewalCountsFromNow() {
        Claim claim = engine.claimedElsewhere(CHARGE);
        engine.clock.advance(Duration.ofMinutes(4));

        assertThat(renew(claim, Duration.ofMinutes(2))).isEqualTo(new Ownership.Confirmed(Duration.ofMinutes(2)));
        assertThat(engine.stored().leaseLeft()).isEqualTo(Duration.ofMinutes(2));
    }

    @Test
    void aRenewalNeverGoesPastTheMaximumRunTime() {
        Claim claim = engine.claimedElsewhere(CHARGE);
        engine.clock.advance(Duration.ofMinutes(58));

        assertThat(renew(claim, LEASE)).isEqualTo(new Ownership.Confirmed(Duration.ofMinutes(2)));
    }

    @Test
    void aRenewalByAnotherTokenIsRefused() {
        Claim claim = engine.claimedElsewhere(CHARGE);
        engine.takeOverElsewhere();

        assertThat(renew(claim, LEASE)).isEqualTo(new Ownership.Lost("another attempt (2) owns the claim"));
    }

    @Test
    void aRenewalOfASettledClaimIsRefused() {
        Claim claim = engine.claimedElsewhere(CHARGE);
        settle(claim, Status.RETRYABLE, null);

        assertThat(renew(claim, LEASE)).isEqualTo(new Ownership.Lost("the claim is RETRYABLE"));
    }

    @Test
    void answersComeOnTheCallbackExecutor() throws InterruptedException {
        QueuedExecutor executor = new QueuedExecutor();
        try (TestEngine queued = new TestEngine(builder -> builder.callbackExecutor(executor))) {
            CompletableFuture<ClaimOutcome> claim = queued.semel
                    .claim(KEY, Fingerprint.NONE, Terms.DEFAULT, Duration.ZERO)
                    .toCompletableFuture();
            CompletableFuture<Thread> answeredOn = claim.thenApply(granted -> Thread.currentThread());

            executor.runUntilDone(claim);

            assertThat(answeredOn.join()).isSameAs(Thread.currentThread());
        }
    }

    private Ownership settle(Claim claim, Status status, @Nullable StoredResult result) {
        return TestEngine.get(engine.semel.settle(claim, status, result, null));
    }

    private Ownership renew(Claim claim, Duration lease) {
        return TestEngine.get(engine.semel.renew(claim.ref(), claim.token(), lease));
    }
}
