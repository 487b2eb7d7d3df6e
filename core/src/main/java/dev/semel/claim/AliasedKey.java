// SPDX-License-Identifier: Apache-2.0
package dev.semel.claim;

import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * A key and its aliases: keys that identify the same thing. Claims by any of them share one record. Made by {@link
 * ClaimKey#alsoKnownAs}.
 */
public record AliasedKey(ClaimKey key, List<ClaimKey> aliases) {
    /** The maximum number of aliases. */
    public static final int MAX_ALIASES = 8;

    /** A key without aliases. */
    public static AliasedKey of(ClaimKey key) {
        return new AliasedKey(key, List.of());
    }

    public AliasedKey {
        Objects.requireNonNull(key, "A key must not be null");
        aliases = List.copyOf(aliases);
        if (aliases.size() > MAX_ALIASES) {
            throw new IllegalArgumentException(
                    "A key may have at most %d aliases, but has %d".formatted(MAX_ALIASES, aliases.size()));
        }
        if (!aliases.isEmpty()) {
            checkAliases(key, aliases);
        }
    }

    private static void checkAliases(ClaimKey key, List<ClaimKey> aliases) {
        Set<ClaimKey> known = new HashSet<>(Set.of(key));
        for (ClaimKey alias : aliases) {
            if (!alias.tenant().equals(key.tenant()) || !alias.scope().equals(key.scope())) {
                throw new IllegalArgumentException(
                        "An alias must be of the same tenant and scope as its key: make it with key.alsoKnownAs(...)");
            }
            if (!known.add(alias)) {
                throw new IllegalArgumentException("The key or one of its aliases is given twice");
            }
        }
    }
}
