// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.claims;

import dev.semel.claim.OwnerToken;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An owner token as clients see it: a letter for the storage of the result, the id of the secret that encrypts the
 * result, and the token itself. Letter and id save a read at settlement. A client that changes them only changes how
 * its own result is stored.
 *
 * @param secretId the secret that was current when the claim was granted. All settlements with one token use this
 *     secret, even if another one was promoted since
 */
record ClaimToken(ResultStorage storage, String secretId, OwnerToken owner) {
    private static final Pattern FORM =
            Pattern.compile("([a-z])_(?:([0-9a-f]{16})_)?([0-9a-f]{%d})".formatted(2 * OwnerToken.LENGTH));

    ClaimToken {
        Objects.requireNonNull(storage, "The storage of the result must not be null");
        Objects.requireNonNull(secretId, "The secret's id must not be null; use an empty string for none");
        Objects.requireNonNull(owner, "The owner token must not be null");
    }

    String text() {
        return "%s_%s_%s".formatted(storage.letter(), secretId, owner.hex());
    }

    /**
     * Parses the text written by {@link #text()}, including the earlier format without a secret's id. Returns empty if
     * the text cannot be a token.
     */
    static Optional<ClaimToken> of(String text) {
        Matcher parts = FORM.matcher(text);
        if (!parts.matches()) {
            return Optional.empty();
        }
        return ResultStorage.of(parts.group(1))
                .map(storage -> new ClaimToken(storage, secretId(parts), OwnerToken.ofHex(parts.group(3))));
    }

    /** Returns the secret's id, or an empty string if the token has none. The current secret is used then. */
    private static String secretId(Matcher parts) {
        String named = parts.group(2);
        return named == null ? "" : named;
    }
}
