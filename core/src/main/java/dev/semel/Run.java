// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.ClaimEvent.Kind;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A claim while its work runs: renews the lease at a third of it until stopped, and tells the work and the listener
 * when that fails.
 */
final class Run implements RunContext {
    private final Claim claim;
    private final ClaimProtocol claims;
    private final Events events;
    private final ScheduledExecutorService timer;
    private final Executor callbacks;
    private final CompletableFuture<Void> lost = new CompletableFuture<>();

    /** In this process's monotonic time; after a renewal, counted from before its request: never later than the truth. */
    private volatile long leaseEnd;

    private volatile boolean stopped;
    private @Nullable Future<?> nextRenewal;
    private volatile Optional<ClaimOutcome> answer = Optional.empty();

    private Run(Claim claim, ClaimProtocol claims, Events events, ScheduledExecutorService timer, Executor callbacks) {
        this.claim = claim;
        this.claims = claims;
        this.events = events;
        this.timer = timer;
        this.callbacks = callbacks;
        this.leaseEnd = claim.leaseEnd();
    }

    /** A run whose lease is being renewed. {@link #stop} it in every path. */
    static Run started(
            Claim claim, ClaimProtocol claims, Events events, ScheduledExecutorService timer, Executor callbacks) {
        Run run = new Run(claim, claims, events, timer, callbacks);
        run.scheduleRenewal();
        return run;
    }

    Claim claim() {
        return claim;
    }

    /** What later callers get, once that is stored. */
    Optional<ClaimOutcome> answer() {
        return answer;
    }

    void answered(ClaimOutcome stored) {
        answer = Optional.of(stored);
    }

    synchronized void stop() {
        stopped = true;
        if (nextRenewal != null) {
            nextRenewal.cancel(false);
        }
    }

    /** Whether work may start without asking the store first. */
    boolean mayStart() {
        return alive() && Claim.lastsLongEnough(claim.terms(), leaseLeft());
    }

    /** Whether it owns the claim as far as is known here. A renewal saves a claim whose lease ended if nobody took it. */
    boolean alive() {
        return !leaseLeft().isZero();
    }

    private synchronized void scheduleRenewal() {
        if (stopped) {
            return;
        }
        if (nextRenewal != null) {
            nextRenewal.cancel(false);
        }
        try {
            // Near the maximum run time the lease is shorter than asked for, and its end is to be noticed when it
            // comes.
            long third = claim.terms().lease().toNanos() / 3;
            long left = leaseLeft().toNanos();
            long pause = left == 0 ? third : Math.min(third, left);
            nextRenewal = timer.schedule(this::renew, pause, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            events.fire(Kind.RENEWAL_FAILED, claim, e);
        }
    }

    /** Renews now, and again at a third of the lease. Whether that went well, {@link #alive} says. */
    CompletableFuture<Void> renew() {
        long sent = System.nanoTime();
        return claims.renew(claim.ref(), claim.token(), claim.terms().lease()).thenAccept(answer -> {
            if (stopped) {
                return;
            }
            if (answer instanceof Ownership.Confirmed confirmed
                    && !confirmed.leaseLeft().isZero()) {
                leaseEnd = sent + confirmed.leaseLeft().toNanos();
                scheduleRenewal();
            } else if (answer instanceof Ownership.Unavailable unavailable) {
                events.fire(Kind.RENEWAL_FAILED, claim, unavailable.cause());
                if (leaseLeft().isZero()) {
                    // Another may own it by now, and there is no way to know.
                    lost.complete(null);
                }
                scheduleRenewal();
            } else {
                // Another owner has it, or the maximum run time is over and another may have it any moment.
                leaseEnd = sent;
                events.fire(Kind.OWNERSHIP_LOST, claim, null);
                lost.complete(null);
            }
        });
    }

    @Override
    public int attempt() {
        return claim.attempt();
    }

    @Override
    public long fence() {
        return claim.fence();
    }

    @Override
    public String childKey(String name) {
        return claim.childKey(name);
    }

    @Override
    public Duration leaseLeft() {
        return Duration.ofNanos(Math.max(0, leaseEnd - System.nanoTime()));
    }

    @Override
    public boolean stillMine() {
        return claims.stillOwns(claim.ref(), claim.token()).join();
    }

    @Override
    public CompletionStage<Boolean> stillMineAsync() {
        return claims.stillOwns(claim.ref(), claim.token()).thenApplyAsync(mine -> mine, callbacks);
    }

    /** As {@link #onLost}, for the engine itself. */
    void whenLost(Runnable callback) {
        lost.thenRun(callback);
    }

    @Override
    public void onLost(Runnable callback) {
        lost.thenRunAsync(callback, callbacks);
    }
}
