// SPDX-License-Identifier: Apache-2.0
package dev.semel.messaging;

import dev.semel.Claim;
import dev.semel.Semel;
import dev.semel.claim.Terms;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Renews the leases of a batch's claims after every third of the lease until closed, without a thread of its own. */
final class RenewedClaims implements AutoCloseable {
    private final Semel semel;
    private final List<Claim> claims;
    private final Terms terms;
    private final long end;
    private boolean closed;
    private CompletableFuture<Boolean> pause = new CompletableFuture<>();

    private RenewedClaims(Semel semel, List<Claim> claims, Terms terms) {
        this.semel = semel;
        this.claims = claims;
        this.terms = terms;
        this.end = System.nanoTime() + terms.maxRun().toNanos();
    }

    static RenewedClaims of(Semel semel, List<Claim> claims, Terms terms) {
        RenewedClaims renewed = new RenewedClaims(semel, claims, terms);
        renewed.schedule();
        return renewed;
    }

    private synchronized void schedule() {
        if (closed || end - System.nanoTime() <= 0) {
            return;
        }
        pause = new CompletableFuture<>();
        pause.completeOnTimeout(true, terms.lease().toNanos() / 3, TimeUnit.NANOSECONDS)
                .thenAccept(due -> {
                    if (due) {
                        renew();
                    }
                });
    }

    /** A renewal that fails needs no action here: the settlement then fails as well, and the message is redelivered. */
    private void renew() {
        CompletableFuture<?>[] renewals = claims.stream()
                .map(claim ->
                        semel.renew(claim.ref(), claim.token(), terms.lease()).toCompletableFuture())
                .toArray(CompletableFuture<?>[]::new);
        CompletableFuture.allOf(renewals).whenComplete((done, failure) -> schedule());
    }

    @Override
    public synchronized void close() {
        closed = true;
        pause.complete(false);
    }
}
