// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

import dev.semel.claim.StoreException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Forgets events of the inbox, by the database's clock, in small batches, and rests three times as long after each as it
 * took.
 */
final class Retention {
    private static final Logger LOG = LoggerFactory.getLogger(Retention.class);
    private static final Duration INTERVAL = Duration.ofHours(1);
    private static final int BATCH = 500;
    private static final long SHORTEST_REST_MILLIS = 5;
    private static final int REST = 3;

    private final InboxReads reads;
    private final Reading reading;
    private final Duration keep;
    private @Nullable CompletionStage<Long> underWay;

    Retention(InboxReads reads, Reading reading, Duration keep) {
        this.reads = reads;
        this.reading = reading;
        this.keep = keep;
    }

    /** Every hour, from a random moment within the first: many instances must not start as one. */
    void start(JournalThreads threads) {
        long interval = INTERVAL.toMillis();
        threads.timer()
                .scheduleWithFixedDelay(
                        this::purgeQuietly,
                        ThreadLocalRandom.current().nextLong(interval),
                        interval,
                        TimeUnit.MILLISECONDS);
    }

    private void purgeQuietly() {
        purge().whenComplete((deleted, failure) -> {
            if (failure != null) {
                LOG.warn(
                        "Old events could not be deleted from the inbox, which is tried again: {}", failure.toString());
            } else if (deleted > 0) {
                LOG.info("Deleted {} acknowledged events from the inbox", deleted);
            }
        });
    }

    /** Until nothing is left; whoever asks while that is under way gets the same. Fails with a {@link StoreException}. */
    synchronized CompletionStage<Long> purge() {
        if (underWay == null || underWay.toCompletableFuture().isDone()) {
            underWay = next(0);
        }
        return underWay;
    }

    private CompletionStage<Long> next(long sofar) {
        long start = System.nanoTime();
        return reading.run((any, connection) -> reads.purge(connection, keep, BATCH))
                .thenCompose(deleted -> {
                    long sum = sofar + deleted;
                    long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
                    return deleted < BATCH
                            ? CompletableFuture.completedFuture(sum)
                            : reading.pause(Math.max(SHORTEST_REST_MILLIS, REST * took))
                                    .thenCompose(goOn -> goOn ? next(sum) : CompletableFuture.completedFuture(sum));
                });
    }
}
