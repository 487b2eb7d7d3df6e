// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import static dev.semel.TestEngine.CHARGE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.ClaimOutcome.Granted;
import dev.semel.ClaimOutcome.InProgress;
import dev.semel.ClaimOutcome.Mismatch;
import dev.semel.ClaimOutcome.Succeeded;
import dev.semel.ClaimOutcome.Unavailable;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.Status;
import dev.semel.claim.StoreException;
import dev.semel.claim.StoredResult;
import dev.semel.claim.Terms;
import dev.semel.key.Secrets;
import dev.semel.spi.ClaimStore;
import dev.semel.spi.Command;
import dev.semel.spi.Verdict;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Many claims in one request. */
@EngineTest
class ClaimAllTest {
    private static final StoredResult RESULT = new StoredResult("a/b", new byte[] {1});

    @AutoClose
    private final TestEngine engine = new TestEngine(builder -> builder.maxClaims(2_000));

    @Test
    void aThousandClaimsAreOneCallToTheStore() {
        List<ClaimRequest> requests =
                IntStream.range(0, 1_000).mapToObj(i -> request("key " + i)).toList();

        List<ClaimOutcome> outcomes = claimAll(requests);

        assertThat(engine.store.batches()).containsExactly(1_000);
        assertThat(outcomes).hasSize(1_000).allMatch(outcome -> outcome instanceof Granted);
        for (int i = 0; i < outcomes.size(); i++) {
            assertThat(((Granted) outcomes.get(i)).claim().ref())
                    .isEqualTo(engine.semel.refOf(requests.get(i).key().key()));
        }
    }

    @Test
    void eachHasItsOwnOutcomeInOrder() {
        Claim done = granted("done");
        TestEngine.get(engine.semel.settle(done, Status.SUCCEEDED, RESULT, null));
        granted("running");
        Claim failed = granted("failed");
        TestEngine.get(engine.semel.settle(failed, Status.RETRYABLE, null, null));

        List<ClaimOutcome> outcomes = claimAll(List.of(
                request("new"), request("done"), request("running"), request("failed"), other("done"), request("new")));

        assertThat(outcomes.get(0)).isInstanceOf(Granted.class);
        assertThat(outcomes.get(1)).isEqualTo(new Succeeded(RESULT));
        assertThat(outcomes.get(2)).isInstanceOf(InProgress.class);
        assertThat(((Granted) outcomes.get(3)).claim().attempt()).isEqualTo(2);
        assertThat(outcomes.get(4)).isInstanceOf(Mismatch.class);
        assertThat(outcomes.get(5)).as("the same key again").isInstanceOf(InProgress.class);
    }

    @Test
    void anEmptyRequestHasNoOutcomes() {
        assertThat(claimAll(List.of())).isEmpty();
    }

    /** The answer was lost and the time is over: no caller may have to wait for the leases to end. */
    @Test
    void claimsThatMayHaveBeenMadeWithoutAnAnswerAreGivenBack() {
        try (TestEngine brief = new TestEngine(builder -> builder.storeTimeout(Duration.ofMillis(50)))) {
            brief.store.beforeCommand(command -> {
                if (command instanceof Command.Insert) {
                    throw new StoreException(StoreException.Kind.UNREACHABLE, "The network is down");
                }
            });

            List<ClaimOutcome> outcomes =
                    TestEngine.get(brief.semel.claimAll(List.of(request("first"), request("second"))));

            assertThat(outcomes).hasSize(2).allMatch(outcome -> outcome instanceof Unavailable);
            await().untilAsserted(() ->
                    assertThat(brief.store.commands(Command.GiveBack.class)).hasSize(2));
        }
    }

    @Test
    void moreClaimsThanTheLimitAreRefusedTogether() {
        try (TestEngine small = new TestEngine(builder -> builder.maxClaims(2))) {
            List<ClaimOutcome> outcomes =
                    TestEngine.get(small.semel.claimAll(List.of(request("a"), request("b"), request("c"))));

            assertThat(outcomes).hasSize(3).allMatch(outcome -> outcome instanceof Unavailable);
            assertThat(small.store.commands()).isEmpty();
            assertThat(TestEngine.get(small.semel.claimAll(List.of(request("a"), request("b")))))
                    .allMatch(outcome -> outcome instanceof Granted);
        }
    }

    /** Each claim is a transaction of its own in the store, and all together take longer than the store timeout. */
    @Test
    void manyWithAliasesAreClaimedInPartsWithATimeOutEach() {
        try (TestEngine slow = new TestEngine(builder -> builder.storeTimeout(Duration.ofSeconds(2)))) {
            slow.store.beforeCommand(command -> takingAtLeast(Duration.ofMillis(10)));
            List<ClaimRequest> requests =
                    IntStream.range(0, 400).mapToObj(ClaimAllTest::aliased).toList();

            List<ClaimOutcome> outcomes = TestEngine.get(slow.semel.claimAll(requests));

            assertThat(outcomes).hasSize(400).allMatch(outcome -> outcome instanceof Granted);
            for (int i = 0; i < outcomes.size(); i++) {
                assertThat(((Granted) outcomes.get(i)).claim().ref())
                        .isEqualTo(slow.semel.refOf(requests.get(i).key().key()));
            }
        }
    }

    @Test
    void whileTheStoreIsSilentPartsThatHaveNotBegunAreNotTried() {
        CountDownLatch released = new CountDownLatch(1);
        try (TestEngine silent = new TestEngine(builder -> builder.storeTimeout(Duration.ofMillis(300)))) {
            silent.store.beforeCommand(command -> TestEngine.meet(released));

            List<ClaimOutcome> outcomes = TestEngine.get(silent.semel.claimAll(
                    IntStream.range(0, 5_000).mapToObj(ClaimAllTest::aliased).toList()));

            assertThat(outcomes).hasSize(5_000).allMatch(outcome -> outcome instanceof Unavailable);
            assertThat(silent.store.batches()).hasSizeLessThanOrEqualTo(4);
            released.countDown();
            silent.store.beforeCommand(command -> {});
            await().until(() -> TestEngine.get(silent.semel.claimAll(List.of(aliased(5_000))))
                            .get(0)
                    instanceof Granted);
        }
    }

    @Test
    void aClaimThatFailedAloneIsTriedAgain() {
        AtomicBoolean busy = new AtomicBoolean(true);
        ClaimStore failing = new ObservedStore(engine.memory) {
            @Override
            public List<Verdict> apply(List<? extends Command> batch) {
                StoreException locked = new StoreException(StoreException.Kind.BUSY, "locked");
                return busy.getAndSet(false)
                        ? Collections.nCopies(batch.size(), new Verdict.Errored(locked))
                        : super.apply(batch);
            }
        };
        try (Semel semel = Semel.on(failing)
                .secrets(Secrets.of("0123456789abcdef0123456789abcdef"))
                .withoutSweep()
                .build()) {
            assertThat(TestEngine.get(semel.claimAll(List.of(request("a"), request("b")))))
                    .allMatch(outcome -> outcome instanceof Granted);
        }
    }

    private static ClaimRequest aliased(int number) {
        return new ClaimRequest(
                CHARGE.key("acme", "key " + number).alsoKnownAs("alias " + number),
                Fingerprint.of("the same"),
                Terms.DEFAULT);
    }

    private static void takingAtLeast(Duration time) {
        long start = System.nanoTime();
        while (System.nanoTime() - start < time.toNanos()) {
            LockSupport.parkNanos(time.toNanos() / 4);
        }
    }

    private List<ClaimOutcome> claimAll(List<ClaimRequest> requests) {
        return TestEngine.get(engine.semel.claimAll(requests));
    }

    private Claim granted(String key) {
        return ((Granted) claimAll(List.of(request(key))).get(0)).claim();
    }

    private static ClaimRequest request(String key) {
        return ClaimRequest.of(CHARGE.key("acme", key), Fingerprint.of("the same"), Terms.DEFAULT);
    }

    private static ClaimRequest other(String key) {
        return ClaimRequest.of(CHARGE.key("acme", key), Fingerprint.of("another"), Terms.DEFAULT);
    }
}
