// SPDX-License-Identifier: Apache-2.0
package dev.semel.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.spi.JobLeases;
import dev.semel.spi.JobLeases.JobRun;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * The tests that a store with {@link JobLeases} must pass. A store's contract test adds them as a nested class, as those of
 * {@link CacheEpochContract}.
 */
public abstract class JobLeasesContract extends ContractGroup {
    private static final Duration HOUR = Duration.ofHours(1);

    private final String job = "job-" + UUID.randomUUID();

    /** Tests the jobs of the store that this contract tests. */
    protected JobLeasesContract(ClaimStoreContract contract) {
        super(contract);
    }

    /** The jobs of {@link ClaimStoreContract#store()}. */
    protected abstract JobLeases jobs();

    /** The same jobs, as a second process sees them. */
    protected abstract JobLeases secondJobs();

    @Test
    void oneProcessAtATimeRunsAJob() {
        assertThat(jobs().last(job)).isEmpty();
        assertThat(jobs().start(job, "one", HOUR, Duration.ZERO)).isTrue();
        assertThat(secondJobs().start(job, "two", HOUR, Duration.ZERO)).isFalse();
        assertThat(secondJobs().extend(job, "two", HOUR)).isFalse();
        assertThat(jobs().extend(job, "one", HOUR)).isTrue();
        secondJobs().end(job, "two", "not mine");
        assertThat(secondJobs().last(job).orElseThrow().endedAt()).isNull();
        assertThat(secondJobs().last(job).orElseThrow().running()).isTrue();

        jobs().end(job, "one", "42 rows");

        JobRun run = secondJobs().last(job).orElseThrow();
        assertThat(run.holder()).isEqualTo("one");
        assertThat(run.report()).isEqualTo("42 rows");
        assertThat(run.startedAt()).isAfter(Instant.now().minus(HOUR));
        assertThat(run.endedAt()).isAfterOrEqualTo(run.startedAt());
        assertThat(run.running()).isFalse();
        assertThat(jobs().extend(job, "one", HOUR)).as("it has ended").isFalse();
        assertThat(secondJobs().start(job, "two", HOUR, Duration.ZERO)).isTrue();
    }

    @Test
    void aJobPausesBetweenTwoStarts() {
        assertThat(jobs().start(job, "one", HOUR, HOUR)).as("the first start").isTrue();
        jobs().end(job, "one", "done");
        assertThat(jobs().start(job, "two", HOUR, HOUR)).isFalse();
        assertThat(jobs().start(job, "three", HOUR, Duration.ZERO)).isTrue();
    }

    @Test
    void aJobOfAProcessThatDisappearedIsStartedAgain() {
        assertThat(jobs().start(job, "one", Duration.ZERO, Duration.ZERO)).isTrue();
        JobRun disappeared = secondJobs().last(job).orElseThrow();
        assertThat(disappeared.running()).as("its lease has ended").isFalse();
        assertThat(disappeared.endedAt()).isNull();
        assertThat(secondJobs().start(job, "two", HOUR, Duration.ZERO)).isTrue();
        assertThat(jobs().extend(job, "one", HOUR)).isFalse();
        jobs().end(job, "one", "late");
        assertThat(jobs().last(job).orElseThrow().holder()).isEqualTo("two");
        assertThat(jobs().last(job).orElseThrow().report()).isNull();
    }

    @Test
    void concurrentStartsHaveOneWinner() {
        List<Boolean> started = ConcurrentThreads.run(
                8,
                thread -> () ->
                        (thread % 2 == 0 ? jobs() : secondJobs()).start(job, "run-" + thread, HOUR, Duration.ZERO));
        assertThat(started).containsOnlyOnce(true);
    }
}
