// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.doctor;

import dev.semel.admin.Cleanup;
import dev.semel.jdbc.JdbcClaimStore;
import dev.semel.server.config.CleanupSettings;
import dev.semel.spi.JobLeases.JobRun;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Claims that wait to be deleted although the cleanup should have deleted them. */
final class CleanupCheck {
    private static final long MAX_BACKLOG = 10_000;
    private static final int MAX_COUNTED = 1_000_000;

    /** How much later than planned a run may start. */
    private static final Duration LATE = Duration.ofHours(2);

    private CleanupCheck() {}

    /** @param now the time by the clock of this machine; the check of the clock finds large differences */
    static Optional<Finding> of(JdbcClaimStore claims, CleanupSettings settings, Instant now) {
        long due = claims.due(MAX_COUNTED);
        if (due <= MAX_BACKLOG) {
            return Optional.empty();
        }
        return problem(claims.last(Cleanup.JOB), settings, now)
                .map(reason -> Finding.warning(
                        "cleanup.backlog",
                        "%d claims wait to be deleted: %s".formatted(due, reason),
                        "Run `semel cleanup`, and check that a server with the cleanup switched on is running"));
    }

    /** Empty if the next run deletes the claims, because they have expired since the last one. */
    private static Optional<String> problem(Optional<JobRun> last, CleanupSettings settings, Instant now) {
        if (last.isEmpty()) {
            return Optional.of("the cleanup has never run");
        }
        JobRun run = last.get();
        Duration interval = settings.at().isPresent() ? Duration.ofDays(1) : settings.every();
        if (run.running()) {
            return Optional.empty();
        }
        if (run.startedAt().plus(interval).plus(LATE).isBefore(now)) {
            return Optional.of("the last cleanup was started at " + run.startedAt());
        }
        boolean complete = run.report() != null && run.report().contains("\"complete\":true");
        return complete ? Optional.empty() : Optional.of("the last cleanup could not delete all of them");
    }
}
