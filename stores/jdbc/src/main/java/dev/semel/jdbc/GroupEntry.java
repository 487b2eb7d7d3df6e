// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Fingerprint;
import dev.semel.spi.Snapshot;
import org.jspecify.annotations.Nullable;

/**
 * What one caller wants written once. Its tokens stay the same however often it is sent: a claim that is found with one
 * is this one, committed.
 *
 * @param second the claim that must be had too, if any
 */
record GroupEntry<R, T extends @Nullable Object>(
        GroupedClaims.Request<T> request,
        DoneClaim claim,
        @Nullable Second second,
        R row) {
    /**
     * A second claim.
     *
     * @param firstIfTaken how the entry's own claim is done if somebody else has the second
     */
    record Second(DoneClaim claim, DoneClaim firstIfTaken) {}

    ClaimRef ref() {
        return claim.insert().ref();
    }

    Fingerprint fingerprint() {
        return claim.insert().fingerprint();
    }

    /** Whether it is one claim with one name, which goes with others into one statement. */
    boolean isPlain() {
        return second == null && claim.insert().aliases().isEmpty();
    }

    boolean isMine(Snapshot seen) {
        return seen.token().equals(claim.insert().token());
    }
}
