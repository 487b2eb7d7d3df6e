// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Limits how many claims are in progress at the same time. Further ones are refused as busy, so that callers learn it early
 * and memory does not grow while the store is slow or unavailable.
 */
final class ClaimLimit {
    private final int max;
    private final AtomicInteger inProgress = new AtomicInteger();

    ClaimLimit(int max) {
        this.max = max;
    }

    int max() {
        return max;
    }

    /** Takes places for this many claims; false, with none taken, if they do not fit. */
    boolean admit(int count) {
        if (inProgress.addAndGet(count) > max) {
            inProgress.addAndGet(-count);
            return false;
        }
        return true;
    }

    /** Gives back places that were admitted but not used. */
    void giveBack(int count) {
        inProgress.addAndGet(-count);
    }

    /** One of the admitted places. */
    Place place() {
        return new Place();
    }

    /**
     * A claim's place. It is held for as long as any part of the claim is in progress: its caller, a command that is queued
     * or sent, and the return of a claim that was granted too late.
     */
    final class Place {
        private final AtomicInteger held = new AtomicInteger(1);

        void enter() {
            held.incrementAndGet();
        }

        void leave() {
            if (held.decrementAndGet() == 0) {
                inProgress.decrementAndGet();
            }
        }

        /** The same answer, which holds the place until it arrives. */
        <R> CompletableFuture<R> heldUntil(CompletableFuture<R> end) {
            enter();
            return end.whenComplete((answer, failure) -> leave());
        }
    }
}
