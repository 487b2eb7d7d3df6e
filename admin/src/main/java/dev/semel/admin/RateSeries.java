// SPDX-License-Identifier: Apache-2.0
package dev.semel.admin;

import dev.semel.ClaimEvent.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;

/**
 * Counts by five seconds, for a chart of the last ten minutes. Counting takes no lock, except when a new point begins. A point is
 * emptied ten minutes after it was counted, so a thread that is late still finds its own.
 */
final class RateSeries {
    /** How long a point is. */
    static final Duration STEP = Duration.ofSeconds(5);

    /** How many points are kept. */
    static final int POINTS = 120;

    /** What the chart shows, in the order of a point's counts. */
    enum Line {
        HITS(0),
        MISSES(1),
        IN_PROGRESS(2),
        CONFLICTS(3),
        FAILURES(4);

        private final int place;

        Line(int place) {
            this.place = place;
        }

        /** The line that an event belongs to, or null if the chart does not show it. */
        static @Nullable Line of(Kind kind) {
            return switch (kind) {
                case REPLAYED, FAILURE_REPLAYED, REJECTION_REPLAYED -> HITS;
                case GRANTED, RETRIED, TAKEN_OVER -> MISSES;
                case IN_PROGRESS -> Line.IN_PROGRESS;
                case MISMATCH, ALIAS_CONFLICT -> CONFLICTS;
                case FAILED, FAILED_RETRYABLY -> FAILURES;
                default -> null;
            };
        }
    }

    private static final int LINES = Line.values().length;

    private final AtomicIntegerArray counts = new AtomicIntegerArray(POINTS * LINES);

    /** The newest point that was counted. */
    private volatile long newest = Long.MIN_VALUE;

    void add(long now, Line line) {
        long number = number(now);
        if (number > newest) {
            advance(number);
        }
        counts.incrementAndGet(place(number) + line.place);
    }

    /** The counts of each point, oldest first. The last one is not over yet. */
    List<int[]> points(long now) {
        advance(number(now));
        List<int[]> points = new ArrayList<>(POINTS);
        long last = newest;
        for (long number = last - POINTS + 1; number <= last; number++) {
            int[] point = new int[LINES];
            for (int line = 0; line < LINES; line++) {
                point[line] = counts.get(place(number) + line);
            }
            points.add(point);
        }
        return points;
    }

    /** How long the last point has lasted. */
    static Duration sinceStep(long now) {
        return Duration.ofNanos(Math.floorMod(now, STEP.toNanos()));
    }

    private static long number(long now) {
        return Math.floorDiv(now, STEP.toNanos());
    }

    private static int place(long number) {
        return Math.floorMod(number, POINTS) * LINES;
    }

    /** Empties the points that begin after the newest one. */
    private synchronized void advance(long number) {
        if (newest == Long.MIN_VALUE) {
            newest = number;
            return;
        }
        long first = Math.max(newest + 1, number - POINTS + 1);
        for (long fresh = first; fresh <= number; fresh++) {
            for (int line = 0; line < LINES; line++) {
                counts.set(place(fresh) + line, 0);
            }
        }
        newest = Math.max(newest, number);
    }
}
