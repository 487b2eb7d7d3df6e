// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

import static dev.semel.journal.Entries.call;
import static dev.semel.journal.Entries.entry;
import static dev.semel.journal.Entries.event;
import static dev.semel.journal.Entries.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.jdbc.JdbcClaimStore;
import dev.semel.journal.calls.CallOutcome;
import dev.semel.journal.calls.CallOutcome.Reason;
import dev.semel.journal.ledger.Ingestion;
import dev.semel.journal.ledger.LedgerEvent;
import dev.semel.replay.ProcessReplayCache;
import dev.semel.replay.ReplayCache;
import dev.semel.testservers.DatabaseKind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalCacheTest {
    @TempDir
    Path folder;

    private MigratedDatabase database;
    private JdbcClaimStore epoch;

    @BeforeEach
    void open() {
        database = MigratedDatabase.of(DatabaseKind.SQLITE, folder);
        epoch = JdbcClaimStore.on(database.dataSource());
    }

    @AfterEach
    void close() throws Exception {
        database.close();
    }

    private Journal cached(ReplayCache cache) {
        return database.journal(builder -> builder.replayCache(cache, epoch));
    }

    /** Records a call once results are cached, which begins when the epoch is known. */
    private UUID warm(Journal journal, ProcessReplayCache cache, String signature) {
        AtomicInteger count = new AtomicInteger();
        await().until(() -> {
            get(journal.calls().record(call("warm", "warm " + count.incrementAndGet())));
            return cache.size() > 0;
        });
        return ((CallOutcome.Inserted) get(journal.calls().record(call("site-1", signature)))).callId();
    }

    @Test
    void theReasonSaysWhereTheDuplicateWasFound() {
        ProcessReplayCache cache = new ProcessReplayCache(1_000_000);
        Journal journal = cached(cache);
        UUID id = warm(journal, cache, "signature");

        assertThat(get(journal.calls().record(call("site-1", "signature"))))
                .isEqualTo(new CallOutcome.Noop(id, Reason.REPLAY_CACHE));
        assertThat(get(database.journal().calls().record(call("site-1", "signature"))))
                .isEqualTo(new CallOutcome.Noop(id, Reason.IDEMPOTENT_CONFLICT));
    }

    @Test
    void aNewEpochInvalidatesTheCache() {
        ProcessReplayCache cache = new ProcessReplayCache(1_000_000);
        Journal journal = cached(cache);
        UUID id = warm(journal, cache, "signature");
        epoch.advance();

        await().atMost(Duration.ofSeconds(20))
                .until(() -> get(journal.calls().record(call("site-1", "signature")))
                        .equals(new CallOutcome.Noop(id, Reason.IDEMPOTENT_CONFLICT)));
    }

    @Test
    void theLedgerAnswersEqualEntriesFromTheCacheAndComparesOthers() throws Exception {
        ProcessReplayCache cache = new ProcessReplayCache(1_000_000);
        Journal journal = cached(cache);
        warm(journal, cache, "any");
        LedgerEvent first = event(get(journal.ledger().ingest(entry("acme", "k", "1"))));
        database.execute("DELETE FROM ledger_ingestion_idempotency");

        Ingestion again = get(journal.ledger().ingest(entry("acme", "k", "1")));

        assertThat(again).isInstanceOfSatisfying(Ingestion.Existing.class, existing -> {
            assertThat(existing.event()).isEqualTo(first);
            assertThat(existing.differs()).isFalse();
        });
        assertThat(get(journal.ledger().ingest(entry("acme", "k", "2"))))
                .as("the database was asked, and the key was deleted there")
                .isInstanceOf(Ingestion.Written.class);
    }

    @Test
    void aCacheThatFailsOrNeverAnswersChangesNoAnswer() {
        for (ReplayCache bad : new ReplayCache[] {new Failing(), new Silent()}) {
            Journal journal = cached(bad);
            UUID id = UUID.randomUUID();
            for (int i = 0; i < 20; i++) {
                CompletableFuture<CallOutcome> asked = journal.calls()
                        .record(call("site-1", bad.getClass().getName()))
                        .toCompletableFuture();
                await().atMost(Duration.ofSeconds(30)).until(asked::isDone);
                if (i == 0) {
                    id = ((CallOutcome.Inserted) asked.join()).callId();
                } else {
                    assertThat(asked.join()).isEqualTo(new CallOutcome.Noop(id, Reason.IDEMPOTENT_CONFLICT));
                }
            }
        }
    }

    private static final class Failing implements ReplayCache {
        @Override
        public CompletionStage<Optional<Entry>> get(Key key) {
            throw new IllegalStateException("unavailable");
        }

        @Override
        public void put(Key key, Entry entry, Duration keepFor) {
            throw new IllegalStateException("unavailable");
        }
    }

    private static final class Silent implements ReplayCache {
        @Override
        public CompletionStage<Optional<Entry>> get(Key key) {
            return new CompletableFuture<>();
        }

        @Override
        public void put(Key key, Entry entry, Duration keepFor) {}
    }
}
