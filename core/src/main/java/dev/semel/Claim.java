// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.OwnerToken;
import dev.semel.claim.RecordId;
import dev.semel.claim.Terms;
import dev.semel.claim.Verdict;
import java.time.Duration;

/**
 * A claim that was granted. Reference and token together are all that another process needs to settle it.
 *
 * @param origin how it came to be ours
 * @param leaseLeft what was left of the lease when it was granted
 */
public record Claim(
        ClaimRef ref,
        String scope,
        OwnerToken token,
        RecordId record,
        int attempt,
        long fence,
        Origin origin,
        Terms terms,
        Duration leaseLeft) {

    /** How a claim came to its owner. */
    public enum Origin {
        /** Nobody had it, or what somebody had had expired. */
        FIRST,
        /** An earlier attempt failed retryably. */
        RETRY,
        /** An earlier owner let its lease end, and the work may run again. */
        LAPSED,
        /** An earlier owner let its lease end, and what happened must be found out before anything runs. */
        RECONCILE
    }

    static Claim of(Verdict.Applied granted, String scope, OwnerToken token, Origin origin, Terms terms) {
        return new Claim(
                granted.ref(),
                scope,
                token,
                granted.record(),
                granted.attempt(),
                granted.fence(),
                origin,
                terms,
                granted.leaseLeft());
    }

    /** See {@link RunContext#childKey}. */
    public String childKey(String name) {
        return record.childKey(name);
    }
}
