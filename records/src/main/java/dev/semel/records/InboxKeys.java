// SPDX-License-Identifier: Apache-2.0
package dev.semel.records;

import dev.semel.claim.AliasedKey;
import dev.semel.claim.ClaimKey;
import dev.semel.claim.Terms;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * What an event is known by. Whoever sends one of these names again sends the same event.
 *
 * @param key its strongest name, such as {@code ev_WH-123}
 * @param aliases its other names; at most {@value AliasedKey#MAX_ALIASES}
 * @param prefix what may be shown of the key, at most {@value #MAX_PREFIX} characters; never the key itself
 * @param ttl for how long a repeat is recognised
 */
public record InboxKeys(String key, List<String> aliases, String prefix, Duration ttl) {
    /** The most characters a prefix may have. */
    public static final int MAX_PREFIX = 16;

    public InboxKeys {
        Objects.requireNonNull(key, "A key must not be null");
        aliases = List.copyOf(aliases);
        Names.check("A key's prefix", prefix, MAX_PREFIX);
        // Checked here, so that an entry that exists can be claimed.
        Terms.DEFAULT.withTtl(ttl);
    }

    AliasedKey of(String tenant, String scope) {
        return new ClaimKey(tenant, scope, key).alsoKnownAs(aliases.toArray(String[]::new));
    }

    /** Leaves the names out. */
    @Override
    public String toString() {
        return "InboxKeys[" + prefix + "]";
    }
}
