// SPDX-License-Identifier: Apache-2.0
package dev.semel.spi;

import dev.semel.internal.BoundedText;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Jobs that one process at a time runs, such as the cleanup. Optional: stores without it run their jobs in every process. The
 * store's clock decides.
 */
public interface JobLeases {
    /** The maximum length of a job's name, of a holder and of a report, in characters. */
    int MAX_NAME = 64;

    int MAX_HOLDER = 64;
    int MAX_REPORT = 1_024;

    /**
     * Starts a job, unless another process runs it or it was started too recently.
     *
     * @param holder this run of the job: a name that no other run has
     * @param lease how long the job may run before another process may start it; see {@link #extend}
     * @param pause how long ago the last start must be; zero to start at once
     */
    boolean start(String name, String holder, Duration lease, Duration pause);

    /** Prolongs the lease of a running job. False if another process runs it now. */
    boolean extend(String name, String holder, Duration lease);

    /** Ends a job with a report, so that it may be started again. Does nothing if another process runs it now. */
    void end(String name, String holder, String report);

    /** The last run of a job. */
    Optional<JobRun> last(String name);

    /**
     * A run of a job.
     *
     * @param running whether its lease lasts; false after it has ended, or some time after its process did
     * @param endedAt null while it runs, or if its process ended before it did
     * @param report null until it has ended
     */
    record JobRun(
            String holder,
            Instant startedAt,
            boolean running,
            @Nullable Instant endedAt,
            @Nullable String report) {}

    /** Checks names before they are stored. */
    static void check(String name, String holder) {
        BoundedText.check("A job's name", name, MAX_NAME);
        BoundedText.check("A job's holder", holder, MAX_HOLDER);
    }
}
