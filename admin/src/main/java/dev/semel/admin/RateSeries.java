// SPDX-License-Identifier: Apache-2.0
package dev.semel.admin;

import dev.semel.ClaimEvent.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Counts by five seconds, for a chart of the last ten minutes. Not safe for several threads. */
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

    private final int[] counts = new int[POINTS * LINES];

    /** The newest point that was counted. */
    private long newest = Long.MIN_VALUE;

    void add(long now, Line line) {
        advance(number(now));
        counts[place(newest) + line.place]++;
    }

    /** The counts of each point, oldest first. The last one is not over yet. */
    List<int[]> points(long now) {
        advance(number(now));
        List<int[]> points = new ArrayList<>(POINTS);
        for (long number = newest - POINTS + 1; number <= newest; number++) {
            int[] point = new int[LINES];
            System.arraycopy(counts, place(number), point, 0, LINES);
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
    private void advance(long number) {
        if (newest == Long.MIN_VALUE) {
            newest = number;
            return;
        }
        long first = Math.max(newest + 1, number - POINTS + 1);
        for (long fresh = first; fresh <= number; fresh++) {
            Arrays.fill(counts, place(fresh), place(fresh) + LINES, 0);
        }
        newest = Math.max(newest, number);
    }
}
