// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.ClaimEvent.Kind;
import dev.semel.lane.Alarms;
import dev.semel.lane.Environment;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * A claim while its work runs. Renews the lease after a third of it until stopped, and informs the work and the listener if
 * a renewal fails.
 */
final class Run implements RunContext {
    private final Environment environment;
    private final Claim claim;
    private final OwnerCommands owners;
    private final Events events;
    private final Alarms alarms;
    private final Executor callbacks;
    private final Rejecting rejecting;
    private final CompletableFuture<Void> lost = new CompletableFuture<>();

    /** In {@link Environment#nanoTime}. Counted from before the request, so never later than by the store's clock. */
    private volatile long leaseEnd;

    private volatile boolean stopped;
    private Alarms.@Nullable Alarm nextRenewal;
    private volatile Optional<ClaimOutcome> answer = Optional.empty();

    private Run(
            Environment environment,
            Claim claim,
            Rejecting rejecting,
            OwnerCommands owners,
            Events events,
            Alarms alarms,
            Executor callbacks) {
        this.environment = environment;
        this.claim = claim;
        this.rejecting = rejecting;
        this.owners = owners;
        this.events = events;
        this.alarms = alarms;
        this.callbacks = callbacks;
        this.leaseEnd = claim.leaseEnd();
    }

    /** Starts to renew the lease. Every path must {@link #stop} the run. */
    static Run started(
            Environment environment,
            Claim claim,
            Rejecting rejecting,
            OwnerCommands owners,
            Events events,
            Alarms alarms,
            Executor callbacks) {
        Run run = new Run(environment, claim, rejecting, owners, events, alarms, callbacks);
        run.scheduleRenewal();
        return run;
    }

    Claim claim() {
        return claim;
    }

    Rejecting rejecting() {
        return rejecting;
    }

    /** The answer for later callers, once it is stored. */
    Optional<ClaimOutcome> answer() {
        return answer;
    }

    void answered(ClaimOutcome stored) {
        answer = Optional.of(stored);
    }

    synchronized void stop() {
        stopped = true;
        if (nextRenewal != null) {
            nextRenewal.stop();
        }
    }

    /** Whether enough of the lease is left to start the work without a renewal. */
    boolean mayStart() {
        return ownsLease() && Claim.lastsLongEnough(claim.terms(), leaseLeft());
    }

    /**
     * Whether the lease lasts as far as this process knows. A renewal also revives an ended lease if there was no
     * take-over.
     */
    boolean ownsLease() {
        return !leaseLeft().isZero();
    }

    private synchronized void scheduleRenewal() {
        if (stopped) {
            return;
        }
        if (nextRenewal != null) {
            nextRenewal.stop();
        }
        try {
            // Near the maximum run time the lease is shorter than a third of the terms, and its end must be noticed in
            // time.
            long third = claim.terms().lease().toNanos() / 3;
            long left = leaseLeft().toNanos();
            long pause = left == 0 ? third : Math.min(third, left);
            nextRenewal = alarms.set(pause, this::renew);
        } catch (RejectedExecutionException e) {
            events.fire(Kind.RENEWAL_FAILED, claim, e);
        }
    }

    /** Renews now, and again after a third of the lease. {@link #ownsLease} says whether it succeeded. */
    CompletableFuture<Void> renew() {
        long sent = environment.nanoTime();
        return owners.renew(claim.ref(), claim.token(), claim.terms().lease()).thenAccept(answer -> {
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
                    // Another owner may have taken over, and this process cannot know.
                    lost.complete(null);
                }
                scheduleRenewal();
            } else {
                // Another owner has the claim, or the maximum run time is over and another may take over at any moment.
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
    @SuppressWarnings("TypeParameterUnusedInFormals") // See RunContext.
    public <T extends @Nullable Object> T reject(String code, @Nullable Object details) {
        return rejecting.reject(code, details);
    }

    @Override
    public Duration leaseLeft() {
        return Duration.ofNanos(Math.max(0, leaseEnd - environment.nanoTime()));
    }

    @Override
    public boolean stillMine() {
        return owners.stillOwns(claim.ref(), claim.token()).join();
    }

    @Override
    public CompletionStage<Boolean> stillMineAsync() {
        return owners.stillOwns(claim.ref(), claim.token()).thenApplyAsync(mine -> mine, callbacks);
    }

    /** As {@link #onLost}, but on the thread that notices the loss. */
    void whenLost(Runnable callback) {
        lost.thenRun(callback);
    }

    @Override
    public void onLost(Runnable callback) {
        lost.thenRunAsync(callback, callbacks);
    }
}
