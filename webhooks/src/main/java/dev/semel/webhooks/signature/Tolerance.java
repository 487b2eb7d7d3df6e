// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.signature;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/**
 * How far a signed timestamp may be from the current time. Past and future have separate limits, because one limit for both
 * would double the time in which a captured delivery can be sent again.
 *
 * @param past the maximum age of a delivery; zero means any age
 * @param future how far ahead the sender's clock may be
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

    /** This maximum age, and at most one minute in the future. */
    public static Tolerance of(Duration past) {
        return new Tolerance(past, CLOCK_SKEW);
    }

    /** Whether this timestamp, in seconds since 1970, is valid and within the tolerance. */
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
