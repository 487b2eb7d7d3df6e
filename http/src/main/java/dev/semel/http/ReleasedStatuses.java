// SPDX-License-Identifier: Apache-2.0
package dev.semel.http;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Statuses that are not final: such answers are not stored, and the next request with the same key runs.
 *
 * @param statuses single statuses
 * @param classes first digits, such as 5 for all of 500 to 599
 */
public record ReleasedStatuses(Set<Integer> statuses, Set<Integer> classes) {
    /** 401, 403, 408, 425, 429 and 5xx: the same request may soon have a different answer. */
    public static final ReleasedStatuses DEFAULT = new ReleasedStatuses(Set.of(401, 403, 408, 425, 429), Set.of(5));

    public ReleasedStatuses {
        statuses = Set.copyOf(statuses);
        classes = Set.copyOf(classes);
        for (int status : statuses) {
            if (status < 200 || status > 599) {
                throw new IllegalArgumentException("A status must be 200 to 599, but is " + status);
            }
        }
        for (int first : classes) {
            if (first < 2 || first > 5) {
                throw new IllegalArgumentException("A class of statuses must be 2xx to 5xx, but is " + first + "xx");
            }
        }
    }

    /** Whether this status releases the key. A status that HTTP does not define does so. */
    public boolean contains(int status) {
        return status > 599 || statuses.contains(status) || classes.contains(status / 100);
    }

    /** The form in settings, such as 401 and 5xx, sorted. */
    public List<String> texts() {
        Set<String> all = new TreeSet<>();
        statuses.forEach(status -> all.add(status.toString()));
        classes.forEach(first -> all.add(first + "xx"));
        return List.copyOf(all);
    }

    @Override
    public String toString() {
        return texts().toString();
    }
}
