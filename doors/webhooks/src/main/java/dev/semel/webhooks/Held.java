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

/** A claim that this delivery has: renewed at a third of its lease until it is settled, without a thread. */
final class Held {
    private final Semel semel;
    private final Claim claim;

    /** By {@link System#nanoTime()}: after that no renewal helps any more. */
    private final long end;

    private boolean settled;
    private CompletableFuture<Boolean> pause = new CompletableFuture<>();

    private Held(Semel semel, Claim claim) {
        this.semel = semel;
        this.claim = claim;
        this.end = System.nanoTime() + claim.terms().maxRun().toNanos();
    }

    static Held of(Semel semel, Claim claim) {
        Held held = new Held(semel, claim);
        held.scheduleRenewal();
        return held;
    }

    Claim claim() {
        return claim;
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
        if (settled || end - System.nanoTime() <= 0) {
            return;
        }
        pause = new CompletableFuture<>();
        pause.completeOnTimeout(true, claim.terms().lease().toNanos() / 3, TimeUnit.NANOSECONDS)
                .thenAccept(due -> {
                    if (due) {
                        renew();
                    }
                });
    }

    private void renew() {
        semel.renew(claim.ref(), claim.token(), claim.terms().lease()).thenAccept(answer -> {
            // Lost: another has it, and settling will say so.
            if (!(answer instanceof Ownership.Lost)) {
                scheduleRenewal();
            }
        });
    }

    private synchronized void stop() {
        settled = true;
        pause.complete(false);
    }
}
