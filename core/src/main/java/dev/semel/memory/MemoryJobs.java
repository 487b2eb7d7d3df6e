// SPDX-License-Identifier: Apache-2.0
package dev.semel.memory;

import dev.semel.spi.JobLeases.JobRun;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The jobs of a {@link MemoryClaimStore}, under its lock. */
final class MemoryJobs {
    private final Map<String, Job> jobs = new HashMap<>();

    boolean start(String name, String holder, Duration lease, Duration pause, Instant now) {
        Job last = jobs.get(name);
        boolean free = last == null
                || (!last.heldUntil.isAfter(now)
                        && !last.run.startedAt().plus(pause).isAfter(now));
        if (free) {
            jobs.put(name, new Job(new JobRun(holder, now, true, null, null), now.plus(lease)));
        }
        return free;
    }

    boolean extend(String name, String holder, Duration lease, Instant now) {
        Job running = jobs.get(name);
        if (running == null || !running.isHeldBy(holder)) {
            return false;
        }
        jobs.put(name, new Job(running.run, now.plus(lease)));
        return true;
    }

    void end(String name, String holder, String report, Instant now) {
        Job running = jobs.get(name);
        if (running != null && running.isHeldBy(holder)) {
            jobs.put(name, new Job(new JobRun(holder, running.run.startedAt(), false, now, report), now));
        }
    }

    Optional<JobRun> last(String name, Instant now) {
        return Optional.ofNullable(jobs.get(name)).map(job -> job.seenAt(now));
    }

    private record Job(JobRun run, Instant heldUntil) {
        JobRun seenAt(Instant now) {
            boolean running = run.running() && heldUntil.isAfter(now);
            return new JobRun(run.holder(), run.startedAt(), running, run.endedAt(), run.report());
        }

        boolean isHeldBy(String holder) {
            return run.holder().equals(holder) && run.endedAt() == null;
        }
    }
}
