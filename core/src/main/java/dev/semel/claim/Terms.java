// SPDX-License-Identifier: Apache-2.0
package dev.semel.claim;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * The terms of a claim. Durations only: the store's clock turns them into points in time.
 *
 * @param lease how long ownership lasts without a renewal
 * @param maxRun how long renewals may prolong the lease in all; after that the claim can be taken over even if its work
 *     still runs
 * @param ttl how long the settled result is kept; empty for no limit
 * @param onStale what may happen once the lease has ended
 */
public record Terms(Duration lease, Duration maxRun, Optional<Duration> ttl, StalePolicy onStale) {
    /** Declared before the defaults, which are checked against it. */
    private static final Duration LONGEST = Duration.ofDays(36_500);

    /** A lease of five minutes, a maximum run time of an hour, a TTL of a day, run again when stale. */
    public static final Terms DEFAULT =
            new Terms(Duration.ofMinutes(5), Duration.ofHours(1), Optional.of(Duration.ofHours(24)), StalePolicy.RERUN);

    public Terms {
        bounded("A lease", lease);
        bounded("A maximum run time", maxRun);
        ttl.ifPresent(value -> bounded("A TTL", value));
        Objects.requireNonNull(onStale, "A stale policy must not be null");
        if (maxRun.compareTo(lease) < 0) {
            throw new IllegalArgumentException(
                    "A maximum run time must not be shorter than the lease, but %s < %s".formatted(maxRun, lease));
        }
    }

    /** These terms with another lease, and a maximum run time of twelve leases. */
    public Terms withLease(Duration value) {
        return new Terms(value, bounded("A lease", value).multipliedBy(12), ttl, onStale);
    }

    public Terms withMaxRun(Duration value) {
        return new Terms(lease, value, ttl, onStale);
    }

    public Terms withTtl(Duration value) {
        return new Terms(lease, maxRun, Optional.of(value), onStale);
    }

    /** These terms without expiry of results. */
    public Terms withoutExpiry() {
        return new Terms(lease, maxRun, Optional.empty(), onStale);
    }

    public Terms withOnStale(StalePolicy value) {
        return new Terms(lease, maxRun, ttl, value);
    }

    /**
     * Returns the duration.
     *
     * @param name the subject of the message
     * @throws IllegalArgumentException if it is shorter than 1 ms or longer than 100 years
     */
    public static Duration bounded(String name, Duration value) {
        Objects.requireNonNull(value, () -> name + " must not be null");
        if (value.compareTo(Duration.ofMillis(1)) < 0 || value.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "%s must be between 1 ms and 100 years, but is %s".formatted(name, value));
        }
        return value;
    }
}
