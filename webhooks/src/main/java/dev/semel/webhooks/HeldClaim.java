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
 * A claim that this delivery has: renewed at a third of its lease until it is settled, without a thread. It knows until
 * when the lease certainly lasts, and whether the claim was lost. All times are by {@link System#nanoTime()}, counted from
 * when the store was asked.
 */
final class HeldClaim {
    /** Whether a claim still belongs to this delivery. */
    enum Ours {
        YES,
        /** Another owner has it, or may take it at any moment because the maximum run time is over. */
        NO,
        /** The store did not answer. */
        UNKNOWN
    }

    private final Semel semel;
    private final Claim claim;

    /** When the maximum run time is over: after that no renewal helps. */
    private final long runEnd;

    /** Until when the claim is certainly ours. */
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
     * @param sent when it was asked for
     */
    static HeldClaim of(Semel semel, Claim claim, long sent) {
        return renewing(
                new HeldClaim(semel, claim, sent, sent + claim.leaseLeft().toNanos()));
    }

    /** A claim that was granted after a wait. When it was asked for is not known, so {@link #ours} asks the store. */
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
     * Whether work may begin under this claim. Asks the store, by renewing the claim, if less than half of the lease is
     * left: a renewal is overdue then.
     */
    CompletionStage<Ours> ours() {
        synchronized (this) {
            if (lost) {
                return CompletableFuture.completedFuture(Ours.NO);
            }
            if (leaseEnd - System.nanoTime() > claim.terms().lease().toNanos() / 2) {
                return CompletableFuture.completedFuture(Ours.YES);
            }
        }
        return renewal();
    }

    /** Whether that is written down, by us. */
    CompletionStage<Boolean> settle(Status status, @Nullable StoredResult result, @Nullable String reason) {
        stop();
        return semel.settle(claim, status, result, reason).thenApply(Ownership.Confirmed.class::isInstance);
    }

    /** Its handler was not called: the next delivery has it, and this attempt does not count. */
    CompletionStage<Boolean> giveBack() {
        stop();
        return semel.giveBack(claim).thenApply(Ownership.Confirmed.class::isInstance);
    }

    /** Its handler failed: the next delivery has it. */
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

    private CompletionStage<Ours> renewal() {
        long sent = System.nanoTime();
        return semel.renew(claim.ref(), claim.token(), claim.terms().lease())
                .handle((answer, failure) -> failure == null ? noted(answer, sent) : Ours.UNKNOWN);
    }

    private synchronized Ours noted(Ownership answer, long sent) {
        if (answer instanceof Ownership.Unavailable) {
            return Ours.UNKNOWN;
        }
        if (!(answer instanceof Ownership.Confirmed confirmed)
                || confirmed.leaseLeft().isZero()) {
            lost = true;
            return Ours.NO;
        }
        long end = sent + confirmed.leaseLeft().toNanos();
        if (end - leaseEnd > 0) {
            leaseEnd = end;
        }
        return end - System.nanoTime() > 0 ? Ours.YES : Ours.UNKNOWN;
    }

    private synchronized void stop() {
        settled = true;
        pause.complete(false);
    }
}
