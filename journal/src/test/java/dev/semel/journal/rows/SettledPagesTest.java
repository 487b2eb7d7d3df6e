// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.claim.StoreException;
import dev.semel.journal.MigratedDatabase;
import dev.semel.journal.page.Page;
import dev.semel.testservers.DatabaseKind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettledPagesTest {
    private static final PageRows<String> UNSETTLED = new PageRows<>(List.of(), false, true);

    @TempDir
    Path folder;

    private MigratedDatabase tables;
    private JournalDatabase database;

    @BeforeEach
    void open() {
        tables = MigratedDatabase.of(DatabaseKind.SQLITE, folder);
        database = new JournalDatabase(tables.dataSource(), 2, Duration.ofSeconds(2), Duration.ofMinutes(5));
    }

    @AfterEach
    void close() throws Exception {
        database.close();
        tables.close();
    }

    @Test
    void anUnsettledPageIsReadAgainAFewTimes() {
        AtomicInteger reads = new AtomicInteger();

        Page<String> page = page((connection, after, bounds) -> {
                    reads.incrementAndGet();
                    return UNSETTLED;
                })
                .join();

        assertThat(page.unsettled()).isTrue();
        assertThat(reads).hasValueBetween(2, 10);
    }

    /** The journal is closed while a page is being read that turns out to be unsettled, so that its pause begins during the close. */
    @Test
    void closingFailsAPageThatWaitsToBeReadAgain() throws Exception {
        CountDownLatch closing = new CountDownLatch(1);
        CountDownLatch reading = new CountDownLatch(1);
        database.onClose(closing::countDown);
        CompletableFuture<Page<String>> page = page((connection, after, bounds) -> {
            reading.countDown();
            met(closing);
            return UNSETTLED;
        });
        met(reading);

        CompletableFuture<Void> closed = CompletableFuture.runAsync(database::close);

        closed.get(30, TimeUnit.SECONDS);
        assertThat(page).as("the page, when close() has returned").isDone();
        assertThatThrownBy(page::join).hasCauseInstanceOf(StoreException.class);
    }

    @Test
    void closingEndsAPause() throws Exception {
        CompletableFuture<Boolean> pause =
                database.pause(TimeUnit.HOURS.toMillis(1)).toCompletableFuture();

        CompletableFuture.runAsync(database::close).get(30, TimeUnit.SECONDS);

        assertThat(pause).isDone();
        assertThatThrownBy(pause::join).hasCauseInstanceOf(StoreException.class);
    }

    private CompletableFuture<Page<String>> page(SettledPages.PageQuery<String> query) {
        return new SettledPages(database)
                .read(null, 10, 1_000, query, text -> text)
                .toCompletableFuture();
    }

    private static void met(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
