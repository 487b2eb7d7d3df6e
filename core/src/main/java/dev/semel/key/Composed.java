// SPDX-License-Identifier: Apache-2.0
package dev.semel.key;

import java.util.Arrays;
import java.util.stream.Collectors;

/** Names made of parts, such as {@code api:POST:/orders:actor:7}. */
public final class Composed {
    private Composed() {}

    /** Joins the parts with colons; colons and percent signs inside a part are encoded, so that no two lists meet. */
    public static String of(String... parts) {
        return Arrays.stream(parts)
                .map(part -> part.replace("%", "%25").replace(":", "%3A"))
                .collect(Collectors.joining(":"));
    }
}
