// SPDX-License-Identifier: Apache-2.0
package dev.semel.claim;

import dev.semel.internal.BoundedText;
import java.util.Arrays;

/**
 * What a claim is on. Compared byte by byte: no trimming, no case folding, no Unicode normalisation.
 *
 * @param tenant whose it is; one tenant never sees another's claims
 * @param scope what is being done, by an explicit name that survives refactoring
 * @param key which one of those it is
 */
public record ClaimKey(String tenant, String scope, String key) {
    /** The most characters a tenant may have. */
    public static final int MAX_TENANT = 255;
    /** The most characters a scope may have. */
    public static final int MAX_SCOPE = 1_024;
    /** The most characters a key may have. */
    public static final int MAX_KEY = 4_096;

    public ClaimKey {
        BoundedText.check("A tenant", tenant, MAX_TENANT);
        BoundedText.check("A scope", scope, MAX_SCOPE);
        BoundedText.check("A key", key, MAX_KEY);
    }

    /** Leaves the key out: it may be a card number's or a person's, and a log is no place for it. */
    @Override
    public String toString() {
        return "ClaimKey[tenant=" + tenant + ", scope=" + scope + ", key=hidden]";
    }

    /** This key together with others, of the same tenant and scope, that name the same thing. */
    public AliasedKey alsoKnownAs(String... otherKeys) {
        return new AliasedKey(
                this,
                Arrays.stream(otherKeys)
                        .map(other -> new ClaimKey(tenant, scope, other))
                        .toList());
    }
}
