// SPDX-License-Identifier: Apache-2.0
package dev.semel.testkit;

import static dev.semel.testkit.Commands.insert;
import static dev.semel.testkit.Commands.settle;
import static dev.semel.testkit.Commands.takeOver;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.StalePolicy;
import dev.semel.claim.Status;
import dev.semel.claim.Terms;
import dev.semel.spi.ClaimBrowser;
import dev.semel.spi.ClaimBrowser.Cursor;
import dev.semel.spi.ClaimBrowser.Query;
import dev.semel.spi.ClaimEntry;
import dev.semel.spi.ClaimPage;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** An operator sees all claims of a tenant, in order, each once, and no claim of another tenant. */
abstract class BrowsingContract extends BrowserGroup {
    BrowsingContract(ClaimBrowserContract contract) {
        super(contract);
    }

    @Test
    void aRunningClaimIsFound() {
        Snapshot running = running(Terms.DEFAULT.withOnStale(StalePolicy.RECONCILE));

        ClaimEntry entry = entry(running.ref());

        assertThat(entry.ref()).isEqualTo(running.ref());
        assertThat(entry.scope()).isEqualTo(running.scope());
        assertThat(entry.status()).isEqualTo(Status.IN_PROGRESS);
        assertThat(entry.lapsed()).isFalse();
        assertThat(entry.attempt()).isEqualTo(1);
        assertThat(entry.fence()).isEqualTo(running.fence());
        assertThat(entry.onStale()).isEqualTo(StalePolicy.RECONCILE);
        assertThat(entry.secretId()).isEqualTo(Commands.SECRET_ID);
        assertThat(entry.updatedAt()).isEqualTo(entry.createdAt());
        assertThat(entry.startedAt()).isEqualTo(entry.createdAt());
        assertThat(entry.leaseUntil()).isEqualTo(entry.startedAt().plus(Terms.DEFAULT.lease()));
        assertThat(entry.completedAt()).isNull();
        assertThat(entry.expiresAt()).isNull();
        assertThat(entry.resultType()).isNull();
        assertThat(entry.resultSize()).isZero();
        assertThat(entry.reason()).isNull();
    }

    @Test
    void aRunningClaimHasNoExpiry() {
        Snapshot running = running();
        age(running.ref(), Duration.ofDays(3_650));

        assertThat(entry(running.ref()).expiresAt()).isNull();
    }

    @Test
    void aSettledClaimIsFoundWithWhenAndHowItEnded() {
        Snapshot owned = running();
        age(owned.ref(), Duration.ofHours(2));
        applied(new Command.Settle(owned.ref(), owned.token(), Status.FAILED, Commands.text("12345"), "broken"));

        ClaimEntry entry = entry(owned.ref());

        assertThat(entry.status()).isEqualTo(Status.FAILED);
        assertThat(entry.lapsed()).isFalse();
        assertThat(entry.leaseUntil()).isNull();
        assertThat(entry.completedAt()).isEqualTo(entry.updatedAt());
        assertThat(Duration.between(entry.createdAt(), entry.completedAt()))
                .isBetween(Duration.ofHours(2), Duration.ofHours(3));
        assertThat(entry.expiresAt())
                .isEqualTo(entry.updatedAt().plus(Terms.DEFAULT.ttl().orElseThrow()));
        assertThat(entry.resultType()).isEqualTo("text/plain");
        assertThat(entry.resultSize()).isEqualTo(5);
        assertThat(entry.reason()).isEqualTo("broken");
    }

    @Test
    void aTakenOverClaimShowsWhenItWasMadeAndWhenItWasStarted() {
        Snapshot seen = lapsed(Terms.DEFAULT);
        assertThat(entry(seen.ref()).lapsed()).isTrue();
        applied(takeOver(seen));

        ClaimEntry entry = entry(seen.ref());

        assertThat(entry.lapsed()).isFalse();
        assertThat(entry.attempt()).isEqualTo(2);
        assertThat(Duration.between(entry.createdAt(), entry.startedAt())).isGreaterThanOrEqualTo(PAST_LEASE);
        assertThat(entry.updatedAt()).isEqualTo(entry.startedAt());
    }

    /** Otherwise a key that is used every day would show the age of its first claim. */
    @Test
    void aClaimThatIsMadeAnewShowsItsNewCreationTime() {
        Snapshot expired = expired(Status.SUCCEEDED);
        applied(takeOver(expired));

        ClaimEntry entry = entry(expired.ref());

        assertThat(entry.createdAt()).isEqualTo(entry.startedAt());
        assertThat(entry.completedAt()).isNull();
        assertThat(entry.expiresAt()).isNull();
        assertThat(entry.resultType()).isNull();
        assertThat(entry.resultSize()).isZero();
    }

    @Test
    void anExpiredClaimIsFoundUntilItIsSwept() {
        Snapshot expired = expired(Status.SUCCEEDED);
        assertThat(browser().find(expired.ref())).isPresent();

        sweepAll();

        assertThat(browser().find(expired.ref())).isEmpty();
    }

    @Test
    void anAbsentClaimAndAForeignOneLookTheSame() {
        Snapshot mine = running();

        assertThat(browser().find(newRef())).isEmpty();
        assertThat(browser().find(new ClaimRef("stranger-" + tenant, mine.ref().digest())))
                .isEmpty();
    }

    @Test
    void aStrangerHasNoPagesAndNoCounts() {
        running();

        assertThat(browser().page(Query.of("stranger-" + tenant, 10)).entries()).isEmpty();
        assertThat(browser().counts("stranger-" + tenant)).isEmpty();
    }

    @Test
    void pagesGoFromTheNewestToTheOldest() {
        List<ClaimRef> newestFirst = newRefs(25);
        for (int i = 0; i < newestFirst.size(); i++) {
            applied(insert(newestFirst.get(i)));
            age(newestFirst.get(i), Duration.ofMinutes(i));
        }

        assertThat(pagesOf(Query.of(tenant, 7), 4)).containsExactlyElementsOf(newestFirst);
        assertThat(pagesOf(Query.of(tenant, 5), 5)).containsExactlyElementsOf(newestFirst);
        assertThat(pagesOf(Query.of(tenant, 1_000), 1)).containsExactlyElementsOf(newestFirst);
    }

    /** Claims of one batch have the same creation time, so a cursor by time alone would skip or repeat some of them. */
    @Test
    void claimsOfOneMomentAreOrderedByTheirDigests() {
        List<ClaimRef> refs = newRefs(23);
        refs.forEach(ref -> applied(insert(ref)));
        Instant first = entry(refs.get(0)).createdAt();
        for (ClaimRef ref : refs) {
            age(ref, Duration.between(first, entry(ref).createdAt()));
            assertThat(entry(ref).createdAt()).as("aged exactly").isEqualTo(first);
        }

        assertThat(pagesOf(Query.of(tenant, 5), 5))
                .containsExactlyElementsOf(
                        refs.stream().sorted(Comparator.reverseOrder()).toList());
    }

    @Test
    void pagesAreFilteredByScopeAndStatus() {
        Map<String, List<ClaimRef>> byScope = Map.of("orders", new ArrayList<>(), "refunds", new ArrayList<>());
        for (int i = 0; i < 12; i++) {
            String scope = i % 2 == 0 ? "orders" : "refunds";
            Snapshot claim = applied(insert(refOf(tenant, scope, "key-" + i), scope, Terms.DEFAULT));
            age(claim.ref(), Duration.ofMinutes(i));
            if (i >= 4) {
                applied(settle(claim, i >= 8 ? Status.SUCCEEDED : Status.FAILED));
            }
            byScope.getOrDefault(scope, List.of()).add(claim.ref());
        }
        List<ClaimRef> orders = byScope.getOrDefault("orders", List.of());

        Query all = Query.of(tenant, 2);
        assertThat(pagesOf(all.inScope("orders"), 3)).containsExactlyElementsOf(orders);
        assertThat(pagesOf(all.inScope("orders").withStatus(Status.FAILED), 1))
                .containsExactlyElementsOf(orders.subList(2, 4));
        assertThat(pagesOf(all.withStatus(Status.SUCCEEDED, Status.IN_PROGRESS), 4))
                .hasSize(8);
        assertThat(pagesOf(all.withStatus(Status.UNKNOWN), 0)).isEmpty();
        assertThat(pagesOf(all.inScope("other"), 0)).isEmpty();
        assertThat(browser()
                        .page(new Query(tenant, null, Set.of(), null, null, null, null, 100))
                        .entries())
                .hasSize(12);
    }

    @Test
    void pagesAreFilteredByAge() {
        List<ClaimRef> newestFirst = newRefs(6);
        for (int i = 0; i < newestFirst.size(); i++) {
            applied(insert(newestFirst.get(i)));
            age(newestFirst.get(i), Duration.ofMinutes(i));
        }
        Instant second = entry(newestFirst.get(1)).createdAt();
        Instant fourth = entry(newestFirst.get(3)).createdAt();

        assertThat(pagesOf(Query.of(tenant, 2).from(fourth), 2)).containsExactlyElementsOf(newestFirst.subList(0, 4));
        assertThat(pagesOf(Query.of(tenant, 9).before(second), 1)).containsExactlyElementsOf(newestFirst.subList(2, 6));
        assertThat(pagesOf(Query.of(tenant, 9).withMinAge(Duration.ofSeconds(150)), 1))
                .containsExactlyElementsOf(newestFirst.subList(3, 6));
        assertThat(pagesOf(Query.of(tenant, 1).from(fourth).before(second).withStatus(Status.IN_PROGRESS), 2))
                .containsExactlyElementsOf(newestFirst.subList(2, 4));
    }

    /** Microseconds of the largest times do not fit into a long. */
    @Test
    void everyTimeIsALimit() {
        running();

        assertThat(browser().page(Query.of(tenant, 9).before(Instant.MAX)).entries())
                .hasSize(1);
        assertThat(browser().page(Query.of(tenant, 9).from(Instant.MIN)).entries())
                .hasSize(1);
        assertThat(browser().page(Query.of(tenant, 9).before(Instant.MIN)).entries())
                .isEmpty();
        assertThat(browser().page(Query.of(tenant, 9).from(Instant.MAX)).entries())
                .isEmpty();
    }

    @Test
    void theEndOfAPageLeadsToTheNext() {
        List<ClaimRef> refs = newRefs(3);
        refs.forEach(ref -> applied(insert(ref)));

        ClaimPage first = browser().page(Query.of(tenant, 2));
        ClaimPage second = browser().page(Query.of(tenant, 2).after(Objects.requireNonNull(first.next())));

        assertThat(first.entries()).hasSize(2);
        assertThat(second.entries()).hasSize(1);
        assertThat(second.next()).isNull();
        assertThat(Stream.concat(first.entries().stream(), second.entries().stream()))
                .extracting(ClaimEntry::ref)
                .containsExactlyInAnyOrderElementsOf(refs);
    }

    @Test
    void claimsAreFoundByTheBeginningOfADigest() {
        ClaimRef ref = newRef();
        ClaimRef alias = newRef();
        applied(insert(ref, List.of(alias)));
        running();

        for (ClaimRef name : List.of(ref, alias)) {
            for (int digits : List.of(ClaimBrowser.MIN_PREFIX, 7, 16, 64)) {
                assertThat(browser().withPrefix(tenant, name.digest().hex().substring(0, digits), 10))
                        .extracting(ClaimEntry::ref)
                        .containsExactly(ref);
            }
        }
        assertThat(browser().withPrefix("other-" + tenant, ref.digest().hex(), 10))
                .isEmpty();
        for (String wrong : List.of("", "01234", "0".repeat(65), "ABCDEF", "0000%_")) {
            assertThatIllegalArgumentException().isThrownBy(() -> browser().withPrefix(tenant, wrong, 10));
        }
    }

    @Test
    void theScopesOfATenantAreListed() {
        assertThat(browser().scopes(tenant, 10).names()).isEmpty();
        for (int i = 0; i < 6; i++) {
            String scope = "scope-" + i / 2;
            applied(insert(refOf(tenant, scope, "key-" + i), scope, Terms.DEFAULT));
        }
        assertThat(browser().scopes(tenant, 3).names()).containsExactlyInAnyOrder("scope-0", "scope-1", "scope-2");
        assertThat(browser().scopes(tenant, 3).complete()).isTrue();
        assertThat(browser().scopes(tenant, 2).names()).hasSize(2);
        assertThat(browser().scopes(tenant, 2).complete()).isFalse();
    }

    @Test
    void claimsAreCountedByStatusAndStatesWithoutAnyAreLeftOut() {
        assertThat(browser().counts(tenant)).isEmpty();
        running();
        lapsed(Terms.DEFAULT);
        settled(Status.SUCCEEDED);
        expired(Status.SUCCEEDED);
        settled(Status.SUCCEEDED);
        settled(Status.UNKNOWN);

        assertThat(browser().counts(tenant))
                .containsOnly(
                        Map.entry(Status.IN_PROGRESS, 2L),
                        Map.entry(Status.SUCCEEDED, 3L),
                        Map.entry(Status.UNKNOWN, 1L));
    }

    /** The entries of all pages. Exactly this many pages must have entries. */
    private List<ClaimRef> pagesOf(Query query, int pages) {
        List<ClaimRef> all = new ArrayList<>();
        List<ClaimEntry> page = browser().page(query).entries();
        for (int i = 0; i < pages; i++) {
            assertThat(page).as("page %d", i).isNotEmpty().hasSizeLessThanOrEqualTo(query.limit());
            page.forEach(entry -> all.add(entry.ref()));
            page = browser()
                    .page(query.after(Cursor.of(page.get(page.size() - 1))))
                    .entries();
        }
        assertThat(page).as("the page after the last").isEmpty();
        return all;
    }
}
