// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.config;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The text of a setting and where it was set.
 *
 * @param where the option, variable or key, for error messages
 */
record SettingValue(String where, String text) {
    /** Returns the text, which must not be empty. */
    String required() {
        if (text.isBlank()) {
            throw wrong("must not be empty");
        }
        return text;
    }

    int whole(int min, int max) {
        return (int) whole((long) min, max);
    }

    long whole(long min, long max) {
        try {
            long value = Long.parseLong(text);
            if (min <= value && value <= max) {
                return value;
            }
        } catch (NumberFormatException e) {
            // Fall through: the message below says what is expected.
        }
        throw wrong("must be a whole number from %d to %d".formatted(min, max));
    }

    Duration hours() {
        return Duration.ofHours(whole(1, 876_000));
    }

    Duration seconds(int min, int max) {
        return Duration.ofSeconds(whole(min, max));
    }

    boolean flag() {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "true", "yes", "on", "1" -> true;
            case "false", "no", "off", "0" -> false;
            default -> throw wrong("must be true or false");
        };
    }

    /** Returns the constant with this name, written in lower case with hyphens. */
    <E extends Enum<E>> E oneOf(Class<E> type) {
        List<E> all = Arrays.asList(type.getEnumConstants());
        return all.stream()
                .filter(one -> nameOf(one).equals(text))
                .findFirst()
                .orElseThrow(() -> wrong(
                        "must be " + all.stream().map(SettingValue::nameOf).collect(Collectors.joining(" or "))));
    }

    static String nameOf(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    URI url(List<String> schemes) {
        try {
            URI url = new URI(text);
            if (url.getScheme() != null
                    && schemes.contains(url.getScheme().toLowerCase(Locale.ROOT))
                    && url.getHost() != null) {
                return url;
            }
        } catch (URISyntaxException e) {
            // Do not use the exception's message. It quotes the URL, which may contain a password.
        }
        throw wrong("must be a URL such as %s://127.0.0.1".formatted(schemes.get(0)));
    }

    ConfigException wrong(String what) {
        return new ConfigException(where + " " + what);
    }
}
