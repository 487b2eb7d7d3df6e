// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.signature;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/**
 * How far a signed timestamp may be from now. Past and future are bounded apart: one bound for both would double the time
 * in which a captured delivery can be sent again.
 *
 * @param past how old a delivery may be; zero is any age
 * @param future how far ahead its sender's clock may be
 */
public record Tolerance(Duration past, Duration future) {
    private static final Duration CLOCK_SKEW = Duration.ofSeconds(60);

    public Tolerance {
        Objects.requireNonNull(past, "A tolerance must not be null");
        Objects.requireNonNull(future, "A tolerance must not be null");
        if (past.isNegative() || future.isNegative()) {
            throw new IllegalArgumentException("A tolerance must not be negative");
        }
    }

    /** So old, and at most a minute ahead. */
    public static Tolerance of(Duration past) {
        return new Tolerance(past, CLOCK_SKEW);
    }

    /** Whether this is a moment, in seconds since 1970, that is neither too old nor too new. */
    public boolean allows(String epochSeconds, Instant now) {
        if (!epochSeconds.matches("[0-9]{1,12}")) {
            return false;
        }
        return allows(Instant.ofEpochSecond(Long.parseLong(epochSeconds)), now);
    }

    public boolean allows(Instant sent, Instant now) {
        return past.isZero() || (!sent.isBefore(now.minus(past)) && !sent.isAfter(now.plus(future)));
    }
}
