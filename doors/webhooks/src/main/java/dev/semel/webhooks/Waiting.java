// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

import dev.semel.Claim;
import dev.semel.ClaimOutcome;
import dev.semel.Semel;
import dev.semel.claim.AliasedKey;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.Terms;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Waits for another delivery's outcome, holding neither a thread nor a connection. Of the deliveries in this process that
 * wait for the same, one asks, and the others follow it.
 */
final class Waiting {
    /** How the waiting ended. */
    sealed interface Ended {
        /** With this; what is granted is ours, because its owner disappeared. */
        record With(ClaimOutcome outcome) implements Ended {}

        /** The other failed: its sender's next delivery is to be processed, not this one. */
        record OtherFailed() implements Ended {}
    }

    private static final ClaimOutcome STILL = new ClaimOutcome.InProgress(Duration.ZERO);

    private final Semel semel;
    private final ConcurrentHashMap<AliasedKey, CompletableFuture<ClaimOutcome>> asked = new ConcurrentHashMap<>();

    Waiting(Semel semel) {
        this.semel = semel;
    }

    /** @param deadline by {@link System#nanoTime()} */
    CompletionStage<Ended> forThe(AliasedKey key, Terms terms, long deadline) {
        long left = deadline - System.nanoTime();
        if (left <= 0) {
            return CompletableFuture.completedFuture(new Ended.With(STILL));
        }
        CompletableFuture<ClaimOutcome> mine = new CompletableFuture<>();
        CompletableFuture<ClaimOutcome> first = asked.putIfAbsent(key, mine);
        return first == null ? ask(key, terms, left, mine) : follow(key, terms, deadline, first);
    }

    private CompletionStage<Ended> ask(
            AliasedKey key, Terms terms, long left, CompletableFuture<ClaimOutcome> followed) {
        return semel.claim(key, Fingerprint.NONE, terms, Duration.ofNanos(left))
                .thenCompose(this::givenBack)
                .whenComplete((outcome, failure) -> {
                    asked.remove(key, followed);
                    followed.complete(failure == null ? outcome : STILL);
                })
                .thenApply(Waiting::ended);
    }

    private CompletionStage<Ended> follow(
            AliasedKey key, Terms terms, long deadline, CompletableFuture<ClaimOutcome> first) {
        long left = Math.max(0, deadline - System.nanoTime());
        return first.copy().completeOnTimeout(STILL, left, TimeUnit.NANOSECONDS).thenCompose(outcome -> {
            boolean others = outcome instanceof ClaimOutcome.InProgress
                    || (outcome instanceof ClaimOutcome.Granted && !failedBefore(outcome));
            return others ? forThe(key, terms, deadline) : CompletableFuture.completedFuture(ended(outcome));
        });
    }

    /** Only asking to have it tells what became of the other; if that failed, it is not ours to run, and is given back. */
    private CompletionStage<ClaimOutcome> givenBack(ClaimOutcome outcome) {
        return failedBefore(outcome)
                ? Held.of(semel, ((ClaimOutcome.Granted) outcome).claim())
                        .giveBack("a delivery that waited for it does not run it")
                        .thenApply(settled -> outcome)
                : CompletableFuture.completedFuture(outcome);
    }

    private static Ended ended(ClaimOutcome outcome) {
        return failedBefore(outcome) ? new Ended.OtherFailed() : new Ended.With(outcome);
    }

    private static boolean failedBefore(ClaimOutcome outcome) {
        return outcome instanceof ClaimOutcome.Granted granted
                && granted.claim().origin() == Claim.Origin.RETRY;
    }
}
