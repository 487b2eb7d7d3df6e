// SPDX-License-Identifier: Apache-2.0
package dev.semel.admin;

import dev.semel.claim.StoreException;
import dev.semel.claim.SweepReport;
import dev.semel.spi.ClaimStore;
import dev.semel.spi.JobLeases;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntUnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One run of a cleanup, on one thread. After it was stopped or has lost its lease it deletes nothing more. */
final class CleanupRun {
    private static final Logger LOG = LoggerFactory.getLogger(Cleanup.class);
    private static final int BATCH = 500;
    private static final Duration LEASE = Duration.ofMinutes(2);
    private static final long SHORTEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long LONGEST_PAUSE = TimeUnit.SECONDS.toNanos(10);
    private static final int REST = 3;

    private final JobLeases jobs;
    private final String id;
    private final CountDownLatch stopped;
    private final Consumer<CleanupReport> progress;
    private CleanupReport report = CleanupReport.NOTHING;
    private SweepReport swept = SweepReport.NOTHING;
    private boolean goesOn = true;
    private boolean failed = true;

    /**
     * @param stopped is zero when the run has to end
     * @param progress receives what was deleted so far, after each batch
     */
    CleanupRun(JobLeases jobs, String id, CountDownLatch stopped, Consumer<CleanupReport> progress) {
        this.jobs = jobs;
        this.id = id;
        this.stopped = stopped;
        this.progress = progress;
    }

    boolean start(Duration pause) {
        return stopped.getCount() > 0 && jobs.start(Cleanup.JOB, id, LEASE, pause);
    }

    void claims(ClaimStore store) {
        boolean more = goesOn;
        while (more) {
            long started = System.nanoTime();
            SweepReport batch = store.sweep(BATCH);
            swept = swept.plus(batch);
            report = report.plus(batch);
            progress.accept(report);
            more = batch.more() && pause(started);
        }
    }

    void history(IntUnaryOperator purge) {
        repeat(purge, deleted -> report = report.plusHistory(deleted));
    }

    void task(CleanupTask task) {
        report = report.plusOthers(task.name(), 0);
        repeat(task.delete(), deleted -> report = report.plusOthers(task.name(), deleted));
    }

    private interface Counter {
        void add(int deleted);
    }

    private void repeat(IntUnaryOperator delete, Counter counter) {
        boolean more = goesOn;
        while (more) {
            long started = System.nanoTime();
            int deleted = delete.applyAsInt(BATCH);
            counter.add(deleted);
            progress.accept(report);
            more = deleted >= BATCH && pause(started);
        }
    }

    /** Rests three times as long as the batch took. False if the run has to end. */
    private boolean pause(long started) {
        long rest = Math.min(LONGEST_PAUSE, Math.max(SHORTEST_PAUSE, REST * (System.nanoTime() - started)));
        try {
            goesOn = !stopped.await(rest, TimeUnit.NANOSECONDS) && jobs.extend(Cleanup.JOB, id, LEASE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            goesOn = false;
        }
        return goesOn;
    }

    /** Nothing failed until here. */
    void succeeded() {
        failed = false;
    }

    /** Writes the report and gives the lease back. If that fails, the lease ends by itself. */
    void end() {
        if (goesOn && !failed) {
            report = report.completed();
        }
        // A store may refuse to wait on an interrupted thread, and the lease would stay.
        boolean interrupted = Thread.interrupted();
        try {
            jobs.end(Cleanup.JOB, id, new String(report.json().utf8(), StandardCharsets.UTF_8));
        } catch (StoreException e) {
            LOG.warn("The end of the cleanup was not recorded: {}", e.kind());
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    CleanupReport report() {
        return report;
    }

    /** What happened to the claims. */
    SweepReport swept() {
        return swept;
    }
}
