// SPDX-License-Identifier: Apache-2.0
package dev.semel.claim;

import dev.semel.internal.BoundedText;
import java.util.Arrays;

/**
 * The key that a claim is made for. Compared byte by byte: no trimming, no case folding, no Unicode normalization.
 *
 * @param tenant the tenant that the key belongs to; one tenant never sees the claims of another
 * @param scope the kind of work, by an explicit name that survives refactoring
 * @param key identifies one piece of that work
 */
public record ClaimKey(String tenant, String scope, String key) {
    /** The maximum length of a tenant, in characters. */
    public static final int MAX_TENANT = 255;
    /** The maximum length of a scope, in characters. */
    public static final int MAX_SCOPE = 1_024;
    /** The maximum length of a key, in characters. */
    public static final int MAX_KEY = 4_096;

    public ClaimKey {
        BoundedText.check("A tenant", tenant, MAX_TENANT);
        BoundedText.check("A scope", scope, MAX_SCOPE);
        BoundedText.check("A key", key, MAX_KEY);
    }

    /** Omits the key: it may contain a card number or personal data, which must not reach a log. */
    @Override
    public String toString() {
        return "ClaimKey[tenant=" + tenant + ", scope=" + scope + ", key=hidden]";
    }

    /** This key together with others of the same tenant and scope that identify the same thing. */
    public AliasedKey alsoKnownAs(String... otherKeys) {
        return new AliasedKey(
                this,
                Arrays.stream(otherKeys)
                        .map(other -> new ClaimKey(tenant, scope, other))
                        .toList());
    }
}
