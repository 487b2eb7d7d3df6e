// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.claim.Status;
import dev.semel.claim.StoredResult;
import dev.semel.spi.Command;

/** A claim whose result is known before its effect is written, because both are one commit. */
record DoneClaim(Command.Insert insert, StoredResult result) {
    Command.Settle settlement() {
        return new Command.Settle(insert.ref(), insert.token(), Status.SUCCEEDED, result, null);
    }

    /** About how many bytes it takes in a statement. */
    long bytes() {
        return (long) result.size() + insert.fingerprint().sketch().length;
    }

    Parameters parameters() {
        return Parameters.of(insert)
                .put("status", "SUCCEEDED")
                .put("result_type", result.type())
                .put("result", result.bytes());
    }
}
