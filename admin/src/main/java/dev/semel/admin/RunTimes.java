// SPDX-License-Identifier: Apache-2.0
package dev.semel.admin;

import java.time.Duration;

/** A histogram of durations. Each bucket is a fifth wider than the one before, so quantiles are exact to about 20 %. */
final class RunTimes {
    private static final double GROWTH = 1.2;
    private static final double LOG_GROWTH = Math.log(GROWTH);
    private static final long FIRST_NANOS = 100_000;

    /** From 0.1 ms to about a day. */
    private static final int BUCKETS = 112;

    private final int[] buckets = new int[BUCKETS];
    private long count;

    void add(long nanos) {
        buckets[bucket(nanos)]++;
        count++;
    }

    void add(RunTimes other) {
        for (int i = 0; i < BUCKETS; i++) {
            buckets[i] += other.buckets[i];
        }
        count += other.count;
    }

    private static int bucket(long nanos) {
        if (nanos <= FIRST_NANOS) {
            return 0;
        }
        int bucket = (int) Math.ceil(Math.log((double) nanos / FIRST_NANOS) / LOG_GROWTH);
        return Math.min(BUCKETS - 1, bucket);
    }

    long count() {
        return count;
    }

    /** The upper end of the bucket that contains this quantile; zero if nothing was added. */
    Duration quantile(double quantile) {
        long rank = (long) Math.ceil(quantile * count);
        long seen = 0;
        for (int i = 0; i < BUCKETS; i++) {
            seen += buckets[i];
            if (rank > 0 && seen >= rank) {
                return Duration.ofNanos((long) (FIRST_NANOS * Math.pow(GROWTH, i)));
            }
        }
        return Duration.ZERO;
    }
}
