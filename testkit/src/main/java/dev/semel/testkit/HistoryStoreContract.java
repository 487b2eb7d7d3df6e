// SPDX-License-Identifier: Apache-2.0
package dev.semel.testkit;

import static dev.semel.testkit.Commands.insert;
import static dev.semel.testkit.Commands.settle;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.StalePolicy;
import dev.semel.claim.Status;
import dev.semel.claim.StoredResult;
import dev.semel.claim.SweepReport;
import dev.semel.claim.Terms;
import dev.semel.spi.Command;
import dev.semel.spi.HistoryEntry;
import dev.semel.spi.HistoryEntry.Kind;
import dev.semel.spi.HistoryStore;
import dev.semel.spi.Snapshot;
import dev.semel.spi.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The tests that a store with a {@link HistoryStore} must pass. A store's contract test adds them as a nested class:
 *
 * <pre>{@code
 * @Nested
 * class History extends ClaimHistoryContract {
 *     History() {
 *         super(MyStoreContractTest.this);
 *     }
 *
 *     @Override
 *     protected ClaimHistory history() {
 *         return FIRST;
 *     }
 * }
 * }</pre>
 */
public abstract class HistoryStoreContract extends ContractGroup {
    @SuppressWarnings("this-escape") // The method reads only the contract, which the constructor of the group has set.
    private final ClaimRef ref = newRef();

    /** Tests the history of the store that this contract tests. */
    protected HistoryStoreContract(ClaimStoreContract contract) {
        super(contract);
    }

    /** The history of {@link ClaimStoreContract#store()}. */
    protected abstract HistoryStore history();

    private Snapshot parked() {
        Snapshot claim = applied(insert(ref));
        return applied(settle(claim, Status.UNKNOWN));
    }

    private static Command.Settle as(Snapshot claim, Status status, @Nullable StoredResult result) {
        return new Command.Settle(claim.ref(), claim.token(), status, result, "seen at the bank");
    }

    private static HistoryEntry by(Kind kind, Snapshot claim) {
        return new HistoryEntry(
                0,
                claim.ref(),
                claim.scope(),
                kind,
                claim.fence(),
                claim.attempt(),
                "ann",
                "seen at the bank",
                null,
                Instant.EPOCH);
    }

    @Test
    void aParkedClaimIsDecided() {
        Snapshot claim = parked();
        StoredResult result = Commands.text("receipt 7");

        Verdict verdict = history().decide(as(claim, Status.SUCCEEDED, result), by(Kind.DECIDED_SUCCEEDED, claim));

        Snapshot after = appliedOf(secondStore(), verdict);
        assertThat(after.status()).isEqualTo(Status.SUCCEEDED);
        assertThat(after.result()).isEqualTo(result);
        assertThat(after.reason()).isEqualTo("seen at the bank");
        assertThat(after.ttlLeft())
                .isPositive()
                .isLessThanOrEqualTo(Terms.DEFAULT.ttl().orElseThrow());
        HistoryEntry entry = only(history().history(ref, 10));
        assertThat(entry.stored(0, Instant.EPOCH)).isEqualTo(by(Kind.DECIDED_SUCCEEDED, claim));
        assertThat(entry.id()).isPositive();
        assertThat(entry.at()).isAfter(Instant.now().minus(Duration.ofHours(1)));
        assertThat(history().decisions(tenant, null, 10)).containsExactly(entry);
    }

    @Test
    void aDecidedClaimExpiresAndIsSwept() {
        Snapshot claim = parked();
        history().decide(as(claim, Status.FAILED, null), by(Kind.DECIDED_FAILED, claim));
        age(ref, PAST_ALL);

        sweepAll();

        assertThat(store().read(List.of(ref))).isEmpty();
        assertThat(history().history(ref, 10)).hasSize(1);
    }

    /** Nobody settles such a claim, so no owner reports it. */
    @Test
    void aClaimThatTheSweepParksHasAnEntry() {
        ClaimRef rerun = newRef();
        Snapshot claim = applied(insert(ref, Terms.DEFAULT.withOnStale(StalePolicy.PARK)));
        applied(insert(rerun, Terms.DEFAULT.withOnStale(StalePolicy.RERUN)));
        age(ref, PAST_ALL);
        age(rerun, PAST_ALL);

        sweepAll();
        sweepAll();

        assertThat(read(store(), ref).status()).isEqualTo(Status.UNKNOWN);
        assertThat(only(history().history(ref, 10)).stored(0, Instant.EPOCH))
                .isEqualTo(
                        HistoryEntry.parked(ref, claim.scope(), claim.fence(), claim.attempt(), SweepReport.ABANDONED));
        assertThat(history().history(rerun, 10)).isEmpty();
    }

    @Test
    void aReleasedClaimCanBeTakenOver() {
        Snapshot claim = parked();
        history().decide(as(claim, Status.RETRYABLE, null), by(Kind.RELEASED, claim));

        Snapshot again = applied(Commands.takeOver(read(store(), ref)));

        assertThat(again.attempt()).isEqualTo(2);
        assertThat(again.record()).as("the same child keys").isEqualTo(claim.record());
    }

    @Test
    void theSameDecisionAgainIsAppliedAndHasOneEntry() {
        Snapshot claim = parked();
        for (int i = 0; i < 2; i++) {
            assertInstanceOf(
                    Verdict.Applied.class,
                    history().decide(as(claim, Status.FAILED, null), by(Kind.DECIDED_FAILED, claim)));
        }
        assertThat(history().history(ref, 10)).hasSize(1);
    }

    @Test
    void anotherDecisionIsRefused() {
        Snapshot claim = parked();
        history().decide(as(claim, Status.FAILED, null), by(Kind.DECIDED_FAILED, claim));

        refusedOf(history().decide(as(claim, Status.RETRYABLE, null), by(Kind.RELEASED, claim)));

        assertThat(read(store(), ref).status()).isEqualTo(Status.FAILED);
        assertThat(history().history(ref, 10)).hasSize(1);
    }

    @Test
    void aClaimThatSomebodyWorksOnIsNotDecided() {
        Snapshot claim = applied(insert(ref));

        refusedOf(history().decide(as(claim, Status.RETRYABLE, null), by(Kind.RELEASED, claim)));

        assertThat(read(store(), ref).status()).isEqualTo(Status.IN_PROGRESS);
        assertThat(history().history(ref, 10)).isEmpty();
    }

    @Test
    void aLapsedClaimIsDecided_andARevivedOneIsNot() {
        Snapshot claim = applied(insert(ref, Terms.DEFAULT.withOnStale(StalePolicy.PARK)));
        age(ref, PAST_LEASE);
        ClaimRef other = newRef();
        Snapshot revived = applied(insert(other, Terms.DEFAULT.withOnStale(StalePolicy.PARK)));
        assertThat(read(store(), ref).lapsed()).isTrue();

        appliedOf(store(), history().decide(as(claim, Status.FAILED, null), by(Kind.DECIDED_FAILED, claim)));
        refusedOf(history().decide(as(revived, Status.FAILED, null), by(Kind.DECIDED_FAILED, revived)));
        refused(settle(claim, Status.SUCCEEDED));
    }

    @Test
    void aClaimWithAnotherOwnerIsNotDecided() {
        Snapshot claim = parked();
        history().decide(as(claim, Status.RETRYABLE, null), by(Kind.RELEASED, claim));
        Snapshot again = applied(Commands.takeOver(read(store(), ref)));
        applied(settle(again, Status.UNKNOWN));

        refusedOf(history().decide(as(claim, Status.FAILED, null), by(Kind.DECIDED_FAILED, claim)));

        assertThat(read(store(), ref).status()).isEqualTo(Status.UNKNOWN);
    }

    @Test
    void anotherTenantDecidesNothing() {
        Snapshot claim = parked();
        ClaimRef foreign = new ClaimRef("other-" + tenant, ref.digest());
        HistoryEntry entry =
                new HistoryEntry(0, foreign, claim.scope(), Kind.RELEASED, 1, 1, "eve", "mine", null, Instant.EPOCH);

        Verdict verdict =
                history().decide(new Command.Settle(foreign, claim.token(), Status.RETRYABLE, null, "mine"), entry);

        assertThat(verdict).isEqualTo(new Verdict.Refused(null));
        assertThat(read(store(), ref).status()).isEqualTo(Status.UNKNOWN);
        assertThat(history().history(foreign, 10)).isEmpty();
        assertThat(history().decisions("other-" + tenant, null, 10)).isEmpty();
    }

    @Test
    void concurrentDecisionsOfOneClaimHaveOneWinner() {
        Snapshot claim = parked();
        List<Boolean> applied = ConcurrentThreads.run(6, thread -> () -> {
            boolean fails = thread % 2 == 0;
            Verdict verdict = history()
                    .decide(
                            as(claim, fails ? Status.FAILED : Status.RETRYABLE, null),
                            by(fails ? Kind.DECIDED_FAILED : Kind.RELEASED, claim));
            return verdict instanceof Verdict.Applied;
        });

        assertThat(applied).contains(true, false);
        HistoryEntry entry = only(history().history(ref, 10));
        Status expected = entry.kind() == Kind.RELEASED ? Status.RETRYABLE : Status.FAILED;
        assertThat(read(store(), ref).status()).isEqualTo(expected);
    }

    /** An operator decides while the lapsed owner settles, and while another caller takes over. */
    @Test
    void aDecisionASettlementAndATakeOverHaveOneWinner() {
        for (int round = 0; round < 5; round++) {
            ClaimRef contended = newRef();
            Snapshot claim = applied(insert(contended));
            age(contended, PAST_LEASE);
            Snapshot lapsed = read(store(), contended);
            List<Boolean> applied = ConcurrentThreads.run(3, thread -> () -> {
                Verdict verdict = switch (thread) {
                    case 0 -> history().decide(as(claim, Status.FAILED, null), by(Kind.DECIDED_FAILED, claim));
                    case 1 ->
                        store().apply(List.of(settle(claim, Status.SUCCEEDED))).get(0);
                    default ->
                        secondStore().apply(List.of(Commands.takeOver(lapsed))).get(0);
                };
                return verdict instanceof Verdict.Applied;
            });

            assertThat(applied).as("decided, settled, taken over").containsOnlyOnce(true);
            assertThat(history().history(contended, 10)).hasSize(applied.get(0) ? 1 : 0);
            Status expected = applied.get(0) ? Status.FAILED : applied.get(1) ? Status.SUCCEEDED : Status.IN_PROGRESS;
            assertThat(read(store(), contended).status()).isEqualTo(expected);
        }
    }

    @Test
    void onlyDecisionsAreDecided() {
        Snapshot claim = parked();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> history().decide(as(claim, Status.UNKNOWN, null), by(Kind.RELEASED, claim)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> history()
                        .decide(
                                as(claim, Status.FAILED, null),
                                HistoryEntry.of(Kind.PARKED, ref, claim.scope(), 1, null)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> history().decide(as(claim, Status.FAILED, null), by(Kind.REPLAYED, claim)));
    }

    /** It needs no claim: that of an old event has expired. It is kept as long as other decisions. */
    @Test
    void aReplayIsADecisionThatSettlesNothing() {
        HistoryEntry replay = HistoryEntry.replay(ref, "webhook:custom", "ann", "the books were restored", "event 7");

        history().add(List.of(replay, HistoryEntry.of(Kind.TAKEN_OVER, ref, "webhook:custom", 2, null)));
        history().purge(Duration.ZERO, null, 1_000);

        HistoryEntry entry = only(history().decisions(tenant, null, 10));
        assertThat(entry.stored(0, Instant.EPOCH)).isEqualTo(replay);
        assertThat(history().history(ref, 10)).containsExactly(entry);
        assertThat(store().read(List.of(ref))).isEmpty();
    }

    @Test
    void entriesAreListedNewestFirst() {
        String details = "é".repeat(HistoryEntry.MAX_DETAILS);
        history()
                .add(List.of(
                        HistoryEntry.of(Kind.TAKEN_OVER, ref, "a scope", 2, null),
                        HistoryEntry.of(Kind.CONFLICT, ref, "a scope", 0, details)));
        history().add(List.of(HistoryEntry.of(Kind.PARKED, ref, "a scope", 2, null)));
        history().add(List.of(HistoryEntry.of(Kind.PARKED, newRef(), "a scope", 2, null)));
        history().add(List.of());

        assertThat(history().history(ref, 10))
                .extracting(HistoryEntry::kind)
                .containsExactly(Kind.PARKED, Kind.CONFLICT, Kind.TAKEN_OVER);
        assertThat(history().history(ref, 2).get(1).details()).isEqualTo(details);
        assertThat(history().decisions(tenant, null, 10)).isEmpty();
    }

    @Test
    void decisionsAreListedPageByPage() {
        for (int i = 0; i < 5; i++) {
            Snapshot claim = applied(insert(newRef()));
            applied(settle(claim, Status.UNKNOWN));
            history().decide(as(claim, Status.FAILED, null), by(Kind.DECIDED_FAILED, claim));
        }
        List<HistoryEntry> all = history().decisions(tenant, null, 10);
        List<HistoryEntry> first = history().decisions(tenant, null, 3);
        List<HistoryEntry> second = history().decisions(tenant, first.get(2).id(), 3);

        assertThat(first).isEqualTo(all.subList(0, 3));
        assertThat(second).isEqualTo(all.subList(3, 5));
    }

    @Test
    void replaysAreAdded() {
        ClaimRef other = newRef();
        assertThat(history().replays(ref)).isZero();

        history().addReplays(Map.of(ref, 2L, other, 1L));
        history().addReplays(Map.of(ref, 40L));
        history().addReplays(Map.of());

        assertThat(history().replays(ref)).isEqualTo(42);
        assertThat(history().replays(other)).isEqualTo(1);
    }

    @Test
    void oneCallAddsABoundedNumberOfReplays() {
        Map<ClaimRef, Long> many = Stream.generate(this::newRef)
                .limit(HistoryStore.MAX_ENTRIES + 1)
                .collect(Collectors.toMap(one -> one, one -> 1L));

        assertThatIllegalArgumentException().isThrownBy(() -> history().addReplays(many));
    }

    /** A caller repeats the purge until it deletes nothing, so every deleted row has to count. */
    @Test
    void replaysOfAbsentClaimsAreAllDeletedInBatches() {
        List<ClaimRef> absent = Stream.generate(this::newRef).limit(7).toList();
        history().addReplays(absent.stream().collect(Collectors.toMap(one -> one, one -> 1L)));

        while (history().purge(Duration.ofDays(3_650), null, 3) > 0) {
            // The next batch.
        }

        assertThat(absent).allSatisfy(one -> assertThat(history().replays(one)).isZero());
    }

    @Test
    void oldEntriesAreDeleted_andDecisionsAreKeptLonger() {
        Snapshot claim = parked();
        history().add(List.of(HistoryEntry.of(Kind.PARKED, ref, claim.scope(), 1, null)));
        history().decide(as(claim, Status.FAILED, null), by(Kind.DECIDED_FAILED, claim));
        history().addReplays(Map.of(ref, 3L, newRef(), 3L));

        history().purge(Duration.ofDays(1), null, 1_000);
        assertThat(history().history(ref, 10)).hasSize(2);
        assertThat(history().purge(Duration.ZERO, Duration.ofDays(1), 1_000)).isPositive();
        assertThat(history().history(ref, 10)).extracting(HistoryEntry::kind).containsExactly(Kind.DECIDED_FAILED);
        assertThat(history().replays(ref)).as("the claim still exists").isEqualTo(3);
        history().purge(Duration.ZERO, Duration.ZERO, 1_000);
        assertThat(history().history(ref, 10)).isEmpty();
    }

    private static HistoryEntry only(List<HistoryEntry> entries) {
        assertThat(entries).hasSize(1);
        return entries.get(0);
    }
}
