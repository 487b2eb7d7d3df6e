// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.lane.Backoff;
import dev.semel.lane.Environment;
import dev.semel.lane.Pauses;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The claims that this process is asking for, running or waiting for, at most one for each key. For an owner in another
 * process, one read serves all callers that wait, and it is repeated ever less often.
 */
final class InFlightClaims {
    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration MAX_PAUSE = Duration.ofSeconds(1);

    private final Environment environment;
    private final ClaimReads reads;
    private final Pauses pauses;
    private final int maxWaiting;
    private final AtomicInteger waiting = new AtomicInteger();
    private final ConcurrentHashMap<InFlightClaim.Key, InFlightClaim> claims = new ConcurrentHashMap<>();

    /** @param maxWaiting how many callers may wait for an owner */
    InFlightClaims(Environment environment, ClaimReads reads, Pauses pauses, int maxWaiting) {
        this.environment = environment;
        this.reads = reads;
        this.pauses = pauses;
        this.maxWaiting = maxWaiting;
    }

    /** A claim that no other caller knows yet. */
    InFlightClaim create() {
        return new InFlightClaim(environment);
    }

    /** Adds the claim unless there is one for this key already, which is then returned. */
    @Nullable
    InFlightClaim putIfAbsent(InFlightClaim.Key key, InFlightClaim mine) {
        return claims.putIfAbsent(key, mine);
    }

    /** The claim that was answered by the store and has not ended, if there is one. */
    Optional<InFlightClaim> answered(InFlightClaim.Key key) {
        return Optional.ofNullable(claims.get(key)).filter(claim -> claim.asked.isDone());
    }

    /** Whether another caller may wait. If so, call {@link #leave} once it no longer waits. */
    boolean admit() {
        if (waiting.incrementAndGet() <= maxWaiting) {
            return true;
        }
        waiting.decrementAndGet();
        return false;
    }

    /** An admitted caller no longer waits for this claim. */
    void leave(InFlightClaim claim) {
        claim.left();
        waiting.decrementAndGet();
    }

    /** Completes after this time, or with false as soon as the engine closes. */
    CompletableFuture<Boolean> pause(long nanos) {
        return pauses.after(nanos);
    }

    /** Checks from time to time whether the owner in another process still runs the claim, while a caller here waits. */
    void watch(InFlightClaim.Key key, InFlightClaim claim) {
        watch(key, claim, FIRST_PAUSE);
    }

    private void watch(InFlightClaim.Key key, InFlightClaim claim, Duration pause) {
        if (!claim.isAwaited()) {
            end(key, claim, Optional.empty());
            return;
        }
        Duration doubled = pause.multipliedBy(2);
        Duration next = doubled.compareTo(MAX_PAUSE) < 0 ? doubled : MAX_PAUSE;
        pauses.after(Backoff.jittered(environment, pause.toNanos())).thenAccept(due -> {
            if (due) {
                check(key, claim, next);
            } else {
                end(key, claim, Optional.of(claim.inProgress()));
            }
        });
    }

    private void check(InFlightClaim.Key key, InFlightClaim claim, Duration pause) {
        reads.stillInProgress(claim.watched(key)).whenComplete((left, silent) -> {
            // A store that does not answer says nothing about the owner, so the wait goes on.
            if (silent == null && left.isEmpty()) {
                end(key, claim, Optional.empty());
            } else {
                if (silent == null) {
                    claim.leaseLeft(left.get());
                }
                watch(key, claim, pause);
            }
        });
    }

    /** Ends a claim, with the answer for its followers. Without an answer, each of them asks the store. */
    void end(InFlightClaim.Key key, InFlightClaim claim, Optional<ClaimOutcome> answer) {
        // Removed first, so that a caller that asks again does not follow it once more.
        claims.remove(key, claim);
        claim.ended.complete(answer);
    }
}
