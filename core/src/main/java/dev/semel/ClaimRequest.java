// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.claim.AliasedKey;
import dev.semel.claim.ClaimKey;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.Terms;
import java.util.Objects;

/**
 * One of many claims in one request, for work that runs outside the engine.
 *
 * @param fingerprint identifies the request; {@link Fingerprint#NONE} matches every request
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
