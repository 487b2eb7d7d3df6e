// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.claim.Status;
import dev.semel.claim.StoredResult;
import dev.semel.spi.Command;

/** A claim that is inserted together with its result, because claim and effect are one commit. */
record SettledClaim(Command.Insert insert, StoredResult result) {
    Command.Settle settlement() {
        return new Command.Settle(insert.ref(), insert.token(), Status.SUCCEEDED, result, null);
    }

    /** Approximate size in a statement. */
    long bytes() {
        return (long) result.size() + insert.fingerprint().sketch().length;
    }

    ClaimParameters parameters() {
        return ClaimParameters.of(insert)
                .put("status", "SUCCEEDED")
                .put("result_type", result.type())
                .put("result", result.bytes());
    }
}
