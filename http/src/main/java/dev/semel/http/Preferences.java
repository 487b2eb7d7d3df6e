// SPDX-License-Identifier: Apache-2.0
package dev.semel.http;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** Reads {@code Prefer: wait=N} (RFC 7240). A malformed preference is ignored, as the RFC requires. */
final class Preferences {
    private static final String WAIT = "wait=";
    private static final int MAX_DIGITS = 9;

    private Preferences() {}

    /** The time that the client is willing to wait. Only the first preference counts. */
    static Duration wait(List<String> prefer, Duration longest) {
        for (String line : prefer) {
            for (String preference : line.split(",", -1)) {
                String value = preference
                        .split(";", 2)[0]
                        .strip()
                        .toLowerCase(Locale.ROOT)
                        .replace(" ", "");
                if (value.startsWith(WAIT)) {
                    return seconds(value.substring(WAIT.length()), longest);
                }
            }
        }
        return Duration.ZERO;
    }

    private static Duration seconds(String text, Duration longest) {
        if (text.isEmpty() || text.length() > MAX_DIGITS || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return Duration.ZERO;
        }
        Duration wanted = Duration.ofSeconds(Long.parseLong(text));
        return wanted.compareTo(longest) < 0 ? wanted : longest;
    }
}
