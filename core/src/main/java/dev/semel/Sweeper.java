// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.claim.SweepReport;
import dev.semel.lane.Pauses;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Cleans up on a schedule, in small batches, and rests three times as long after each as it took: on a fast database
 * it deletes faster than anybody can claim, on a slow one it leaves three quarters of a connection to others.
 */
final class Sweeper {
    private static final Logger LOG = LoggerFactory.getLogger(Semel.class);
    private static final long SHORTEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(5);
    private static final int REST = 3;

    private final StoreGateway gateway;
    private final ScheduledExecutorService timer;
    private final Pauses pauses;
    private final Events events;
    private final int batch;
    private @Nullable CompletableFuture<SweepReport> underWay;

    Sweeper(StoreGateway gateway, ScheduledExecutorService timer, Pauses pauses, Events events, int batch) {
        this.gateway = gateway;
        this.timer = timer;
        this.pauses = pauses;
        this.events = events;
        this.batch = batch;
    }

    /** Sweeps at this interval, from a random moment within the first: many instances must not start as one. */
    void every(Duration interval) {
        long nanos = interval.toNanos();
        timer.scheduleWithFixedDelay(
                () -> sweep().exceptionally(failure -> {
                    LOG.warn("A sweep failed and is tried again in {}: {}", interval, failure.toString());
                    return SweepReport.NOTHING;
                }),
                ThreadLocalRandom.current().nextLong(nanos),
                nanos,
                TimeUnit.NANOSECONDS);
    }

    /** Sweeps until nothing is left; whoever asks while that is under way gets the same sweep. */
    synchronized CompletableFuture<SweepReport> sweep() {
        if (underWay == null || underWay.isDone()) {
            underWay = next(SweepReport.NOTHING).thenApply(report -> {
                events.swept(report);
                return report;
            });
        }
        return underWay;
    }

    private CompletableFuture<SweepReport> next(SweepReport sofar) {
        long start = System.nanoTime();
        return gateway.sweep(batch).thenCompose(report -> {
            SweepReport sum = sofar.plus(report);
            long pause = Math.max(SHORTEST_PAUSE, REST * (System.nanoTime() - start));
            return report.more()
                    ? pauses.after(pause).thenCompose(goOn -> goOn ? next(sum) : CompletableFuture.completedFuture(sum))
                    : CompletableFuture.completedFuture(sum);
        });
    }
}
