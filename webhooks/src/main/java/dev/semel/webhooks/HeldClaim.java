// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

import dev.semel.Claim;
import dev.semel.Ownership;
import dev.semel.Semel;
import dev.semel.claim.Status;
import dev.semel.claim.StoredResult;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A claim that this delivery holds. Renews the lease after every third of it until the claim is settled, without a thread
 * of its own. Tracks until when, at least, this delivery owns the claim, and whether the claim was lost. All times are by
 * {@link System#nanoTime()}, counted from when the request to the store was sent.
 */
final class HeldClaim {
    /** Whether this delivery still owns the claim. */
    enum State {
        OWNED,
        /** Another owner has taken over, or may do so at any moment because the maximum run time is over. */
        LOST,
        /** The store is unavailable. */
        UNKNOWN
    }

    private final Semel semel;
    private final Claim claim;

    /** When the maximum run time ends. The claim cannot be renewed beyond it. */
    private final long runEnd;

    /** Until when, at least, this delivery owns the claim. */
    private long leaseEnd;

    private boolean lost;
    private boolean settled;
    private CompletableFuture<Boolean> pause = new CompletableFuture<>();

    private HeldClaim(Semel semel, Claim claim, long sent, long leaseEnd) {
        this.semel = semel;
        this.claim = claim;
        this.runEnd = sent + claim.terms().maxRun().toNanos();
        this.leaseEnd = leaseEnd;
    }

    /**
     * A claim that was just granted.
     *
     * @param sent when the request for the claim was sent
     */
    static HeldClaim of(Semel semel, Claim claim, long sent) {
        return renewing(
                new HeldClaim(semel, claim, sent, sent + claim.leaseLeft().toNanos()));
    }

    /** A claim that was granted after a wait. The time of the request is unknown, so {@link #verify} asks the store. */
    static HeldClaim of(Semel semel, Claim claim) {
        long now = System.nanoTime();
        return renewing(new HeldClaim(semel, claim, now, now));
    }

    private static HeldClaim renewing(HeldClaim held) {
        held.scheduleRenewal();
        return held;
    }

    Claim claim() {
        return claim;
    }

    /**
     * Checks whether work may begin under this claim. If less than half of the lease is left, a renewal is overdue: the
     * claim is then renewed first.
     */
    CompletionStage<State> verify() {
        synchronized (this) {
            if (lost) {
                return CompletableFuture.completedFuture(State.LOST);
            }
            if (leaseEnd - System.nanoTime() > claim.terms().lease().toNanos() / 2) {
                return CompletableFuture.completedFuture(State.OWNED);
            }
        }
        return renewal();
    }

    /** Settles the claim. The result is whether the store confirmed it for this owner. */
    CompletionStage<Boolean> settle(Status status, @Nullable StoredResult result, @Nullable String reason) {
        stop();
        return semel.settle(claim, status, result, reason).thenApply(Ownership.Confirmed.class::isInstance);
    }

    /** Releases the claim without an attempt, because the handler was not called. The next delivery can claim it. */
    CompletionStage<Boolean> release() {
        stop();
        return semel.giveBack(claim).thenApply(Ownership.Confirmed.class::isInstance);
    }

    /** Settles the claim as retryable, because the handler failed. The next delivery can claim it. */
    CompletionStage<Boolean> fail(String reason) {
        return settle(Status.RETRYABLE, null, reason);
    }

    private synchronized void scheduleRenewal() {
        if (settled || lost || runEnd - System.nanoTime() <= 0) {
            return;
        }
        pause = new CompletableFuture<>();
        pause.completeOnTimeout(true, claim.terms().lease().toNanos() / 3, TimeUnit.NANOSECONDS)
                .thenAccept(due -> {
                    if (due) {
                        renewal().thenAccept(answer -> scheduleRenewal());
                    }
                });
    }

    private CompletionStage<State> renewal() {
        long sent = System.nanoTime();
        return semel.renew(claim.ref(), claim.token(), claim.terms().lease())
                .handle((answer, failure) -> failure == null ? update(answer, sent) : State.UNKNOWN);
    }

    private synchronized State update(Ownership answer, long sent) {
        if (answer instanceof Ownership.Unavailable) {
            return State.UNKNOWN;
        }
        if (!(answer instanceof Ownership.Confirmed confirmed)
                || confirmed.leaseLeft().isZero()) {
            lost = true;
            return State.LOST;
        }
        long end = sent + confirmed.leaseLeft().toNanos();
        if (end - leaseEnd > 0) {
            leaseEnd = end;
        }
        return end - System.nanoTime() > 0 ? State.OWNED : State.UNKNOWN;
    }

    private synchronized void stop() {
        settled = true;
        pause.complete(false);
    }
}
