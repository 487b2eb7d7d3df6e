// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

import dev.semel.Awaited;
import dev.semel.Claim;
import dev.semel.ClaimOutcome;
import dev.semel.Semel;
import dev.semel.claim.AliasedKey;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.Terms;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Waits for another delivery's outcome, holding neither a thread nor a connection. It only reads: a delivery that waited
 * counts as no attempt. It claims the event only where the other's owner disappeared.
 */
final class DuplicateWait {
    /** How the waiting ended. */
    sealed interface Ended {
        /** With this outcome. A granted claim is ours, because its owner disappeared. */
        record With(ClaimOutcome outcome) implements Ended {}

        /** The other failed: its sender's next delivery is to be processed, not this one. */
        record OtherFailed() implements Ended {}
    }

    private final Semel semel;

    DuplicateWait(Semel semel) {
        this.semel = semel;
    }

    /** @param deadline by {@link System#nanoTime()} */
    CompletionStage<Ended> forThe(AliasedKey key, Terms terms, long deadline) {
        long left = deadline - System.nanoTime();
        if (left <= 0) {
            return with(new ClaimOutcome.InProgress(Duration.ZERO));
        }
        return semel.await(key, Fingerprint.NONE, Duration.ofNanos(left))
                .thenCompose(read -> ended(read, key, terms, deadline));
    }

    private CompletionStage<Ended> ended(Awaited read, AliasedKey key, Terms terms, long deadline) {
        if (read instanceof Awaited.Answered answered) {
            return with(answered.outcome());
        }
        if (read instanceof Awaited.Running running) {
            return with(new ClaimOutcome.InProgress(running.leaseLeft()));
        }
        if (read instanceof Awaited.Unavailable unavailable) {
            return with(new ClaimOutcome.Unavailable(unavailable.reason(), unavailable.cause()));
        }
        return read instanceof Awaited.FailedRetryably
                ? CompletableFuture.completedFuture(new Ended.OtherFailed())
                : claim(key, terms, deadline);
    }

    /** The owner disappeared. Of all who saw that, one gets the claim, and the others wait for it. */
    private CompletionStage<Ended> claim(AliasedKey key, Terms terms, long deadline) {
        return semel.claim(key, Fingerprint.NONE, terms, Duration.ZERO).thenCompose(outcome -> {
            if (outcome instanceof ClaimOutcome.InProgress) {
                return forThe(key, terms, deadline);
            }
            // Another delivery got it first and failed in the meantime.
            return outcome instanceof ClaimOutcome.Granted granted
                            && granted.claim().origin() == Claim.Origin.RETRY
                    ? semel.giveBack(granted.claim()).thenApply(given -> new Ended.OtherFailed())
                    : with(outcome);
        });
    }

    private static CompletionStage<Ended> with(ClaimOutcome outcome) {
        return CompletableFuture.completedFuture(new Ended.With(outcome));
    }
}
