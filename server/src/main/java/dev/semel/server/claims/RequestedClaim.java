// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.claims;

import dev.semel.claim.AliasedKey;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.Terms;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * A claim that somebody asks for.
 *
 * @param kind how it is made
 * @param storage how its result shall be stored, if it is granted
 */
record RequestedClaim(
        AliasedKey key, ClaimKind kind, ResultStorage storage, Fingerprint fingerprint, Terms terms, Duration maxWait) {
    /** The keys that the client gave. Aliases of inputs are not among them: they are the same key by other secrets. */
    List<AliasedKey> given() {
        return kind == ClaimKind.INPUTS
                ? List.of(key)
                : Stream.concat(Stream.of(key.key()), key.aliases().stream())
                        .map(AliasedKey::of)
                        .toList();
    }
}
