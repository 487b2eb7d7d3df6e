// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.inbox;

import static dev.semel.journal.Entries.get;
import static dev.semel.journal.InboxEntries.WAIT;
import static dev.semel.journal.InboxEntries.paying;
import static dev.semel.journal.InboxEntries.recorded;
import static dev.semel.journal.InboxEntries.stored;
import static dev.semel.journal.InboxEntries.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.journal.Entries;
import dev.semel.journal.InboxEntries;
import dev.semel.journal.MigratedDatabase;
import dev.semel.journal.page.Page;
import dev.semel.testservers.DatabaseKind;
import dev.semel.testservers.EachDatabase;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/** Many callers and two instances on one database record the same events. */
@ParameterizedClass
@EachDatabase
class ConcurrentInboxTest {
    private static final int CALLERS = 64;

    @Parameter
    DatabaseKind kind;

    @TempDir
    Path folder;

    private final ExecutorService callers = Executors.newFixedThreadPool(CALLERS + 1);
    private MigratedDatabase database;
    private List<Inbox> inboxes;

    @BeforeEach
    void open() {
        database = MigratedDatabase.of(kind, folder);
        inboxes = List.of(InboxEntries.inbox(database), InboxEntries.inbox(database));
    }

    @AfterEach
    void close() throws Exception {
        callers.shutdownNow();
        database.close();
    }

    /** Runs all at the same time, each on its own thread. */
    private List<InboxOutcome> raced(List<InboxEntry> entries) {
        CountDownLatch start = new CountDownLatch(1);
        List<CompletableFuture<InboxOutcome>> running = IntStream.range(0, entries.size())
                .mapToObj(i -> CompletableFuture.supplyAsync(
                        () -> {
                            await(start);
                            return get(inboxes.get(i % 2).record(entries.get(i), WAIT));
                        },
                        callers))
                .toList();
        start.countDown();
        return running.stream().map(Entries::get).toList();
    }

    @Test
    void sixtyFourDuplicatesAreOneEvent_andAllCallersGetItsId() throws Exception {
        for (int round = 0; round < 5; round++) {
            InboxEntry entry = round % 2 == 0 ? webhook("ev_" + round) : webhook("ev_" + round, "tx_" + round);
            List<InboxOutcome> outcomes = raced(Collections.nCopies(CALLERS, entry));

            assertThat(outcomes)
                    .filteredOn(InboxOutcome.Recorded.class::isInstance)
                    .hasSize(1);
            assertThat(outcomes).extracting(InboxEntries::stored).containsOnly(stored(outcomes.get(0)));
        }
        assertThat(database.count("webhook_inbox")).isEqualTo(5);
    }

    /** Some entries have one key, some the other, some both. */
    @Test
    void anEventWithTwoKeysIsStoredOnce() throws Exception {
        recorded(get(inboxes.get(0).record(webhook("ev_0", "tx_0"), WAIT)));
        List<InboxEntry> entries = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            entries.add(
                    switch (i % 4) {
                        case 0 -> webhook("ev_0");
                        case 1 -> webhook("tx_0");
                        case 2 -> webhook("ev_1", "tx_1");
                        default -> webhook("tx_1", "ev_1");
                    });
        }
        List<InboxOutcome> outcomes = raced(entries);

        assertThat(outcomes).filteredOn(InboxOutcome.Recorded.class::isInstance).hasSize(1);
        assertThat(new HashSet<>(outcomes.stream().map(InboxEntries::stored).toList()))
                .hasSize(2);
        assertThat(database.count("webhook_inbox")).isEqualTo(2);
    }

    @Test
    void ofManyEventsAboutOnePaymentOneIsStored() throws Exception {
        List<InboxEntry> entries = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            entries.add(paying(webhook("ev_" + i), "payment-" + i % 4));
        }
        List<InboxOutcome> outcomes = raced(entries);

        assertThat(outcomes).filteredOn(InboxOutcome.Recorded.class::isInstance).hasSize(4);
        assertThat(outcomes)
                .filteredOn(InboxOutcome.PaymentDuplicate.class::isInstance)
                .hasSize(CALLERS - 4);
        assertThat(database.count("webhook_inbox")).isEqualTo(4);
    }

    /** Two overlapping deliveries of more than a hundred events, in different order. */
    @Test
    void overlappingDeliveriesWriteEachEventOnce() throws Exception {
        List<InboxEntry> first = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            first.add(i % 5 == 0 ? webhook("ev_" + i, "tx_" + i) : webhook("ev_" + i));
        }
        List<InboxEntry> second = new ArrayList<>(first.subList(50, 200));
        Collections.shuffle(second, new Random(3));
        CompletableFuture<List<InboxOutcome>> one =
                inboxes.get(0).recordAll(first, WAIT).toCompletableFuture();
        CompletableFuture<List<InboxOutcome>> other =
                inboxes.get(1).recordAll(second, WAIT).toCompletableFuture();

        Set<UUID> ids = new HashSet<>();
        List<InboxOutcome> outcomes = new ArrayList<>(get(one));
        outcomes.addAll(get(other));
        outcomes.forEach(outcome -> ids.add(stored(outcome)));
        assertThat(ids).hasSize(200);
        assertThat(outcomes).filteredOn(InboxOutcome.Recorded.class::isInstance).hasSize(200);
        assertThat(database.count("webhook_inbox")).isEqualTo(200);
    }

    /** A reader that follows the cursor while events are written sees every event once. */
    @Test
    void aReaderWithACursorMissesNothing() {
        AtomicBoolean done = new AtomicBoolean();
        CompletableFuture<List<UUID>> reader = CompletableFuture.supplyAsync(() -> follow(done), callers);
        Set<UUID> written = ConcurrentHashMap.newKeySet();
        List<CompletableFuture<Void>> running = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            int client = i;
            running.add(CompletableFuture.runAsync(
                    () -> {
                        for (int n = 0; n < 40; n++) {
                            String key = client + "-" + n;
                            InboxEntry entry = n % 3 == 0
                                    ? paying(webhook(key), key)
                                    : n % 3 == 1 ? webhook(key, "alias-" + key) : webhook(key);
                            written.add(recorded(get(inboxes.get(client % 2).record(entry, WAIT))));
                        }
                    },
                    callers));
        }
        running.forEach(Entries::get);
        done.set(true);

        List<UUID> read = get(reader);
        assertThat(read).doesNotHaveDuplicates();
        assertThat(new HashSet<>(read)).isEqualTo(written);
    }

    /** Reads until all events are written and a page is empty after that. */
    private List<UUID> follow(AtomicBoolean done) {
        List<UUID> read = new ArrayList<>();
        String cursor = null;
        while (true) {
            boolean last = done.get();
            Page<InboxEvent> page = get(inboxes.get(0).page(InboxQuery.of("acme"), cursor, 20));
            page.items().forEach(event -> read.add(event.id()));
            cursor = page.cursor();
            if (last && page.items().isEmpty()) {
                return read;
            }
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
