// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Fingerprint;
import dev.semel.spi.Snapshot;
import org.jspecify.annotations.Nullable;

/**
 * A row that a caller submitted, with its claims. Its tokens stay the same in every attempt, so a stored claim with one of
 * them was committed by an earlier attempt.
 *
 * @param second the second claim that the row needs, if any
 * @param report what listeners are told about the row
 */
record SubmittedRow<R, T extends @Nullable Object>(
        GroupedClaims.Request<T> request,
        SettledClaim claim,
        @Nullable SecondClaim second,
        R row,
        RowReport report) {
    /**
     * A second claim.
     *
     * @param firstIfTaken the row's own claim with its result for the case that another caller has the second claim
     */
    record SecondClaim(SettledClaim claim, SettledClaim firstIfTaken) {}

    ClaimRef ref() {
        return claim.insert().ref();
    }

    Fingerprint fingerprint() {
        return claim.insert().fingerprint();
    }

    /** Whether it has one claim with one digest, which is inserted with others in one statement. */
    boolean isPlain() {
        return second == null && claim.insert().aliases().isEmpty();
    }

    /** Whether an earlier attempt of this row made the claim. */
    boolean isMine(Snapshot seen) {
        return seen.token().equals(claim.insert().token());
    }
}
