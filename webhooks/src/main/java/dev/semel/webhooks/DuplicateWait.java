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
 * Waits for the outcome of another delivery without holding a thread or a connection. The wait only reads, so it does not count
 * as an attempt. It claims the event only if the other owner disappeared.
 */
final class DuplicateWait {
    /** How the wait ended. */
    sealed interface Ended {
        /** The wait ended with this outcome. A granted claim belongs to this delivery, because its owner disappeared. */
        record With(ClaimOutcome outcome) implements Ended {}

        /** The other delivery failed. This delivery fails too, and the sender's next one is processed. */
        record OtherFailed() implements Ended {}
    }

    private final Semel semel;

    DuplicateWait(Semel semel) {
        this.semel = semel;
    }

    /** @param deadline when to stop waiting, by {@link System#nanoTime()} */
    CompletionStage<Ended> await(AliasedKey key, Terms terms, long deadline) {
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

    /** Claims after the owner disappeared. One of all waiting callers gets the claim, and the others wait for it. */
    private CompletionStage<Ended> claim(AliasedKey key, Terms terms, long deadline) {
        return semel.claim(key, Fingerprint.NONE, terms, Duration.ZERO).thenCompose(outcome -> {
            if (outcome instanceof ClaimOutcome.InProgress) {
                return await(key, terms, deadline);
            }
            // Another delivery took the claim over first and has failed since.
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
