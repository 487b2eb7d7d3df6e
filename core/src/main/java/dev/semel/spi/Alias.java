// SPDX-License-Identifier: Apache-2.0
package dev.semel.spi;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.OwnerToken;
import dev.semel.internal.BoundedText;
import java.util.Objects;

/**
 * Another digest of a claim: that of an alias, or that of the same key by another active secret. Its row only points to the
 * record. It has a token of its own, so that a pointer whose record is gone can be taken over like any claim.
 *
 * @param secretId the id of the secret that made the digest
 * @param token fresh for every command
 */
public record Alias(ClaimRef ref, String secretId, OwnerToken token) {
    /** The reason that is stored in a row that only points to a record. */
    public static final String REASON = "alias";

    public Alias {
        Objects.requireNonNull(ref, "An alias requires a reference");
        BoundedText.check("A secret's id", secretId, Command.Insert.MAX_SECRET_ID);
        Objects.requireNonNull(token, "An alias requires a token");
    }
}
