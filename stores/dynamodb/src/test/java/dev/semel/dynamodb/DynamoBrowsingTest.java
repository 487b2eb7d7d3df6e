// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import static dev.semel.dynamodb.Claimed.applied;
import static dev.semel.dynamodb.Claimed.newRef;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Status;
import dev.semel.claim.StoreException;
import dev.semel.spi.ClaimBrowser.Cursor;
import dev.semel.spi.ClaimBrowser.Query;
import dev.semel.spi.ClaimEntry;
import dev.semel.spi.ClaimPage;
import dev.semel.spi.Command;
import dev.semel.testkit.Commands;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** What is particular to lists in DynamoDB: the parts of the index, bounded reads, entries that are out of date. */
class DynamoBrowsingTest {
    private static final String TABLE = "browsing";
    private static final RequestLog LOG = new RequestLog();

    private static DynamoDbAsyncClient client;
    private static DynamoClaimStore store;

    private final String tenant = "tenant-" + UUID.randomUUID();

    @BeforeAll
    static void open() {
        client = DynamoAccess.client(LOG);
        store = DynamoClaimStore.creating(client, TABLE).withRequestTimeout(DynamoAccess.PATIENT);
    }

    @AfterAll
    static void close() {
        client.close();
    }

    private ClaimRef ref() {
        return new ClaimRef(tenant, newRef().digest());
    }

    private static DynamoBrowser browser(int maxScan, int maxRead) {
        DynamoCalls calls = new DynamoCalls(client, TABLE, new DynamoClock(System::nanoTime), DynamoAccess.PATIENT);
        return new DynamoBrowser(
                calls, new DynamoReads(calls, new DynamoChunks(calls)), new DynamoListedCheck(calls), maxScan, maxRead);
    }

    /** More than each part returns at once, so that parts are read again while others still have rows. */
    @Test
    void everyClaimOfSeveralHundredIsOnOnePage() {
        Set<ClaimRef> made = new HashSet<>();
        List<Command> inserts = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            ClaimRef ref = ref();
            made.add(ref);
            inserts.add(Commands.insert(ref));
        }
        store.apply(inserts);

        for (int limit : List.of(1, 7, 16, 100, 1_000)) {
            List<ClaimEntry> found = new ArrayList<>();
            ClaimPage page = store.page(Query.of(tenant, limit));
            found.addAll(page.entries());
            while (page.next() != null && (limit > 1 || found.size() < 20)) {
                page = store.page(Query.of(tenant, limit).after(page.next()));
                found.addAll(page.entries());
            }
            if (limit > 1) {
                assertThat(found).extracting(ClaimEntry::ref).hasSize(500).containsExactlyInAnyOrderElementsOf(made);
            }
            assertThat(found)
                    .isSortedAccordingTo((one, other) -> Cursor.NEWEST_FIRST.compare(Cursor.of(one), Cursor.of(other)));
        }
        assertThat(store.counts(tenant)).isEqualTo(Map.of(Status.IN_PROGRESS, 500L));
    }

    @Test
    void aPageByStatusReadsALimitedNumberOfClaimsAndTheNextOneGoesOnThere() {
        List<ClaimRef> parked = new ArrayList<>();
        for (int i = 0; i < 23; i++) {
            Command.Insert insert = Commands.insert(ref());
            applied(store, insert);
            DynamoAccess.age(client, TABLE, insert.ref(), Duration.ofMinutes(i));
            if (i % 11 == 0) {
                applied(store, new Command.Settle(insert.ref(), insert.token(), Status.UNKNOWN, null, "lost"));
                parked.add(insert.ref());
            }
        }
        DynamoBrowser browser = browser(100, 5);
        Query query = Query.of(tenant, 10).withStatus(Status.UNKNOWN);
        List<ClaimRef> found = new ArrayList<>();
        int pages = 1;
        ClaimPage page = browser.page(query);
        while (page.next() != null) {
            page.entries().forEach(entry -> found.add(entry.ref()));
            page = browser.page(query.after(page.next()));
            pages++;
        }
        page.entries().forEach(entry -> found.add(entry.ref()));

        assertThat(found).containsExactlyElementsOf(parked);
        assertThat(pages).as("pages of at most 5 claims").isEqualTo(5);
    }

    /** The index has the scope, so claims of other scopes are not read. */
    @Test
    void aPageByScopeReadsOnlyTheIndexOfOtherScopes() {
        List<Command> inserts = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            inserts.add(Commands.insert(ref()));
        }
        store.apply(inserts);
        store.page(Query.of(tenant, 10));
        LOG.taken();

        assertThat(store.page(Query.of(tenant, 10).inScope("other"))).isEqualTo(new ClaimPage(List.of(), null));
        assertThat(LOG.taken().keySet()).containsOnly("Query");
        assertThat(browser(7, 7).page(Query.of(tenant, 10).inScope("other")).next())
                .isNotNull();
        assertThat(browser(7, 7).scopes(tenant, 10).complete()).isFalse();
    }

    /** As the service shows it for a moment: the index still has a claim that has been deleted, or has begun a new life. */
    @Test
    void entriesOfTheIndexThatAreOutOfDateAreNotShown() {
        Command.Insert insert = Commands.insert(ref());
        applied(store, insert);
        Map<String, AttributeValue> before = DynamoAccess.item(client, TABLE, insert.ref());
        // Local's index is never late, so the row is made to differ from what the index shows of it.
        DynamoAccess.age(client, TABLE, insert.ref(), Duration.ofMinutes(1));
        client.updateItem(update -> update.tableName(TABLE)
                        .key(DynamoRow.keyOf(insert.ref().digest()))
                        .updateExpression("SET listed_at = :late")
                        .expressionAttributeValues(Map.of(":late", before.get(DynamoListing.POSITION))))
                .join();

        assertThat(store.page(Query.of(tenant, 10)).entries()).isEmpty();
        assertThat(store.counts(tenant)).isEmpty();
        assertThat(store.find(insert.ref())).isPresent();
    }

    @Test
    void aSettlementDoesNotChangeWhatTheIndexHas() {
        Command.Insert insert = Commands.insert(ref());
        applied(store, insert);
        Map<String, AttributeValue> before = DynamoAccess.item(client, TABLE, insert.ref());
        applied(store, new Command.Renew(insert.ref(), insert.token(), Duration.ofMinutes(1)));
        applied(store, new Command.Settle(insert.ref(), insert.token(), Status.SUCCEEDED, null, null));
        Map<String, AttributeValue> after = DynamoAccess.item(client, TABLE, insert.ref());

        for (String indexed : List.of("due_shard", "due_at", "listed_in", "listed_at", "scope")) {
            assertThat(after.get(indexed)).as(indexed).isNotNull().isEqualTo(before.get(indexed));
        }
    }

    @Test
    void theBacklogIsCountedUpToItsLimit() {
        DynamoClaimStore other = DynamoClaimStore.creating(client, "backlog");
        assertThat(other.due(10)).isZero();
        List<Command> inserts = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            inserts.add(Commands.insert(ref()));
        }
        other.apply(inserts);
        assertThat(other.due(100)).isZero();
        inserts.forEach(insert -> DynamoAccess.age(client, "backlog", insert.ref(), Duration.ofDays(3)));

        assertThat(other.due(100)).isEqualTo(40);
        assertThat(other.due(7)).isEqualTo(7);
    }

    /** The index is optional: without it, a claim costs less. */
    @Test
    void withoutItsIndexOnlyListsFail() {
        DynamoMigration.of(client, "unlisted").withoutLists().run();
        DynamoClaimStore unlisted = DynamoClaimStore.on(client, "unlisted");
        Command.Insert insert = Commands.insert(ref());
        applied(unlisted, insert);

        assertThat(unlisted.find(insert.ref())).isPresent();
        assertThat(unlisted.withPrefix(tenant, insert.ref().digest().hex(), 10)).hasSize(1);
        assertThat(unlisted.due(10)).isZero();
        assertThat(unlisted.onlyFoundBy(Commands.SECRET_ID)).isEqualTo(1);
        assertThatThrownBy(() -> unlisted.page(Query.of(tenant, 10)))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.REJECTED))
                .hasMessageContaining("has no index \"listed\"")
                .hasMessageContaining("DynamoMigration");
    }
}
