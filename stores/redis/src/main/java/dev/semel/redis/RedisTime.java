// SPDX-License-Identifier: Apache-2.0
package dev.semel.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/**
 * What Redis' own clock said, and when that was by this process's steady one. Entries get their end by Redis' clock: a
 * command that was stuck on its way for a minute must not keep its entry for a minute longer. No other machine's clock
 * is asked.
 *
 * @param millis what it said; when the answer arrived it was at least that
 * @param arrived {@link System#nanoTime} at that moment
 */
record RedisTime(long millis, long arrived) {
    /** Two clocks run apart by less than a millisecond in this time. */
    private static final long TRUSTED_NANOS = Duration.ofSeconds(10).toNanos();

    /** Reads the answer to TIME: seconds and microseconds. */
    static RedisTime of(List<byte[]> answer) {
        long seconds = Long.parseLong(new String(answer.get(0), StandardCharsets.US_ASCII));
        long micros = Long.parseLong(new String(answer.get(1), StandardCharsets.US_ASCII));
        return new RedisTime(Math.addExact(Math.multiplyExact(seconds, 1_000L), micros / 1_000), System.nanoTime());
    }

    boolean isTrusted() {
        return System.nanoTime() - arrived < TRUSTED_NANOS;
    }

    /** When Redis has to forget what may be kept for so long from that moment. Rather too early than too late. */
    long deadline(long fromNanos, Duration keepFor) {
        return millis + Math.floorDiv(fromNanos - arrived, 1_000_000L) + keepFor.toMillis();
    }
}
