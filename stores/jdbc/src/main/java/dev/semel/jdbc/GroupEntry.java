// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.claim.ClaimKey;
import dev.semel.claim.ClaimRef;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.Snapshot;
import org.jspecify.annotations.Nullable;

/**
 * What one caller wants written once. Its token stays the same however often it is sent: a claim that is found with it is
 * this one, committed.
 */
record GroupEntry<R, T extends @Nullable Object>(ClaimKey key, DoneClaim claim, R row, T value) {
    ClaimRef ref() {
        return claim.insert().ref();
    }

    Fingerprint fingerprint() {
        return claim.insert().fingerprint();
    }

    boolean isMine(Snapshot seen) {
        return seen.token().equals(claim.insert().token());
    }
}
