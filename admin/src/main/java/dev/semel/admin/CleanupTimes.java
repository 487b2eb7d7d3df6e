// SPDX-License-Identifier: Apache-2.0
package dev.semel.admin;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Objects;

/** When a cleanup runs. */
public sealed interface CleanupTimes {
    /**
     * How long to wait for the next attempt.
     *
     * @param first whether this process has made no attempt yet
     * @param random 0 to 1, so that instances do not start at the same moment
     */
    Duration untilNext(Instant now, boolean first, double random);

    /** How long ago the last start of any process must be, so that an attempt runs. */
    Duration pause();

    /**
     * At an interval. Every instance makes an attempt in each interval, and the first of them runs.
     *
     * @param interval at least a second
     */
    record Every(Duration interval) implements CleanupTimes {
        public Every {
            if (interval.compareTo(Duration.ofSeconds(1)) < 0 || interval.compareTo(Duration.ofDays(31)) > 0) {
                throw new IllegalArgumentException(
                        "The interval of the cleanup must be 1 second to 31 days, but is " + interval);
            }
        }

        @Override
        public Duration untilNext(Instant now, boolean first, double random) {
            return first ? part(interval, random) : interval;
        }

        /** A bit less than the interval, so that an attempt is not refused because a timer is early by a moment. */
        @Override
        public Duration pause() {
            return interval.multipliedBy(9).dividedBy(10);
        }
    }

    /** Once a day. All instances make their attempt within a minute after this time, and the first of them runs. */
    record Daily(LocalTime at, ZoneId zone) implements CleanupTimes {
        private static final Duration SPREAD = Duration.ofMinutes(1);

        public Daily {
            Objects.requireNonNull(at, "The time of the cleanup must not be null");
            Objects.requireNonNull(zone, "The time zone of the cleanup must not be null");
        }

        @Override
        public Duration untilNext(Instant now, boolean first, double random) {
            ZonedDateTime here = now.atZone(zone);
            ZonedDateTime next = here.with(at);
            // The attempt of today was made up to a minute after its time. The next one is tomorrow.
            if (!next.isAfter(here)) {
                next = here.plusDays(1).with(at);
            }
            return Duration.between(here, next).plus(part(SPREAD, random));
        }

        @Override
        public Duration pause() {
            return Duration.ofMinutes(30);
        }
    }

    private static Duration part(Duration whole, double random) {
        return Duration.ofMillis((long) (whole.toMillis() * random));
    }
}
