// SPDX-License-Identifier: Apache-2.0
package dev.semel.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/**
 * The time of Redis' clock at a moment of this process's monotonic clock. Entries expire at a fixed time of Redis' clock, so
 * that an entry whose command was delayed by a minute is not kept a minute longer. No other clock is used.
 *
 * @param millis the time of Redis' clock. It was at least this time when the answer arrived.
 * @param arrived {@link System#nanoTime} when the answer arrived
 */
record RedisTime(long millis, long arrived) {
    /** In this time, two clocks drift apart by less than a millisecond. */
    private static final long TRUSTED_NANOS = Duration.ofSeconds(10).toNanos();

    /** Reads the answer to the command TIME: seconds and microseconds. */
    static RedisTime of(List<byte[]> answer) {
        long seconds = Long.parseLong(new String(answer.get(0), StandardCharsets.US_ASCII));
        long micros = Long.parseLong(new String(answer.get(1), StandardCharsets.US_ASCII));
        return new RedisTime(Math.addExact(Math.multiplyExact(seconds, 1_000L), micros / 1_000), System.nanoTime());
    }

    boolean isTrusted() {
        return System.nanoTime() - arrived < TRUSTED_NANOS;
    }

    /** The expiry, by Redis' clock, of an entry that may be kept for this long from that moment. Rounded down. */
    long deadline(long fromNanos, Duration keepFor) {
        return millis + Math.floorDiv(fromNanos - arrived, 1_000_000L) + keepFor.toMillis();
    }
}
