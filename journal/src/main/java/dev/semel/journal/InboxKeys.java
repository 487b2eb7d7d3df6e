// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

import dev.semel.claim.AliasedKey;
import dev.semel.claim.ClaimKey;
import dev.semel.claim.Digest;
import dev.semel.claim.Terms;
import dev.semel.internal.BoundedText;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * What an event is known by. Whoever sends one of these names again sends the same event.
 *
 * @param key its strongest name, such as {@code ev_WH-123}
 * @param aliases its other names; at most {@value AliasedKey#MAX_ALIASES}
 * @param prefix what may be shown of the key, at most {@value #MAX_PREFIX} characters; never the key itself. The inbox
 *     keeps its first word, such as {@code ev_}, followed by the first characters of the claim's digest
 * @param ttl for how long a repeat is recognised
 */
public record InboxKeys(String key, List<String> aliases, String prefix, Duration ttl) {
    /** The most characters a prefix may have. */
    public static final int MAX_PREFIX = 16;

    private static final int LONGEST_WORD = MAX_PREFIX / 2;

    public InboxKeys {
        Objects.requireNonNull(key, "A key must not be null");
        aliases = List.copyOf(aliases);
        BoundedText.check("A key's prefix", prefix, MAX_PREFIX);
        // Checked here, so that an entry that exists can be claimed.
        Terms.DEFAULT.withTtl(ttl);
    }

    AliasedKey of(String tenant, String scope) {
        return new ClaimKey(tenant, scope, key).alsoKnownAs(aliases.toArray(String[]::new));
    }

    /**
     * The 16 characters by which the inbox names an event: a word that says where the key was found, and the first
     * characters of the claim's digest in hexadecimal. By these the claim's row is found in {@code idempotency_keys}. A
     * prefix that has another digest, or none, keeps its first word only.
     *
     * @param claim see {@link Inbox#digestOf}
     */
    String shown(Digest claim) {
        for (int word = 0; word <= LONGEST_WORD; word++) {
            if (prefix.length() == MAX_PREFIX && claim.hex().startsWith(prefix.substring(word))) {
                return prefix;
            }
        }
        String word = prefix.substring(0, Math.min(prefix.indexOf('_') + 1, LONGEST_WORD));
        return (word + claim.hex()).substring(0, MAX_PREFIX);
    }

    /** Leaves the names out. */
    @Override
    public String toString() {
        return "InboxKeys[" + prefix + "]";
    }
}
