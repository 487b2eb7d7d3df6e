// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds the known name that is most similar to a misspelled one. */
public final class NearestName {
    private NearestName() {}

    public static Optional<String> to(String wrong, Collection<String> names) {
        return names.stream()
                .min(Comparator.comparingInt((String name) -> distance(wrong, name))
                        .thenComparing(Comparator.naturalOrder()));
    }

    /** Returns the Levenshtein distance. */
    private static int distance(String from, String to) {
        int[] before = new int[to.length() + 1];
        for (int j = 0; j <= to.length(); j++) {
            before[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int[] now = new int[to.length() + 1];
            now[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int replaced = before[j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                now[j] = Math.min(replaced, Math.min(before[j], now[j - 1]) + 1);
            }
            before = now;
        }
        return before[to.length()];
    }
}
