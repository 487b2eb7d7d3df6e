// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.OwnerToken;
import dev.semel.claim.RecordId;
import dev.semel.claim.Terms;
import dev.semel.lane.Deadlines;
import dev.semel.spi.Verdict;
import java.time.Duration;

/**
 * A claim that was granted. Reference and token together are all that another process needs to settle it.
 *
 * @param attempt which run this is, from 1; attempts that were given back before they ran do not count
 * @param fence grows with every acquisition: guard what the work changes by it, never by the attempt
 * @param origin how it came to be ours
 * @param leaseEnd when the lease ends, in {@link System#nanoTime} of this process; counted from when the command was sent,
 *     so never later than by the store's clock
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
        long leaseEnd) {

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

    /** @param sent when the call left that brought this answer */
    static Claim of(Verdict.Applied granted, String scope, OwnerToken token, Origin origin, Terms terms, long sent) {
        return new Claim(
                granted.ref(),
                scope,
                token,
                granted.record(),
                granted.attempt(),
                granted.fence(),
                origin,
                terms,
                sent + Deadlines.nanos(granted.leaseLeft()));
    }

    /** What is left of the lease now, as far as this process knows without asking. A renewal is not seen here. */
    public Duration leaseLeft() {
        return Duration.ofNanos(Math.max(0, leaseEnd - System.nanoTime()));
    }

    /** Whether enough of a lease is left to start work: after a renewal at a third there must be time for another. */
    static boolean lastsLongEnough(Terms terms, Duration left) {
        return left.multipliedBy(3).compareTo(terms.lease().multipliedBy(2)) >= 0;
    }

    Claim renewedUntil(long end) {
        return new Claim(ref, scope, token, record, attempt, fence, origin, terms, end);
    }

    /** See {@link RunContext#childKey}. */
    public String childKey(String name) {
        return record.childKey(name);
    }
}
