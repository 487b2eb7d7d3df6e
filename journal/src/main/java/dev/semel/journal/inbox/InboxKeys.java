// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.inbox;

import dev.semel.claim.AliasedKey;
import dev.semel.claim.ClaimKey;
import dev.semel.claim.Digest;
import dev.semel.claim.Terms;
import dev.semel.internal.BoundedText;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * The keys of an event. An event that has one of these keys is a duplicate.
 *
 * @param key the most reliable key, such as {@code ev_WH-123}
 * @param aliases further keys; at most {@value AliasedKey#MAX_ALIASES}
 * @param prefix the part of the key that may be shown, at most {@value #MAX_PREFIX} characters; never the key itself. The inbox
 *     stores its first word, such as {@code ev_}, followed by the first characters of the claim's digest
 * @param ttl how long duplicates are recognized
 */
public record InboxKeys(String key, List<String> aliases, String prefix, Duration ttl) {
    /** The maximum number of characters of a prefix. */
    public static final int MAX_PREFIX = 16;

    private static final int MAX_WORD = MAX_PREFIX / 2;

    public InboxKeys {
        Objects.requireNonNull(key, "key must not be null");
        aliases = List.copyOf(aliases);
        BoundedText.check("prefix", prefix, MAX_PREFIX);
        // Fails now if the TTL is out of range.
        Terms.DEFAULT.withTtl(ttl);
    }

    AliasedKey of(String tenant, String scope) {
        return new ClaimKey(tenant, scope, key).alsoKnownAs(aliases.toArray(String[]::new));
    }

    /**
     * The 16 characters that the inbox shows of a key: a word that says where the key was found, and the first characters of the
     * claim's digest in hexadecimal. They find the claim's row in {@code idempotency_keys}. Of a prefix that has another digest,
     * or none, only the first word is used.
     *
     * @param claim see {@link Inbox#digestOf}
     */
    String shown(Digest claim) {
        for (int word = 0; word <= MAX_WORD; word++) {
            if (prefix.length() == MAX_PREFIX && claim.hex().startsWith(prefix.substring(word))) {
                return prefix;
            }
        }
        String word = prefix.substring(0, Math.min(prefix.indexOf('_') + 1, MAX_WORD));
        return (word + claim.hex()).substring(0, MAX_PREFIX);
    }

    /** Does not contain the keys. */
    @Override
    public String toString() {
        return "InboxKeys[" + prefix + "]";
    }
}
