// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload.redact;

import java.util.Collection;
import java.util.Set;
import java.util.stream.Collectors;

/** Member names as people mean them: {@code Access-Token}, {@code access_token} and {@code accessToken} are one. */
final class MemberName {
    private MemberName() {}

    /** Lower case, and without underscores and hyphens. */
    static String normal(String name) {
        StringBuilder normal = new StringBuilder(name.length());
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c != '_' && c != '-') {
                // Letter by letter, so that no language's rules and no special casing change the length.
                normal.append(Character.toLowerCase(c));
            }
        }
        return normal.toString();
    }

    static Set<String> normal(Collection<String> names) {
        return names.stream().map(MemberName::normal).collect(Collectors.toUnmodifiableSet());
    }

    static boolean endsWithAny(String normal, Collection<String> endings) {
        return endings.stream().anyMatch(normal::endsWith);
    }
}
