// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.claim.SweepReport;
import dev.semel.lane.Environment;
import dev.semel.lane.Pauses;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes expired claims on a schedule, in small batches. After each batch it rests three times as long as the batch took,
 * so that a sweep uses a connection for at most a quarter of the time. A fast database still deletes faster than callers can
 * claim.
 */
final class Sweeper {
    private static final Logger LOG = LoggerFactory.getLogger(Semel.class);
    private static final long SHORTEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(5);
    private static final int REST = 3;

    private final Environment environment;
    private final StoreGateway gateway;
    private final ScheduledExecutorService timer;
    private final Pauses pauses;
    private final Events events;
    private final int batch;
    private @Nullable CompletableFuture<SweepReport> running;

    Sweeper(StoreGateway gateway, ScheduledExecutorService timer, Pauses pauses, Events events, int batch) {
        this.environment = gateway.environment();
        this.gateway = gateway;
        this.timer = timer;
        this.pauses = pauses;
        this.events = events;
        this.batch = batch;
    }

    /** Sweeps at this interval. The first sweep is at a random moment, so that instances do not start at the same time. */
    void every(Duration interval) {
        long nanos = interval.toNanos();
        timer.scheduleWithFixedDelay(
                () -> sweep().exceptionally(failure -> {
                    LOG.warn("Sweep failed; the next one runs in {}: {}", interval, failure.toString());
                    return SweepReport.NOTHING;
                }),
                environment.random(0, nanos),
                nanos,
                TimeUnit.NANOSECONDS);
    }

    /** Sweeps until nothing is left. Callers share a sweep that is in progress. */
    synchronized CompletableFuture<SweepReport> sweep() {
        if (running == null || running.isDone()) {
            running = next(SweepReport.NOTHING).thenApply(report -> {
                events.swept(report);
                return report;
            });
        }
        return running;
    }

    private CompletableFuture<SweepReport> next(SweepReport sofar) {
        long start = environment.nanoTime();
        return gateway.sweep(batch).thenCompose(report -> {
            SweepReport sum = sofar.plus(report);
            long pause = Math.max(SHORTEST_PAUSE, REST * (environment.nanoTime() - start));
            return report.more()
                    ? pauses.after(pause).thenCompose(goOn -> goOn ? next(sum) : CompletableFuture.completedFuture(sum))
                    : CompletableFuture.completedFuture(sum);
        });
    }
}
