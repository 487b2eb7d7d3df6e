// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.inbox;

import dev.semel.claim.StoreException;
import dev.semel.journal.rows.JournalDatabase;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes acknowledged events after the retention, by the database's clock, in small batches. After each batch it pauses three
 * times as long as the batch took.
 */
final class InboxRetention {
    private static final Logger LOG = LoggerFactory.getLogger(InboxRetention.class);
    private static final Duration INTERVAL = Duration.ofHours(1);
    private static final int BATCH = 500;
    private static final long MIN_PAUSE_MILLIS = 5;
    private static final int PAUSE_FACTOR = 3;

    private final InboxReads reads;
    private final JournalDatabase database;
    private final Duration retention;
    private @Nullable CompletionStage<Long> running;

    InboxRetention(InboxReads reads, JournalDatabase database, Duration retention) {
        this.reads = reads;
        this.database = database;
        this.retention = retention;
    }

    /** Deletes expired events every hour. The first time is random, so that many instances do not start at the same time. */
    void start() {
        long interval = INTERVAL.toMillis();
        database.repeat(this::purgeQuietly, ThreadLocalRandom.current().nextLong(interval), interval);
    }

    private void purgeQuietly() {
        purge().whenComplete((deleted, failure) -> {
            if (failure != null) {
                LOG.warn("Deleting acknowledged inbox events failed; retrying within an hour: {}", failure.toString());
            } else if (deleted > 0) {
                LOG.info("Deleted {} acknowledged inbox events", deleted);
            }
        });
    }

    /** Deletes until nothing is left. Concurrent callers share one run. Fails with a {@link StoreException}. */
    synchronized CompletionStage<Long> purge() {
        if (running == null || running.toCompletableFuture().isDone()) {
            running = next(0);
        }
        return running;
    }

    private CompletionStage<Long> next(long before) {
        long start = System.nanoTime();
        return database.read(connection -> reads.purge(connection, retention, BATCH))
                .thenCompose(deleted -> {
                    long sum = before + deleted;
                    long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
                    return deleted < BATCH
                            ? CompletableFuture.completedFuture(sum)
                            : database.pause(Math.max(MIN_PAUSE_MILLIS, PAUSE_FACTOR * took))
                                    .thenCompose(paused -> next(sum));
                });
    }
}
