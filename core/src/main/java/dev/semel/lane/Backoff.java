// SPDX-License-Identifier: Apache-2.0
package dev.semel.lane;

/** Random pauses before retries, so that callers that failed together do not retry together. */
public final class Backoff {
    private static final int MAX_DOUBLINGS = 8;

    private Backoff() {}

    /** A random time from half of this pause up to the whole of it. */
    public static long jittered(long nanos) {
        return jittered(Environment.SYSTEM, nanos);
    }

    /** As {@link #jittered(long)}, with the random numbers of this environment. */
    public static long jittered(Environment environment, long nanos) {
        return environment.random(nanos / 2, nanos + 1);
    }

    /**
     * A random time whose limit doubles with each attempt, up to the eighth.
     *
     * @param attempt the attempt that failed, from 1
     * @return nanoseconds: at least {@code shortest}, less than {@code shortest * 2^(attempt + 1)}
     */
    public static long afterAttempt(int attempt, long shortest) {
        return Environment.SYSTEM.random(shortest, (2 * shortest) << Math.min(attempt, MAX_DOUBLINGS));
    }
}
