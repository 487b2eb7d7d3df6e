// SPDX-License-Identifier: Apache-2.0
package dev.semel.testservers;

import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** A server's settings by name, in a fixed order. */
record NamedSettings(Map<String, String> values) {

    private static final Pattern NAME = Pattern.compile("[a-zA-Z][a-zA-Z0-9_.-]*");

    NamedSettings {
        values.forEach((name, value) -> {
            if (!NAME.matcher(name).matches()) {
                throw new IllegalArgumentException("Invalid name of a setting: " + name);
            }
            if (value.chars().anyMatch(Character::isISOControl)) {
                throw new IllegalArgumentException("Control character in the value of " + name);
            }
        });
        values = Collections.unmodifiableMap(new TreeMap<>(values));
    }

    /** The given settings, which override the defaults. A setting that the launcher sets itself is refused. */
    static NamedSettings of(Map<String, String> defaults, Map<String, String> chosen, Set<String> fixed) {
        Map<String, String> all = new TreeMap<>(defaults);
        chosen.forEach((name, value) -> {
            if (fixed.contains(canonical(name))) {
                throw new IllegalArgumentException(name + " is set by the launcher and cannot be changed");
            }
            all.keySet().removeIf(known -> canonical(known).equals(canonical(name)));
            all.put(name, value);
        });
        return new NamedSettings(all);
    }

    /** MariaDB accepts several spellings of a setting. Redis accepts one, so the caller's spelling is kept. */
    private static String canonical(String name) {
        return name.toLowerCase(Locale.ROOT).replace('-', '_');
    }
}
