// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.signature;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** A header of name-value pairs, such as {@code t=1,v1=ab,v1=cd}. A name may be repeated during a rotation of secrets. */
public final class HeaderPairs {
    private static final int MAX = 32;

    private final Map<String, List<String>> values = new LinkedHashMap<>();

    private HeaderPairs() {}

    /** Parses a header without trimming. Empty if a part is not a pair, or there are too many. */
    public static Optional<HeaderPairs> of(String header, String separator, char equals) {
        HeaderPairs pairs = new HeaderPairs();
        String[] parts = header.split(Pattern.quote(separator), MAX + 1);
        if (parts.length > MAX) {
            return Optional.empty();
        }
        for (String part : parts) {
            int at = part.indexOf(equals);
            if (at < 1) {
                return Optional.empty();
            }
            pairs.values
                    .computeIfAbsent(part.substring(0, at), name -> new ArrayList<>())
                    .add(part.substring(at + 1));
        }
        return Optional.of(pairs);
    }

    /** All values of this name. */
    public List<String> all(String name) {
        return values.getOrDefault(name, List.of());
    }

    /** The value of a name that is present exactly once. */
    public Optional<String> one(String name) {
        return all(name).size() == 1 ? Optional.of(all(name).get(0)) : Optional.empty();
    }
}
