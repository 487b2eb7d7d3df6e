// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.claims;

import dev.semel.claim.OwnerToken;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An owner's token as clients see it: a letter for how the result is stored, the id of the secret that seals it, and
 * the token itself. Letter and id save a read at settlement. Whoever changes them only changes how the own result is
 * kept.
 *
 * @param secretId of the secret that was the current one when the claim was granted: settlements of one token are
 *     sealed by one secret, whichever has been promoted since
 */
record ClaimToken(ResultStorage storage, String secretId, OwnerToken owner) {
    private static final Pattern FORM =
            Pattern.compile("([a-z])_(?:([0-9a-f]{16})_)?([0-9a-f]{%d})".formatted(2 * OwnerToken.LENGTH));

    ClaimToken {
        Objects.requireNonNull(storage, "A token must say how the result is stored");
        Objects.requireNonNull(secretId, "A secret's id must not be null: an empty one names none");
        Objects.requireNonNull(owner, "A token must have an owner");
    }

    String text() {
        return "%s_%s_%s".formatted(storage.letter(), secretId, owner.hex());
    }

    /**
     * Reads what {@link #text()} wrote, also in the version before, which named no secret; empty if nobody can have been
     * given it.
     */
    static Optional<ClaimToken> of(String text) {
        Matcher parts = FORM.matcher(text);
        if (!parts.matches()) {
            return Optional.empty();
        }
        return ResultStorage.of(parts.group(1))
                .map(storage -> new ClaimToken(storage, secretId(parts), OwnerToken.ofHex(parts.group(3))));
    }

    /** That of no secret if the token names none: the current one seals then. */
    private static String secretId(Matcher parts) {
        String named = parts.group(2);
        return named == null ? "" : named;
    }
}
