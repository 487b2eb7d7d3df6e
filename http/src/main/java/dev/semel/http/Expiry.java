// SPDX-License-Identifier: Apache-2.0
package dev.semel.http;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Tells a client when a stored answer expires, by this process's clock. Nothing is decided by it: the database's clock
 * decides what is replayed.
 *
 * @param epochSecond null for never
 */
record Expiry(@Nullable Long epochSecond) {
    private static final DateTimeFormatter HTTP_DATE = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    static Expiry after(Optional<Duration> ttl) {
        return new Expiry(
                ttl.map(left -> Instant.now().plus(left).getEpochSecond()).orElse(null));
    }

    /** The date as HTTP writes it. */
    Optional<String> httpDate() {
        return Optional.ofNullable(epochSecond).map(seconds -> HTTP_DATE.format(Instant.ofEpochSecond(seconds)));
    }
}
