// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.claims;

import dev.semel.claim.OwnerToken;
import java.util.Arrays;
import java.util.Optional;

/**
 * An owner's token as clients see it: a letter for how the result is stored, and the token itself. The letter saves a
 * read at settlement. Whoever changes it only changes how much of the own result is kept.
 */
record ClaimToken(ResultKind kind, OwnerToken owner) {
    private static final int HEX_DIGITS = 2 * OwnerToken.LENGTH;

    String text() {
        return kind.mark() + "_" + owner.hex();
    }

    /** Reads what {@link #text()} wrote; empty if nobody can have been given it. */
    static Optional<ClaimToken> of(String text) {
        return Arrays.stream(ResultKind.values())
                .filter(kind -> text.startsWith(kind.mark() + "_"))
                .map(kind -> new Parts(kind, text.substring(kind.mark().length() + 1)))
                .filter(parts -> parts.hex().matches("[0-9a-f]{" + HEX_DIGITS + "}"))
                .findFirst()
                .map(parts -> new ClaimToken(parts.kind(), OwnerToken.ofHex(parts.hex())));
    }

    private record Parts(ResultKind kind, String hex) {}
}
