// SPDX-License-Identifier: Apache-2.0
package dev.semel.spi;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.OwnerToken;
import dev.semel.internal.BoundedText;
import java.util.Objects;

/**
 * Another digest under which a claim shall be found: of another key that names the same thing, or of the same key by
 * another live secret. Its row only leads to the record; it has a token of its own, so that whoever finds that it leads
 * nowhere can take it over like any claim.
 *
 * @param secretId which secret made the digest
 * @param token fresh for every command
 */
public record Alias(ClaimRef ref, String secretId, OwnerToken token) {
    /** The reason that stands in a row that only leads to a record. */
    public static final String REASON = "alias";

    public Alias {
        Objects.requireNonNull(ref, "An alias must have a reference");
        BoundedText.check("A secret's id", secretId, Command.Insert.MAX_SECRET_ID);
        Objects.requireNonNull(token, "An alias must have a token");
    }
}
