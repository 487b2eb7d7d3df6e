// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.claims;

import dev.semel.claim.AliasedKey;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.Terms;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * A claim that a client requests.
 *
 * @param kind how the claim's key is given
 * @param storage how the result is stored if the claim is granted
 */
record RequestedClaim(
        AliasedKey key, ClaimKind kind, ResultStorage storage, Fingerprint fingerprint, Terms terms, Duration maxWait) {
    /** Returns the number of {@link #given} keys. */
    int givenCount() {
        return kind == ClaimKind.INPUTS ? 1 : 1 + key.aliases().size();
    }

    /**
     * Returns the keys given by the client. For inputs, aliases are not included: they are the same key under other
     * secrets.
     */
    List<AliasedKey> given() {
        return kind == ClaimKind.INPUTS
                ? List.of(key)
                : Stream.concat(Stream.of(key.key()), key.aliases().stream())
                        .map(AliasedKey::of)
                        .toList();
    }
}
