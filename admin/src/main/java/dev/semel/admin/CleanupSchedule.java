// SPDX-License-Identifier: Apache-2.0
package dev.semel.admin;

import dev.semel.claim.StoreException;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs a cleanup on a thread of its own: by schedule and on demand. */
public final class CleanupSchedule implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Cleanup.class);
    private static final long MAX_CLOSE_SECONDS = 5;

    private final Cleanup cleanup;
    private final CleanupTimes times;
    private final InstantSource clock;
    private final ScheduledThreadPoolExecutor timer;
    private @Nullable CompletableFuture<Optional<CleanupReport>> demanded;

    private CleanupSchedule(Cleanup cleanup, CleanupTimes times, InstantSource clock) {
        this.cleanup = cleanup;
        this.times = times;
        this.clock = clock;
        this.timer = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "semel-cleanup");
            thread.setDaemon(true);
            return thread;
        });
        timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /** Starts the schedule. */
    public static CleanupSchedule start(Cleanup cleanup, CleanupTimes times) {
        // This machine's clock only says when it is three o'clock. The store's clock decides what has expired and who
        // runs.
        return start(cleanup, times, Clock.system(ZoneOffset.UTC));
    }

    static CleanupSchedule start(Cleanup cleanup, CleanupTimes times, InstantSource clock) {
        CleanupSchedule schedule = new CleanupSchedule(cleanup, times, clock);
        schedule.next(true);
        return schedule;
    }

    private void next(boolean first) {
        Duration delay = times.untilNext(
                clock.instant(), first, ThreadLocalRandom.current().nextDouble());
        try {
            timer.schedule(this::scheduled, delay.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            // The schedule is closed.
        }
    }

    private void scheduled() {
        try {
            run(times.pause());
        } catch (StoreException e) {
            LOG.warn("Cleanup failed; the next attempt follows the schedule: {}", e.kind());
        } catch (RuntimeException | Error e) {
            LOG.error("Cleanup failed; the next attempt follows the schedule", e);
        } finally {
            next(false);
        }
    }

    private Optional<CleanupReport> run(Duration pause) {
        Optional<CleanupReport> report = cleanup.run(pause);
        report.ifPresent(done -> LOG.atInfo()
                .addKeyValue("rows", done.rows())
                .addKeyValue("claims", done.claims())
                .log("Cleanup: {}", done.text()));
        return report;
    }

    /**
     * Runs now, after a run of this process that is in progress. Concurrent callers share a run. Empty if another process runs
     * it. Fails with a {@link StoreException}.
     */
    public synchronized CompletableFuture<Optional<CleanupReport>> runNow() {
        if (demanded == null || demanded.isDone()) {
            CompletableFuture<Optional<CleanupReport>> answer = new CompletableFuture<>();
            try {
                timer.execute(() -> complete(answer));
            } catch (RejectedExecutionException e) {
                answer.complete(Optional.empty());
            }
            demanded = answer;
        }
        return demanded.copy();
    }

    private void complete(CompletableFuture<Optional<CleanupReport>> answer) {
        try {
            answer.complete(run(Duration.ZERO));
        } catch (RuntimeException | Error e) {
            // Without an answer, all later callers would wait for this run.
            LOG.warn("Cleanup failed: {}", e.toString());
            answer.completeExceptionally(e);
        }
    }

    /** The cleanup that runs. */
    public Cleanup cleanup() {
        return cleanup;
    }

    /** When it runs. */
    public CleanupTimes times() {
        return times;
    }

    /** Ends a running cleanup after its current batch, and stops the schedule. */
    @Override
    public void close() {
        cleanup.stop();
        timer.shutdown();
        try {
            timer.awaitTermination(MAX_CLOSE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        synchronized (this) {
            if (demanded != null) {
                demanded.complete(Optional.empty());
            }
        }
    }
}
