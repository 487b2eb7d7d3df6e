// SPDX-License-Identifier: Apache-2.0
package dev.semel.admin;

import dev.semel.ClaimListener;
import dev.semel.claim.SweepReport;
import dev.semel.spi.ClaimBrowser;
import dev.semel.spi.ClaimStore;
import dev.semel.spi.HistoryStore;
import dev.semel.spi.JobLeases;
import dev.semel.spi.JobLeases.JobRun;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes what has expired: claims, old history, and the rows of further tasks. One process at a time does it, by a lease in the
 * store. It works in small batches and rests after each three times as long as the batch took, so that it uses a connection for
 * at most a quarter of the time.
 */
public final class Cleanup {
    /** The name of the job. */
    public static final String JOB = "cleanup";

    private static final Logger LOG = LoggerFactory.getLogger(Cleanup.class);
    private static final long MAX_DAYS = 36_500;

    private final ClaimStore store;
    private final HistoryStore history;
    private final ClaimBrowser browser;
    private final JobLeases jobs;
    private final Duration keepHistory;
    private final @Nullable Duration keepDecisions;
    private final List<CleanupTask> tasks;
    private final List<ClaimListener> listeners;
    private final CountDownLatch stopped = new CountDownLatch(1);

    private Cleanup(
            ClaimStore store,
            HistoryStore history,
            ClaimBrowser browser,
            JobLeases jobs,
            Duration keepHistory,
            @Nullable Duration keepDecisions,
            List<CleanupTask> tasks,
            List<ClaimListener> listeners) {
        this.store = store;
        this.history = history;
        this.browser = browser;
        this.jobs = jobs;
        this.keepHistory = keepHistory;
        this.keepDecisions = keepDecisions;
        this.tasks = List.copyOf(tasks);
        this.listeners = List.copyOf(listeners);
    }

    /**
     * The cleanup of a store.
     *
     * @param keepHistory how long take-overs, conflicts and parks are kept: up to 36,500 days
     * @param keepDecisions how long operators' decisions are kept, up to 36,500 days; null for ever
     * @param tasks delete rows of further tables
     * @param listeners receive {@link ClaimListener#onSweep}, as from an engine that sweeps by itself
     * @throws IllegalArgumentException if the store has no browser, no history or no jobs, or a time is out of range
     */
    public static Cleanup of(
            ClaimStore store,
            Duration keepHistory,
            @Nullable Duration keepDecisions,
            List<CleanupTask> tasks,
            List<ClaimListener> listeners) {
        if (store instanceof HistoryStore history
                && store instanceof ClaimBrowser browser
                && store instanceof JobLeases jobs) {
            return new Cleanup(
                    store,
                    history,
                    browser,
                    jobs,
                    bounded(Objects.requireNonNull(keepHistory, "The retention must not be null")),
                    keepDecisions == null ? null : bounded(keepDecisions),
                    tasks,
                    listeners);
        }
        throw new IllegalArgumentException("The store %s does not implement ClaimBrowser, HistoryStore and JobLeases"
                .formatted(store.getClass().getName()));
    }

    /** A negative age would delete everything, and some databases have no time that is very long ago. */
    private static Duration bounded(Duration age) {
        if (age.isNegative() || age.toDays() > MAX_DAYS) {
            throw new IllegalArgumentException(
                    "History and decisions can be kept for 0 to 36,500 days, but not for " + age);
        }
        return age;
    }

    /** How many claims wait to be deleted, counted up to a limit. */
    public long backlog(int limit) {
        return browser.due(limit);
    }

    /** How many rows of each further task wait to be deleted, each counted up to a limit. */
    public Map<String, Long> backlogOfTasks(int limit) {
        Map<String, Long> due = new TreeMap<>();
        tasks.forEach(task -> due.put(task.name(), (long) task.due().applyAsInt(limit)));
        return due;
    }

    /** The last run, of any process. */
    public Optional<JobRun> last() {
        return jobs.last(JOB);
    }

    /**
     * Runs now, unless another process does, or the last start was too recently. Blocks until the run has ended.
     *
     * @param pause how long ago the last start must be; zero to run at once
     * @return what was deleted; empty if nothing ran
     * @throws dev.semel.claim.StoreException if the store failed; what was deleted before stays deleted
     */
    public Optional<CleanupReport> run(Duration pause) {
        return run(pause, soFar -> {});
    }

    /**
     * As {@link #run(Duration)}, and reports its progress.
     *
     * @param progress receives what was deleted so far, after each batch, on this thread
     */
    public Optional<CleanupReport> run(Duration pause, Consumer<CleanupReport> progress) {
        CleanupRun run = new CleanupRun(jobs, UUID.randomUUID().toString(), stopped, progress);
        if (!run.start(pause)) {
            return Optional.empty();
        }
        try {
            run.claims(store);
            run.history(limit -> history.purge(keepHistory, keepDecisions, limit));
            tasks.forEach(run::task);
            run.succeeded();
        } finally {
            run.end();
            SweepReport swept = run.swept();
            listeners.forEach(listener -> tell(listener, swept));
        }
        return Optional.of(run.report());
    }

    private static void tell(ClaimListener listener, SweepReport swept) {
        try {
            listener.onSweep(swept);
        } catch (RuntimeException | Error e) {
            LOG.warn("A listener failed: {}", e.toString());
        }
    }

    /** Ends a running cleanup after its current batch. This object starts no other. */
    public void stop() {
        stopped.countDown();
    }
}
