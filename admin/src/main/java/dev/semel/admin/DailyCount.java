// SPDX-License-Identifier: Apache-2.0
package dev.semel.admin;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A count that starts again at midnight, UTC. Counting reads no clock but the monotonic one, which tells when to look at the other.
 * Counting takes no lock, except at midnight. An event of that moment may be counted for either day.
 */
final class DailyCount {
    private final Supplier<Instant> clock;
    private final LongAdder count = new LongAdder();
    private Instant since;

    /** When midnight is expected, in nanoseconds of the monotonic clock; null before the first event. */
    private volatile @Nullable Long midnight;

    /** @param start when counting starts */
    DailyCount(Instant start, Supplier<Instant> clock) {
        this.since = start;
        this.clock = clock;
    }

    /** @param nanos the monotonic clock */
    void add(long nanos) {
        Long expected = midnight;
        if (expected == null || nanos - expected >= 0) {
            roll(nanos);
        }
        count.increment();
    }

    private synchronized void roll(long nanos) {
        Instant now = clock.get();
        roll(now);
        midnight = nanos
                + Duration.between(now, midnightBefore(now).plus(1, ChronoUnit.DAYS))
                        .toNanos();
    }

    /** The count since {@link Counted#since}, which is midnight or the start, whichever is later. */
    synchronized Counted counted() {
        roll(clock.get());
        return new Counted(since, count.sum());
    }

    private void roll(Instant now) {
        Instant midnightBefore = midnightBefore(now);
        if (since.isBefore(midnightBefore)) {
            since = midnightBefore;
            count.reset();
        }
    }

    private static Instant midnightBefore(Instant now) {
        return now.truncatedTo(ChronoUnit.DAYS);
    }

    /** What was counted, and since when. */
    record Counted(Instant since, long count) {}
}
