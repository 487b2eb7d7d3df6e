// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.cleanup;

import dev.semel.ClaimListener;
import dev.semel.admin.Cleanup;
import dev.semel.admin.CleanupSchedule;
import dev.semel.admin.CleanupTask;
import dev.semel.admin.CleanupTimes;
import dev.semel.claim.StoreException;
import dev.semel.journal.Journal;
import dev.semel.journal.JournalRetention;
import dev.semel.journal.JournalRetention.Rows;
import dev.semel.server.config.CleanupSettings;
import dev.semel.server.storage.Storage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** Makes the cleanup of claims, history and journal. */
public final class ConfiguredCleanup {
    private ConfiguredCleanup() {}

    /**
     * The cleanup of one database.
     *
     * @param journal empty if the database has none
     * @param listeners receive the number of claims that were deleted
     */
    public static Cleanup of(
            Storage storage, Optional<Journal> journal, CleanupSettings settings, List<ClaimListener> listeners) {
        List<CleanupTask> tasks =
                journal.map(opened -> tasks(opened.retention(), settings)).orElse(List.of());
        return Cleanup.of(
                storage.claims(), settings.history(), settings.decisions().orElse(null), tasks, listeners);
    }

    private static List<CleanupTask> tasks(JournalRetention retention, CleanupSettings settings) {
        List<CleanupTask> tasks = new ArrayList<>();
        tasks.add(task(retention, Rows.INBOX_EVENTS, settings.inbox()));
        settings.calls().ifPresent(age -> tasks.add(task(retention, Rows.CALLS, age)));
        settings.ledgerKeys().ifPresent(age -> tasks.add(task(retention, Rows.LEDGER_KEYS, age)));
        return tasks;
    }

    /** Starts the schedule of a cleanup. */
    public static CleanupSchedule schedule(Cleanup cleanup, CleanupSettings settings) {
        return CleanupSchedule.start(
                cleanup,
                settings.at()
                        .<CleanupTimes>map(time -> new CleanupTimes.Daily(time, settings.zone()))
                        .orElseGet(() -> new CleanupTimes.Every(settings.every())));
    }

    private static CleanupTask task(JournalRetention retention, Rows rows, Duration age) {
        return new CleanupTask(
                rows.name().toLowerCase(Locale.ROOT),
                limit -> awaited(retention.delete(rows, age, limit)),
                limit -> awaited(retention.due(rows, age, limit)));
    }

    /** The cleanup has a thread of its own, which may wait. The journal bounds the wait. */
    private static int awaited(CompletionStage<Integer> rows) {
        try {
            return rows.toCompletableFuture().join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof StoreException failure ? failure : e;
        }
    }
}
