// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.claim.AliasedKey;
import dev.semel.claim.ClaimKey;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.Terms;
import java.util.Objects;

/**
 * One of many claims that are made together, for work that runs elsewhere.
 *
 * @param fingerprint what counts as the same request; {@link Fingerprint#NONE} matches everything
 */
public record ClaimRequest(AliasedKey key, Fingerprint fingerprint, Terms terms) {
    public ClaimRequest {
        Objects.requireNonNull(key, "A key must not be null");
        Objects.requireNonNull(fingerprint, "A fingerprint must not be null");
        Objects.requireNonNull(terms, "Terms must not be null");
    }

    public static ClaimRequest of(ClaimKey key, Fingerprint fingerprint, Terms terms) {
        return new ClaimRequest(AliasedKey.of(key), fingerprint, terms);
    }
}
