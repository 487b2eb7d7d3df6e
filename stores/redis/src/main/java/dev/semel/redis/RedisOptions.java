// SPDX-License-Identifier: Apache-2.0
package dev.semel.redis;

import java.time.Duration;
import java.util.Objects;

/**
 * How a {@link RedisReplayCache} behaves; {@link #defaults()} suit a Redis in the same data centre.
 *
 * @param largestEntry the most bytes a result may have to be kept: larger ones come from the store
 * @param keyPrefix what all keys in Redis begin with, for an access list or to share a Redis with others
 * @param commandTimeout when a command counts as failed; the engine waits for 20 ms, so that more is of no use to it
 * @param connectTimeout when an attempt to connect counts as failed
 * @param failures after how many failures in a row Redis is left alone
 * @param firstPause about how long it is left alone then
 * @param longestPause what the pause grows to, doubling, while Redis stays away
 */
public record RedisOptions(
        int largestEntry,
        String keyPrefix,
        Duration commandTimeout,
        Duration connectTimeout,
        int failures,
        Duration firstPause,
        Duration longestPause) {
    // Before the defaults, which are checked against it.
    private static final Duration LONGEST = Duration.ofHours(1);
    private static final RedisOptions DEFAULTS = new RedisOptions(
            64 * 1024,
            "semel:replay:",
            Duration.ofMillis(20),
            Duration.ofSeconds(2),
            5,
            Duration.ofMillis(100),
            Duration.ofSeconds(5));

    public RedisOptions {
        if (largestEntry < 0 || largestEntry > 16 * 1024 * 1024) {
            throw new IllegalArgumentException(
                    "The largest entry must have 0 bytes to 16 MiB, but has " + largestEntry + " bytes");
        }
        if (!keyPrefix.chars().allMatch(c -> c > ' ' && c < 0x7f) || keyPrefix.length() > 64) {
            throw new IllegalArgumentException("A key prefix must be at most 64 characters of visible ASCII");
        }
        check("The command time-out", commandTimeout);
        check("The connect time-out", connectTimeout);
        check("The first pause", firstPause);
        check("The longest pause", longestPause);
        if (failures < 1) {
            throw new IllegalArgumentException("Redis is left alone after at least 1 failure, not after " + failures);
        }
        if (longestPause.compareTo(firstPause) < 0) {
            throw new IllegalArgumentException("The longest pause must not be shorter than the first: %s < %s"
                    .formatted(longestPause, firstPause));
        }
    }

    private static void check(String name, Duration value) {
        Objects.requireNonNull(value, () -> name + " must not be null");
        if (value.compareTo(Duration.ofMillis(1)) < 0 || value.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("%s must be 1 ms to 1 h, but is %s".formatted(name, value));
        }
    }

    /** 64 KiB, {@code semel:replay:}, 20 ms, 2 s; alone after 5 failures, for 100 ms at first and up to 5 s. */
    public static RedisOptions defaults() {
        return DEFAULTS;
    }

    public RedisOptions withLargestEntry(int bytes) {
        return new RedisOptions(bytes, keyPrefix, commandTimeout, connectTimeout, failures, firstPause, longestPause);
    }

    public RedisOptions withKeyPrefix(String value) {
        return new RedisOptions(
                largestEntry, value, commandTimeout, connectTimeout, failures, firstPause, longestPause);
    }

    public RedisOptions withTimeouts(Duration command, Duration connect) {
        return new RedisOptions(largestEntry, keyPrefix, command, connect, failures, firstPause, longestPause);
    }

    /** Leaves Redis alone after so many failures in a row, for so long at first, and ever longer up to a bound. */
    public RedisOptions withBreaker(int afterFailures, Duration first, Duration longest) {
        return new RedisOptions(largestEntry, keyPrefix, commandTimeout, connectTimeout, afterFailures, first, longest);
    }
}
