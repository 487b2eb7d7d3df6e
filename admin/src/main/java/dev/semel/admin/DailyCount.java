// SPDX-License-Identifier: Apache-2.0
package dev.semel.admin;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** A count that starts again at midnight, UTC. */
final class DailyCount {
    private Instant since;
    private long count;

    /** @param start when counting starts */
    DailyCount(Instant start) {
        this.since = start;
    }

    synchronized void add(Instant now) {
        roll(now);
        count++;
    }

    /** The count since {@link Counted#since}, which is midnight or the start, whichever is later. */
    synchronized Counted counted(Instant now) {
        roll(now);
        return new Counted(since, count);
    }

    private void roll(Instant now) {
        Instant midnight = now.truncatedTo(ChronoUnit.DAYS);
        if (since.isBefore(midnight)) {
            since = midnight;
            count = 0;
        }
    }

    /** What was counted, and since when. */
    record Counted(Instant since, long count) {}
}
