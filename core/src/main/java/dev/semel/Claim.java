// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.OwnerToken;
import dev.semel.claim.RecordId;
import dev.semel.claim.Terms;
import dev.semel.lane.Deadlines;
import dev.semel.lane.Environment;
import dev.semel.spi.Verdict;
import java.time.Duration;

/**
 * A claim that was granted. Another process can settle it with its reference and token.
 *
 * @param attempt the number of this attempt, from 1; attempts that were given back before they ran do not count
 * @param fence grows with every acquisition: guard what the work changes with it, never with the attempt
 * @param origin how the claim was acquired
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

    /** How a claim was acquired. */
    public enum Origin {
        /** The key was free or its claim had expired. */
        FIRST,
        /** An earlier attempt failed retryably. */
        RETRY,
        /** An earlier owner's lease ended, and the work may run again. */
        LAPSED,
        /** An earlier owner's lease ended, and a probe must find out what happened before anything runs. */
        RECONCILE
    }

    /** @param sent when the command was sent, in {@link System#nanoTime} */
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

    /** The time left of the lease as far as this process knows. Renewals do not change it. */
    public Duration leaseLeft() {
        return leaseLeft(Environment.SYSTEM);
    }

    /** As {@link #leaseLeft()}, by the clock of this environment. */
    Duration leaseLeft(Environment environment) {
        return Duration.ofNanos(Math.max(0, leaseEnd - environment.nanoTime()));
    }

    /** Whether enough of a lease is left to start work: after a renewal at a third there must be time for another one. */
    static boolean lastsLongEnough(Terms terms, Duration left) {
        long lease = Deadlines.nanos(terms.lease());
        return Deadlines.nanos(left) >= lease - lease / 3;
    }

    /** What the store said when it granted the claim, and what stays true as long as its token owns it. */
    Verdict.Applied granted() {
        return new Verdict.Applied(ref, scope, record, attempt, fence, Duration.ZERO);
    }

    Claim renewedUntil(long end) {
        return new Claim(ref, scope, token, record, attempt, fence, origin, terms, end);
    }

    /** See {@link RunContext#childKey}. */
    public String childKey(String name) {
        return record.childKey(name);
    }
}
