// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.lane.Environment;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Claims that wait for a running owner without holding a thread or a connection. Equal claims of this process share one
 * {@link InFlightClaim}: the first one leads and asks the store, the others follow. Reports to the listener the one answer
 * that each caller receives.
 */
final class CoalescingClaims {
    private final Environment environment;
    private final ClaimProtocol protocol;
    private final CachedOutcomes cache;
    private final InFlightClaims inFlight;
    private final Events events;

    CoalescingClaims(
            Environment environment,
            ClaimProtocol protocol,
            CachedOutcomes cache,
            InFlightClaims inFlight,
            Events events) {
        this.environment = environment;
        this.protocol = protocol;
        this.cache = cache;
        this.inFlight = inFlight;
        this.events = events;
    }

    /** Claims. If the claim is granted and the work runs here, {@link #ended} must be called after it. */
    CompletableFuture<ClaimOutcome> claim(ClaimCall call) {
        CompletableFuture<ClaimOutcome> answered = call.follows() ? cachedOrFollowed(call) : alone(call);
        return answered.thenApply(outcome -> {
            events.answered(call, outcome);
            return outcome;
        });
    }

    /** The granted work runs here from now on. If it loses its claim, the followers have to ask the store. */
    void runs(ClaimCall call, Run run) {
        InFlightClaim.Key key = call.key();
        inFlight.answered(key).ifPresent(claim -> {
            claim.runs(run);
            run.whenLost(() -> inFlight.end(key, claim, Optional.empty()));
        });
    }

    /** The granted work has ended here, with or without an answer for the followers. */
    void ended(ClaimCall call, Optional<ClaimOutcome> answer) {
        InFlightClaim.Key key = call.key();
        inFlight.answered(key).ifPresent(claim -> {
            claim.answerHolds(call.answerHolds());
            inFlight.end(key, claim, answer);
        });
    }

    private CompletableFuture<ClaimOutcome> cachedOrFollowed(ClaimCall call) {
        if (!call.digests().others().isEmpty()) {
            // The store has to link every digest, even if the cache knows the answer.
            return leadOrFollow(call);
        }
        CompletableFuture<Optional<ClaimOutcome>> cached = cache.find(call.ref(), call.fingerprint());
        if (cached.isDone()) {
            return cached.join().map(CompletableFuture::completedFuture).orElseGet(() -> leadOrFollow(call));
        }
        return cached.thenCompose(
                found -> found.map(CompletableFuture::completedFuture).orElseGet(() -> leadOrFollow(call)));
    }

    private CompletableFuture<ClaimOutcome> leadOrFollow(ClaimCall call) {
        InFlightClaim mine = inFlight.create();
        InFlightClaim first = inFlight.putIfAbsent(call.key(), mine);
        if (first == null) {
            return lead(call, mine);
        }
        // After the end of the lease any caller may have the claim, so the store decides.
        return first.lapsed() ? alone(call) : follow(call, first);
    }

    private CompletableFuture<ClaimOutcome> alone(ClaimCall call) {
        return protocol.claim(call).thenCompose(outcome -> {
            if (outcome instanceof ClaimOutcome.InProgress running && admitted(call)) {
                InFlightClaim own = inFlight.create();
                own.leaseLeft(running.leaseLeft());
                own.awaited();
                inFlight.watch(call.key(), own);
                return await(call, own);
            }
            return CompletableFuture.completedFuture(outcome);
        });
    }

    private CompletableFuture<ClaimOutcome> lead(ClaimCall call, InFlightClaim mine) {
        return protocol.claim(call).thenCompose(outcome -> {
            if (outcome instanceof ClaimOutcome.Granted granted) {
                mine.leaseLeft(granted.claim().leaseLeft(environment));
                mine.asked.complete(outcome);
                if (!call.runsHere()) {
                    inFlight.end(call.key(), mine, Optional.empty());
                }
                return CompletableFuture.completedFuture(outcome);
            }
            if (outcome instanceof ClaimOutcome.InProgress running) {
                mine.leaseLeft(running.leaseLeft());
                boolean waits = admitted(call);
                if (waits) {
                    mine.awaited();
                }
                mine.asked.complete(outcome);
                inFlight.watch(call.key(), mine);
                return waits ? await(call, mine) : CompletableFuture.completedFuture(outcome);
            }
            mine.answerHolds(call.answerHolds());
            // Ended first, so that a caller that asks again does not follow it once more.
            inFlight.end(call.key(), mine, Optional.of(outcome));
            mine.asked.complete(outcome);
            return CompletableFuture.completedFuture(outcome);
        });
    }

    private CompletableFuture<ClaimOutcome> follow(ClaimCall call, InFlightClaim claim) {
        if (admitted(call)) {
            claim.awaited();
            return await(call, claim);
        }
        return claim.asked.thenCompose(outcome -> {
            if (!claim.answers(call, outcome)) {
                return leadOrFollow(call);
            }
            return CompletableFuture.completedFuture(
                    outcome instanceof ClaimOutcome.Granted || outcome instanceof ClaimOutcome.InProgress
                            ? claim.inProgress()
                            : outcome);
        });
    }

    /** Whether the caller waits. If too many wait already, it receives the answer that is known now. */
    private boolean admitted(ClaimCall call) {
        return call.waits() && inFlight.admit();
    }

    /**
     * Waits for the end of a claim, for an admitted caller. Completes with the claim's answer, or with an answer of the store
     * if the claim ends without one, or with "in progress" once the caller's time is over.
     */
    private CompletableFuture<ClaimOutcome> await(ClaimCall call, InFlightClaim claim) {
        CompletableFuture<ClaimOutcome> answer = new CompletableFuture<>();
        CompletableFuture<Boolean> wait = inFlight.pause(call.timeToWait());
        wait.thenAccept(over -> {
            inFlight.leave(claim);
            answer.complete(claim.inProgress());
        });
        call.abandoned().thenRun(() -> wait.complete(true));
        claim.ended.thenAccept(ended -> {
            // Only one of the two: a caller that has been answered must not be granted anything.
            if (!wait.cancel(false)) {
                return;
            }
            inFlight.leave(claim);
            if (ended.isPresent() && claim.answers(call, ended.get())) {
                answer.complete(ended.get());
            } else {
                leadOrFollow(call).thenAccept(answer::complete);
            }
        });
        return answer;
    }
}
