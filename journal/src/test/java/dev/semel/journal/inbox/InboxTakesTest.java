// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.inbox;

import static dev.semel.journal.Entries.get;
import static dev.semel.journal.InboxEntries.WAIT;
import static dev.semel.journal.InboxEntries.recorded;
import static dev.semel.journal.InboxEntries.sentBy;
import static dev.semel.journal.InboxEntries.text;
import static dev.semel.journal.InboxEntries.webhook;
import static dev.semel.journal.InboxEntries.webhookOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.claim.StoreException;
import dev.semel.journal.InboxEntries;
import dev.semel.journal.MigratedDatabase;
import dev.semel.journal.page.Page;
import dev.semel.testservers.DatabaseKind;
import dev.semel.testservers.EachDatabase;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass
@EachDatabase
class InboxTakesTest {
    private static final Duration HOUR = Duration.ofHours(1);

    @Parameter
    DatabaseKind kind;

    @TempDir
    Path folder;

    private MigratedDatabase database;
    private Inbox inbox;

    /** The same data, as another process sees it. */
    private Inbox second;

    @BeforeEach
    void open() {
        database = MigratedDatabase.of(kind, folder);
        inbox = InboxEntries.inbox(database);
        second = InboxEntries.inbox(database);
    }

    @AfterEach
    void close() throws Exception {
        database.close();
    }

    private UUID written(String key) {
        return recorded(get(inbox.record(webhook(key), WAIT)));
    }

    private static InboxTakeOrder order(@Nullable String provider, int max, Duration lease) {
        return new InboxTakeOrder("acme", provider, "worker", max, lease, Page.MAX_BYTES);
    }

    private static InboxTake taken(Inbox from, int max) {
        return get(from.take(order(null, max, HOUR)));
    }

    private static List<UUID> ids(InboxTake take) {
        return take.events().stream().map(InboxEvent::id).toList();
    }

    /** Lets the leases of all events end. */
    private void endLeases() {
        database.execute("UPDATE webhook_inbox SET taken_until = received_at WHERE taken_until IS NOT NULL");
    }

    @Test
    void twoConsumersTakeDifferentEvents_theOldestFirst() {
        UUID a = written("a");
        UUID b = written("b");
        UUID c = written("c");

        InboxTake first = taken(inbox, 2);
        InboxTake other = taken(second, 2);

        assertThat(ids(first)).containsExactly(a, b);
        assertThat(ids(other)).containsExactly(c);
        assertThat(text(other.events().get(0))).isEqualTo("{\"secret\":\"hidden-content\"}");
        assertThat(taken(inbox, 2).events()).as("the same call repeated").isEmpty();
        assertThat(get(inbox.page(InboxQuery.of("acme").onlyUnacknowledged(), null, 10))
                        .items())
                .as("cursor reads stay")
                .hasSize(3);
    }

    @Test
    void manyConsumersProcessEachEventOnce() {
        List<InboxEntry> entries = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            entries.add(webhook("many-" + i));
        }
        get(inbox.recordAll(entries, WAIT));
        ConcurrentLinkedQueue<UUID> processed = new ConcurrentLinkedQueue<>();

        CompletableFuture.allOf(Stream.of(inbox, second, inbox, second)
                        .map(consumer -> CompletableFuture.runAsync(() -> consumeAll(consumer, processed)))
                        .toArray(CompletableFuture<?>[]::new))
                .join();

        assertThat(processed).hasSize(60).doesNotHaveDuplicates();
        assertThat(get(inbox.awaitUntaken("acme", null, Duration.ZERO))).isFalse();
    }

    /** Skipped rows are not taken by anybody, so a consumer goes on until no event is left. */
    private static void consumeAll(Inbox consumer, ConcurrentLinkedQueue<UUID> processed) {
        while (get(consumer.awaitUntaken("acme", null, Duration.ZERO))) {
            InboxTake take = taken(consumer, 7);
            for (InboxEvent event : take.events()) {
                processed.add(event.id());
                assertThat(get(consumer.ack("acme", event.id(), take.token(), "worker")))
                        .isEqualTo(new Acknowledgement.Accepted());
            }
        }
    }

    @Test
    void theEventsOfAConsumerThatDisappearedAreTakenAgain() {
        UUID id = written("a");
        InboxTake lost = taken(inbox, 10);
        assertThat(taken(second, 10).events()).isEmpty();
        endLeases();

        InboxTake again = taken(second, 10);

        assertThat(ids(again)).containsExactly(id);
        assertThat(get(inbox.ack("acme", id, lost.token(), "late"))).isEqualTo(new Acknowledgement.Lost());
        assertThat(get(inbox.giveBack("acme", id, lost.token(), Duration.ZERO))).isEqualTo(new InboxReturn.Lost());
        assertThat(get(second.ack("acme", id, again.token(), "worker"))).isEqualTo(new Acknowledgement.Accepted());
        assertThat(get(inbox.ack("acme", id, lost.token(), "late"))).isInstanceOf(Acknowledgement.Before.class);
    }

    @Test
    void anAcknowledgementAfterTheLeaseCounts_ifNobodyElseTookTheEvent() {
        UUID id = written("a");
        InboxTake take = taken(inbox, 10);
        endLeases();

        assertThat(get(inbox.ack("acme", id, take.token(), "worker"))).isEqualTo(new Acknowledgement.Accepted());
        assertThat(get(inbox.ack("acme", id, take.token(), "worker")))
                .as("repeated")
                .isInstanceOf(Acknowledgement.Before.class);
        assertThat(taken(second, 10).events()).isEmpty();
        assertThat(get(inbox.giveBack("acme", id, take.token(), Duration.ZERO)))
                .isInstanceOf(InboxReturn.Acknowledged.class);
    }

    @Test
    void anEventThatIsGivenBackCanBeTakenAgain_afterADelayIfAsked() {
        UUID id = written("a");
        InboxTake first = taken(inbox, 10);
        assertThat(get(inbox.giveBack("acme", id, first.token(), Duration.ZERO)))
                .isEqualTo(new InboxReturn.Returned());
        assertThat(get(inbox.giveBack("acme", id, first.token(), Duration.ZERO)))
                .as("repeated")
                .isEqualTo(new InboxReturn.Returned());

        InboxTake next = taken(second, 10);
        assertThat(ids(next)).containsExactly(id);
        assertThat(get(inbox.giveBack("acme", id, first.token(), Duration.ZERO)))
                .as("another consumer holds it")
                .isEqualTo(new InboxReturn.Lost());
        assertThat(get(second.giveBack("acme", id, next.token(), HOUR))).isEqualTo(new InboxReturn.Returned());
        assertThat(taken(inbox, 10).events()).as("the delay").isEmpty();
        endLeases();
        assertThat(ids(taken(inbox, 10))).containsExactly(id);
    }

    @Test
    void providersAndTenantsAreSeparate_andTokensOfOthersAreRefused() {
        UUID paypal = written("a");
        UUID stripe = recorded(get(inbox.record(sentBy(webhook("b"), "stripe", "charge"), WAIT)));
        recorded(get(inbox.record(webhookOf("globex", "c", "{}"), WAIT)));

        assertThat(ids(get(inbox.take(order("stripe", 10, HOUR))))).containsExactly(stripe);
        InboxTake take = taken(inbox, 10);
        assertThat(ids(take)).containsExactly(paypal);

        assertThat(get(inbox.ack("globex", paypal, take.token(), "mallory"))).isEqualTo(new Acknowledgement.Unknown());
        assertThat(get(inbox.giveBack("globex", paypal, take.token(), HOUR))).isEqualTo(new InboxReturn.Unknown());
        assertThat(get(inbox.ack("acme", paypal, UUID.randomUUID(), "mallory"))).isEqualTo(new Acknowledgement.Lost());
        assertThat(get(inbox.ack("acme", UUID.randomUUID(), take.token(), "worker")))
                .isEqualTo(new Acknowledgement.Unknown());
    }

    @Test
    void bytesAreLimited_butOneEventIsAlwaysTaken() {
        for (int i = 0; i < 3; i++) {
            recorded(get(inbox.record(webhookOf("acme", "big-" + i, "x".repeat(65_536)), WAIT)));
        }
        InboxTakeOrder small = new InboxTakeOrder("acme", null, "worker", 10, HOUR, 1);
        InboxTakeOrder two = new InboxTakeOrder("acme", null, "worker", 10, HOUR, 140_000);

        assertThat(get(inbox.take(small)).events()).hasSize(1);
        assertThat(get(inbox.take(two)).events()).hasSize(2);
    }

    @Test
    void aWaitingConsumerIsWokenByAnEvent_andWaitsAreBounded() {
        CompletableFuture<Boolean> waiting =
                inbox.awaitUntaken("acme", "paypal", WAIT).toCompletableFuture();
        CompletableFuture<Boolean> elsewhere =
                second.awaitUntaken("acme", null, WAIT).toCompletableFuture();
        CompletableFuture<Boolean> stripe =
                inbox.awaitUntaken("acme", "stripe", WAIT).toCompletableFuture();
        written("a");

        assertThat(get(waiting)).isTrue();
        assertThat(get(elsewhere)).as("another process").isTrue();
        assertThat(stripe).isNotDone();
        Set<CompletableFuture<Boolean>> many = new HashSet<>();
        for (int i = 0; i < InboxWaiters.MAX_PER_TENANT; i++) {
            many.add(inbox.awaitUntaken("empty", null, WAIT).toCompletableFuture());
        }
        assertRefused("empty");
        assertThat(get(inbox.awaitUntaken("empty", null, Duration.ZERO)))
                .as("looking once is not waiting")
                .isFalse();
        while (many.size() < InboxWaiters.MAX_WAITING - 1) {
            many.add(inbox.awaitUntaken("tenant-" + many.size(), null, WAIT).toCompletableFuture());
        }
        assertRefused("another");
        assertThat(get(inbox.awaitUntaken("another", null, Duration.ZERO))).isFalse();

        inbox.endWaits();

        assertThat(get(stripe)).isFalse();
        many.forEach(wait -> assertThat(get(wait)).isFalse());
    }

    private void assertRefused(String tenant) {
        assertThatThrownBy(() -> inbox.awaitUntaken(tenant, null, WAIT)
                        .toCompletableFuture()
                        .get())
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(StoreException.class);
    }

    @Test
    void limitsAreChecked() {
        assertThatIllegalArgumentException().isThrownBy(() -> order(null, 0, HOUR));
        assertThatIllegalArgumentException().isThrownBy(() -> order(null, 101, HOUR));
        assertThatIllegalArgumentException().isThrownBy(() -> order(null, 1, Duration.ZERO));
        assertThatIllegalArgumentException().isThrownBy(() -> order(null, 1, Duration.ofDays(1)));
    }
}
