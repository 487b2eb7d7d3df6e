// SPDX-License-Identifier: Apache-2.0
package dev.semel.key;

import java.util.Arrays;
import java.util.stream.Collectors;

/** Text composed of parts, such as {@code api:POST:/orders:actor:7}. */
public final class ColonJoined {
    private ColonJoined() {}

    /**
     * Joins the parts with colons. Colons and percent signs inside a part are encoded, so different lists give different
     * texts.
     */
    public static String of(String... parts) {
        return Arrays.stream(parts)
                .map(part -> part.replace("%", "%25").replace(":", "%3A"))
                .collect(Collectors.joining(":"));
    }
}
