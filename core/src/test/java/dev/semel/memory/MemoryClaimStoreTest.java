// SPDX-License-Identifier: Apache-2.0
package dev.semel.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.semel.Missing;
import dev.semel.TestClock;
import dev.semel.claim.ClaimRef;
import dev.semel.claim.Digest;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.OwnerToken;
import dev.semel.claim.RecordId;
import dev.semel.claim.StalePolicy;
import dev.semel.claim.Status;
import dev.semel.claim.StoredResult;
import dev.semel.claim.SweepReport;
import dev.semel.claim.Terms;
import dev.semel.spi.ClaimBrowser.Cursor;
import dev.semel.spi.ClaimBrowser.Query;
import dev.semel.spi.ClaimEntry;
import dev.semel.spi.Command;
import dev.semel.spi.HistoryEntry;
import dev.semel.spi.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Behaviour beyond the contract in the testkit: the exact clock, ageing, and the order of pages. */
class MemoryClaimStoreTest {
    private static final StoredResult RESULT = new StoredResult("text/plain", new byte[] {1, 2});
    private static final Duration DAY = Duration.ofDays(1);

    private final TestClock clock = new TestClock();
    private final MemoryClaimStore store = new MemoryClaimStore(clock);

    @Test
    void requiresAClock() {
        assertThatNullPointerException()
                .isThrownBy(() -> new MemoryClaimStore(Missing.value()))
                .withMessage("A clock must not be null");
    }

    @Test
    void usesTheSystemClockByDefault() {
        MemoryClaimStore real = new MemoryClaimStore();
        Instant before = Instant.now().minusMillis(1);

        real.apply(List.of(insert(ref(1), "scope", Terms.DEFAULT)));

        assertThat(real.find(ref(1)))
                .hasValueSatisfying(entry -> assertThat(entry.createdAt()).isBetween(before, Instant.now()));
    }

    @Test
    void anEntryOfTheHistoryIsDeletedAtItsAge_notAfterIt() {
        store.add(List.of(HistoryEntry.of(HistoryEntry.Kind.TAKEN_OVER, ref(1), "scope", 2, null)));
        clock.advance(DAY);

        assertThat(store.purge(DAY.plusNanos(1_000), DAY, 10)).isZero();
        assertThat(store.purge(DAY, DAY, 10)).isEqualTo(1);
        assertThat(store.history(ref(1), 10)).isEmpty();
    }

    @Test
    void keepsMicrosecondsAndFencesByThem() {
        clock.advance(Duration.ofNanos(123_456));

        claim(ref(1));

        ClaimEntry entry = entry(ref(1));
        assertThat(entry.createdAt()).isEqualTo("2026-01-01T00:00:00.000123Z");
        assertThat(entry.fence()).isEqualTo(1_767_225_600_000_123L);
    }

    @Test
    void showsARunningClaim() {
        Instant now = clock.instant();
        claim(ref(1));

        assertThat(entry(ref(1)))
                .isEqualTo(new ClaimEntry(
                        ref(1),
                        "scope",
                        Status.IN_PROGRESS,
                        false,
                        1,
                        1_767_225_600_000_000L,
                        StalePolicy.RERUN,
                        "secret",
                        now,
                        now.plus(Terms.DEFAULT.lease()),
                        null,
                        null,
                        null,
                        0,
                        null,
                        null));
    }

    @Test
    void showsASettledClaim() {
        Instant start = clock.instant();
        OwnerToken token = claim(ref(1));
        clock.advance(Duration.ofSeconds(1));
        settle(ref(1), token, Status.SUCCEEDED, RESULT);

        ClaimEntry entry = entry(ref(1));
        assertThat(entry.status()).isEqualTo(Status.SUCCEEDED);
        assertThat(entry.lapsed()).isFalse();
        assertThat(entry.startedAt()).isEqualTo(start);
        assertThat(entry.updatedAt()).isEqualTo(start.plusSeconds(1));
        assertThat(entry.completedAt()).isEqualTo(start.plusSeconds(1));
        assertThat(entry.expiresAt()).isEqualTo(start.plusSeconds(1).plus(DAY));
        assertThat(entry.resultType()).isEqualTo("text/plain");
        assertThat(entry.resultSize()).isEqualTo(2);
    }

    @Test
    void showsNothingToAnotherTenant() {
        claim(ref(1));

        assertThat(store.find(new ClaimRef("other", ref(1).digest()))).isEmpty();
        assertThat(store.counts("other")).isEmpty();
        assertThat(store.page(Query.of("other", 10)).entries()).isEmpty();
    }

    @Test
    void agesOneClaimExceptItsFence() {
        Instant start = clock.instant();
        OwnerToken token = claim(ref(1));
        claim(ref(2));

        store.age(ref(1), Duration.ofMinutes(5));
        assertThat(entry(ref(1)).lapsed()).isTrue();
        assertThat(entry(ref(1)).createdAt()).isEqualTo(start.minus(Duration.ofMinutes(5)));
        assertThat(entry(ref(1)).startedAt())
                .as("the time of the grant is its fence, which only grows")
                .isEqualTo(start);
        assertThat(entry(ref(2)).lapsed()).isFalse();

        settle(ref(1), token, Status.SUCCEEDED, RESULT);
        store.age(ref(1), DAY);
        assertThat(entry(ref(1)).completedAt()).isEqualTo(start.minus(DAY));
        assertThat(entry(ref(1)).expiresAt()).isEqualTo(start);
        assertThat(store.sweep(10)).isEqualTo(new SweepReport(1, 0, 0, false));
    }

    @Test
    void agingAnAbsentClaimHasNoEffect() {
        store.age(ref(1), DAY);

        assertThat(store.find(ref(1))).isEmpty();
    }

    @Test
    void aTakeOverKeepsTheCreationTimeUnlessTheClaimExpired() {
        Instant start = clock.instant();
        OwnerToken first = claim(ref(1));
        clock.advance(Duration.ofMinutes(5));
        OwnerToken second = takeOver(ref(1), first);
        assertThat(entry(ref(1)).createdAt()).isEqualTo(start);
        assertThat(entry(ref(1)).startedAt()).isEqualTo(start.plus(Duration.ofMinutes(5)));

        settle(ref(1), second, Status.SUCCEEDED, RESULT);
        clock.advance(DAY);
        takeOver(ref(1), second);

        assertThat(entry(ref(1)).createdAt()).isEqualTo(clock.instant());
        assertThat(entry(ref(1)).resultType()).isNull();
    }

    @Test
    void countsByState() {
        claim(ref(1));
        claim(ref(2));
        settle(ref(3), claim(ref(3)), Status.FAILED, null);

        assertThat(store.counts("acme")).isEqualTo(Map.of(Status.IN_PROGRESS, 2L, Status.FAILED, 1L));
    }

    @Test
    void pagesFromTheNewestToTheOldest() {
        for (int i = 1; i <= 5; i++) {
            claim(ref(i));
            clock.advance(Duration.ofSeconds(i % 2));
        }

        // The second and third, and the fourth and fifth, were created at the same moment.
        List<ClaimEntry> first = store.page(Query.of("acme", 2)).entries();
        List<ClaimEntry> second =
                store.page(Query.of("acme", 2).after(Cursor.of(first.get(1)))).entries();
        List<ClaimEntry> third =
                store.page(Query.of("acme", 2).after(Cursor.of(second.get(1)))).entries();

        assertThat(first).extracting(ClaimEntry::ref).containsExactly(ref(5), ref(4));
        assertThat(second).extracting(ClaimEntry::ref).containsExactly(ref(3), ref(2));
        assertThat(third).extracting(ClaimEntry::ref).containsExactly(ref(1));
    }

    @Test
    void pagesByScopeAndState() {
        claim(ref(1));
        settle(ref(2), claim(ref(2)), Status.FAILED, null);
        store.apply(List.of(insert(ref(3), "other", Terms.DEFAULT)));

        assertThat(store.page(Query.of("acme", 10).inScope("other")).entries())
                .extracting(ClaimEntry::ref)
                .containsExactly(ref(3));
        assertThat(store.page(Query.of("acme", 10).withStatus(Status.FAILED)).entries())
                .extracting(ClaimEntry::ref)
                .containsExactly(ref(2));
        assertThat(store.page(Query.of("acme", 10)).entries()).hasSize(3);
    }

    @Test
    void sweepsAbandonedClaimsUpToItsLimit() {
        claim(ref(1));
        claim(ref(2));
        store.apply(List.of(insert(ref(3), "scope", Terms.DEFAULT.withoutExpiry())));
        clock.advance(DAY.plusMinutes(5).minusNanos(1_000));
        assertThat(store.sweep(1)).isEqualTo(SweepReport.NOTHING);

        clock.advance(Duration.ofNanos(1_000));

        assertThat(store.sweep(1)).isEqualTo(new SweepReport(0, 1, 0, true));
        assertThat(store.sweep(2)).isEqualTo(new SweepReport(0, 1, 0, false));
        assertThat(store.counts("acme")).isEqualTo(Map.of(Status.RETRYABLE, 2L, Status.IN_PROGRESS, 1L));
    }

    private OwnerToken claim(ClaimRef ref) {
        Command.Insert insert = insert(ref, "scope", Terms.DEFAULT);
        assertThat(store.apply(List.of(insert))).hasOnlyElementsOfType(Verdict.Applied.class);
        return insert.token();
    }

    private OwnerToken takeOver(ClaimRef ref, OwnerToken expected) {
        OwnerToken token = OwnerToken.random();
        assertThat(store.apply(List.of(new Command.TakeOver(
                        ref, expected, token, RecordId.random(), Fingerprint.NONE, Terms.DEFAULT))))
                .hasOnlyElementsOfType(Verdict.Applied.class);
        return token;
    }

    private void settle(ClaimRef ref, OwnerToken token, Status status, @Nullable StoredResult result) {
        assertThat(store.apply(List.of(new Command.Settle(ref, token, status, result, null))))
                .hasOnlyElementsOfType(Verdict.Applied.class);
    }

    private ClaimEntry entry(ClaimRef ref) {
        return store.find(ref).orElseThrow();
    }

    private static Command.Insert insert(ClaimRef ref, String scope, Terms terms) {
        return new Command.Insert(
                ref, scope, "secret", OwnerToken.random(), RecordId.random(), Fingerprint.NONE, terms);
    }

    private static ClaimRef ref(int number) {
        return new ClaimRef("acme", Digest.ofHex("%064x".formatted(number)));
    }
}
