// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.claims;

import dev.semel.claim.OwnerToken;
import dev.semel.server.http.TextChecks;
import java.util.Objects;
import java.util.Optional;

/**
 * An owner token as clients see it: a letter for the storage of the result, the id of the secret that encrypts the
 * result, and the token itself. Letter and id save a read at settlement. A client that changes them only changes how
 * its own result is stored.
 *
 * @param secretId the secret that was current when the claim was granted. All settlements with one token use this
 *     secret, even if another one was promoted since
 */
record ClaimToken(ResultStorage storage, String secretId, OwnerToken owner) {
    private static final int SECRET_AT = 2;
    private static final int SECRET_DIGITS = 16;
    private static final int OWNER_DIGITS = 2 * OwnerToken.LENGTH;

    ClaimToken {
        Objects.requireNonNull(storage, "The storage of the result must not be null");
        Objects.requireNonNull(secretId, "The secret's id must not be null; use an empty string for none");
        Objects.requireNonNull(owner, "The owner token must not be null");
    }

    String text() {
        return storage.letter() + "_" + secretId + "_" + owner.hex();
    }

    /**
     * Parses the text written by {@link #text()}, including the earlier format without a secret's id. Returns empty if
     * the text cannot be a token.
     */
    static Optional<ClaimToken> of(String text) {
        boolean named = text.length() == SECRET_AT + SECRET_DIGITS + 1 + OWNER_DIGITS;
        int ownerAt = named ? SECRET_AT + SECRET_DIGITS + 1 : SECRET_AT;
        if (text.length() != ownerAt + OWNER_DIGITS
                || text.charAt(1) != '_'
                || text.charAt(ownerAt - 1) != '_'
                || !TextChecks.isHex(text, SECRET_AT, Math.max(SECRET_AT, ownerAt - 1))
                || !TextChecks.isHex(text, ownerAt, text.length())) {
            return Optional.empty();
        }
        // Without a secret's id, the current secret is used.
        String secretId = named ? text.substring(SECRET_AT, ownerAt - 1) : "";
        return ResultStorage.of(text.charAt(0))
                .map(storage -> new ClaimToken(storage, secretId, OwnerToken.ofHex(text.substring(ownerAt))));
    }
}
