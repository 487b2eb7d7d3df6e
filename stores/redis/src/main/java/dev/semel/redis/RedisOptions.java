// SPDX-License-Identifier: Apache-2.0
package dev.semel.redis;

import java.time.Duration;
import java.util.Objects;

/**
 * The options of a {@link RedisReplayCache}. The {@link #defaults()} are for a Redis in the same data centre.
 *
 * @param largestEntry the maximum size of a cached result in bytes. Larger results come from the store.
 * @param keyPrefix the prefix of all keys in Redis, for access control lists or a shared Redis
 * @param commandTimeout the timeout of a command. The engine waits for at most 20 ms, so a longer timeout has no benefit.
 * @param connectTimeout the timeout of an attempt to connect
 * @param failures the number of consecutive failures after which Redis is not used
 * @param firstPause the approximate pause before the first new attempt
 * @param longestPause the maximum pause. The pause doubles with every failed attempt.
 */
public record RedisOptions(
        int largestEntry,
        String keyPrefix,
        Duration commandTimeout,
        Duration connectTimeout,
        int failures,
        Duration firstPause,
        Duration longestPause) {
    // Initialized before the defaults, whose check uses it.
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
                    "The largest entry must be 0 bytes to 16 MiB, but is " + largestEntry + " bytes");
        }
        if (!keyPrefix.chars().allMatch(c -> c > ' ' && c < 0x7f) || keyPrefix.length() > 64) {
            throw new IllegalArgumentException("A key prefix must consist of at most 64 visible ASCII characters");
        }
        check("The command timeout", commandTimeout);
        check("The connect timeout", connectTimeout);
        check("The first pause", firstPause);
        check("The longest pause", longestPause);
        if (failures < 1) {
            throw new IllegalArgumentException("The number of failures must be at least 1, but is " + failures);
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

    /** 64 KiB, {@code semel:replay:}, 20 ms, 2 s; disabled after 5 failures, for 100 ms at first and up to 5 s. */
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

    /** Disables Redis after this number of consecutive failures, with a first and a longest pause. */
    public RedisOptions withBreaker(int afterFailures, Duration first, Duration longest) {
        return new RedisOptions(largestEntry, keyPrefix, commandTimeout, connectTimeout, afterFailures, first, longest);
    }
}
