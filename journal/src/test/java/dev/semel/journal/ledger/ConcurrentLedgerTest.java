// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.ledger;

import static dev.semel.journal.Entries.entry;
import static dev.semel.journal.Entries.event;
import static dev.semel.journal.Entries.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.journal.Entries;
import dev.semel.journal.MigratedDatabase;
import dev.semel.journal.page.Page;
import dev.semel.testservers.DatabaseKind;
import dev.semel.testservers.EachDatabase;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/** Many threads and two instances on one database use the same keys. */
@ParameterizedClass
@EachDatabase
class ConcurrentLedgerTest {
    private static final int THREADS = 16;

    @Parameter
    DatabaseKind kind;

    @TempDir
    Path folder;

    private final ExecutorService clients = Executors.newFixedThreadPool(THREADS + 2);
    private MigratedDatabase database;
    private List<Ledger> ledgers;

    @BeforeEach
    void open() {
        database = MigratedDatabase.of(kind, folder);
        ledgers = List.of(database.journal().ledger(), database.journal().ledger());
    }

    @AfterEach
    void close() throws Exception {
        clients.shutdownNow();
        database.close();
    }

    @Test
    void everyKeyHasOneEventAndAllCallersGetItsId() throws Exception {
        int keys = 200;
        Map<String, Set<UUID>> ids = new ConcurrentHashMap<>();
        AtomicInteger written = new AtomicInteger();
        CountDownLatch start = new CountDownLatch(1);
        List<CompletableFuture<Void>> running = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            Ledger ledger = ledgers.get(i % 2);
            Random random = new Random(i);
            running.add(CompletableFuture.runAsync(
                    () -> {
                        await(start);
                        List<CompletableFuture<Void>> asked = new ArrayList<>();
                        for (int n = 0; n < keys; n++) {
                            String key = "key-" + random.nextInt(keys);
                            asked.add(ledger.ingest(entry(key))
                                    .thenAccept(answer -> {
                                        if (answer instanceof Ingestion.Written) {
                                            written.incrementAndGet();
                                        }
                                        ids.computeIfAbsent(key, any -> ConcurrentHashMap.newKeySet())
                                                .add(event(answer).id());
                                    })
                                    .toCompletableFuture());
                        }
                        asked.forEach(Entries::get);
                    },
                    clients));
        }
        start.countDown();
        running.forEach(Entries::get);

        assertThat(ids.values()).allMatch(one -> one.size() == 1);
        assertThat(written).hasValue(ids.size());
        assertThat(database.count("events")).isEqualTo(ids.size());
        assertThat(database.count("ledger_ingestion_idempotency")).isEqualTo(ids.size());
    }

    @Test
    void overlappingBatchesWriteOneEventForEachKey() throws Exception {
        List<CompletableFuture<List<Ingestion>>> batches = new ArrayList<>();
        List<List<String>> keys = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            Random random = new Random(i);
            List<String> own =
                    random.ints(400, 0, 300).mapToObj(n -> "key-" + n).toList();
            keys.add(own);
            batches.add(ledgers.get(i % 2)
                    .ingestAll(own.stream().map(Entries::entry).toList())
                    .toCompletableFuture());
        }
        Map<String, UUID> ids = new HashMap<>();
        for (int i = 0; i < 8; i++) {
            List<Ingestion> answers = get(batches.get(i));
            for (int n = 0; n < answers.size(); n++) {
                UUID id = event(answers.get(n)).id();
                UUID other = ids.putIfAbsent(keys.get(i).get(n), id);
                assertThat(other == null ? id : other).isEqualTo(id);
            }
        }
        assertThat(database.count("events")).isEqualTo(ids.size());
    }

    /** A thousand concurrent entries of one key need few batches. */
    @Test
    void concurrentEntriesOfOneKeyAreCoalesced() throws Exception {
        List<CompletableFuture<Ingestion>> all = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            all.add(ledgers.get(i % 2).ingest(entry("hot")).toCompletableFuture());
        }
        Set<UUID> ids = new HashSet<>();
        int written = 0;
        for (CompletableFuture<Ingestion> one : all) {
            ids.add(event(get(one)).id());
            written += get(one) instanceof Ingestion.Written ? 1 : 0;
        }
        assertThat(ids).hasSize(1);
        assertThat(written).isEqualTo(1);
    }

    /** Readers that follow the cursor at different speeds, while events are written, see every event once. */
    @Test
    void aReaderWithACursorMissesNothing() throws Exception {
        AtomicBoolean done = new AtomicBoolean();
        CompletableFuture<List<UUID>> reader =
                CompletableFuture.supplyAsync(() -> follow(done, Page.MAX_BYTES), clients);
        // A limit of so few bytes ends every page, and every page is read by two statements.
        CompletableFuture<List<UUID>> byBytes = CompletableFuture.supplyAsync(() -> follow(done, 150), clients);
        Set<UUID> written = ConcurrentHashMap.newKeySet();
        List<CompletableFuture<Void>> running = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            int client = i;
            Ledger ledger = ledgers.get(i % 2);
            running.add(CompletableFuture.runAsync(
                    () -> {
                        for (int n = 0; n < 60; n++) {
                            if (n % 10 == client) {
                                List<LedgerEntry> batch = new ArrayList<>();
                                for (int m = 0; m < 100; m++) {
                                    batch.add(entry(client + "/" + n + "/" + m));
                                }
                                get(ledger.ingestAll(batch))
                                        .forEach(answer ->
                                                written.add(event(answer).id()));
                            } else {
                                written.add(event(get(ledger.ingest(entry(client + "-" + n))))
                                        .id());
                            }
                        }
                    },
                    clients));
        }
        running.forEach(Entries::get);
        done.set(true);

        for (List<UUID> read : List.of(get(reader), get(byBytes))) {
            assertThat(read).doesNotHaveDuplicates();
            assertThat(new HashSet<>(read)).isEqualTo(new HashSet<>(written));
        }
    }

    /** Reads until all events are written and a page is empty after that. */
    private List<UUID> follow(AtomicBoolean done, int maxBytes) {
        List<UUID> read = new ArrayList<>();
        String cursor = null;
        while (true) {
            boolean last = done.get();
            Page<LedgerEvent> page = get(ledgers.get(0).page("acme", cursor, 50, maxBytes));
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
