// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload.redact;

import java.util.Collection;
import java.util.Set;
import java.util.stream.Collectors;

/** Normalizes member names: {@code Access-Token}, {@code access_token} and {@code accessToken} are equal. */
final class MemberName {
    private MemberName() {}

    /** The name in lower case, without underscores and hyphens. */
    static String normal(String name) {
        StringBuilder normal = new StringBuilder(name.length());
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c != '_' && c != '-') {
                // By character, because String.toLowerCase depends on the locale and may change the length.
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
