// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Fingerprint;
import dev.semel.internal.Futures;
import dev.semel.lane.Deadlines;
import dev.semel.lane.Environment;
import dev.semel.spi.Snapshot;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Waits for the owner of a running claim by reading alone. Callers that wait for the same claim share one read. */
final class AwaitedClaims {
    private final Environment environment;
    private final ClaimReads reads;
    private final InFlightClaims inFlight;

    AwaitedClaims(Environment environment, ClaimReads reads, InFlightClaims inFlight) {
        this.environment = environment;
        this.reads = reads;
        this.inFlight = inFlight;
    }

    CompletableFuture<Awaited> await(ClaimDigests digests, Fingerprint fingerprint, Duration maxWait) {
        return await(new InFlightClaim.Key(digests, fingerprint), environment.nanoTime() + Deadlines.nanos(maxWait));
    }

    private CompletableFuture<Awaited> await(InFlightClaim.Key key, long deadline) {
        return reads.find(key.digests())
                .handle((found, silent) -> {
                    if (silent != null) {
                        return CompletableFuture.completedFuture(unavailable(Futures.unwrapped(silent)));
                    }
                    Snapshot claim = found.orElse(null);
                    Awaited read = Awaited.of(claim, key.fingerprint());
                    return claim != null
                                    && read instanceof Awaited.Running running
                                    && deadline - environment.nanoTime() > 0
                            ? awaitRunning(key, deadline, running, claim.ref())
                            : CompletableFuture.completedFuture(read);
                })
                .thenCompose(Function.identity());
    }

    private static Awaited unavailable(Throwable cause) {
        return new Awaited.Unavailable(StoreGateway.messageOf(cause), cause);
    }

    /** Joins the callers of this process that wait for the same owner, or becomes the first of them. */
    private CompletableFuture<Awaited> awaitRunning(
            InFlightClaim.Key key, long deadline, Awaited.Running running, ClaimRef record) {
        if (!inFlight.admit()) {
            return CompletableFuture.completedFuture(running);
        }
        InFlightClaim mine = inFlight.create();
        InFlightClaim first = inFlight.putIfAbsent(key, mine);
        InFlightClaim claim = first == null ? mine : first;
        claim.awaited();
        if (first == null) {
            mine.leaseLeft(running.leaseLeft());
            mine.isAt(record);
            mine.asked.complete(mine.inProgress());
            inFlight.watch(key, mine);
        }
        CompletableFuture<Awaited> answer = new CompletableFuture<>();
        CompletableFuture<Boolean> wait = inFlight.pause(Math.max(0, deadline - environment.nanoTime()));
        wait.thenAccept(over -> {
            inFlight.leave(claim);
            answer.complete(new Awaited.Running(claim.leaseLeft()));
        });
        claim.ended.thenAccept(ended -> {
            if (wait.cancel(false)) {
                inFlight.leave(claim);
                await(key, deadline).thenAccept(answer::complete);
            }
        });
        return answer;
    }
}
