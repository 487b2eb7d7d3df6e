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
 * The time at which a stored answer expires, according to this process's clock. It only informs clients: the database's
 * clock decides which answers are replayed.
 *
 * @param epochSecond null if it never expires
 */
record Expiry(@Nullable Long epochSecond) {
    private static final DateTimeFormatter HTTP_DATE = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    static Expiry after(Optional<Duration> ttl) {
        return new Expiry(
                ttl.map(left -> Instant.now().plus(left).getEpochSecond()).orElse(null));
    }

    /** The time in the format of HTTP headers. */
    Optional<String> httpDate() {
        return Optional.ofNullable(epochSecond).map(seconds -> HTTP_DATE.format(Instant.ofEpochSecond(seconds)));
    }
}
