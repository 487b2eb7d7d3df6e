// SPDX-License-Identifier: Apache-2.0
package dev.semel.admin;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A count that starts again at midnight, UTC. Counting reads no clock but the monotonic one, which tells when to look at the other.
 * Not safe for several threads.
 */
final class DailyCount {
    private final Supplier<Instant> clock;
    private Instant since;
    private long count;

    /** When midnight is expected, in nanoseconds of the monotonic clock; the first event looks at the clock. */
    private @Nullable Long midnight;

    /** @param start when counting starts */
    DailyCount(Instant start, Supplier<Instant> clock) {
        this.since = start;
        this.clock = clock;
    }

    /** @param nanos the monotonic clock */
    void add(long nanos) {
        if (midnight == null || nanos - midnight >= 0) {
            Instant now = clock.get();
            roll(now);
            midnight = nanos
                    + Duration.between(now, midnightBefore(now).plus(1, ChronoUnit.DAYS))
                            .toNanos();
        }
        count++;
    }

    /** The count since {@link Counted#since}, which is midnight or the start, whichever is later. */
    Counted counted() {
        roll(clock.get());
        return new Counted(since, count);
    }

    private void roll(Instant now) {
        Instant midnightBefore = midnightBefore(now);
        if (since.isBefore(midnightBefore)) {
            since = midnightBefore;
            count = 0;
        }
    }

    private static Instant midnightBefore(Instant now) {
        return now.truncatedTo(ChronoUnit.DAYS);
    }

    /** What was counted, and since when. */
    record Counted(Instant since, long count) {}
}
