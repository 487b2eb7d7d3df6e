// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.claim.ClaimRef;
import dev.semel.internal.Futures;
import dev.semel.lane.Deadlines;
import dev.semel.spi.ClaimStore;
import dev.semel.spi.Snapshot;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Reads claims whose results the store left out of a call about many ({@link ClaimStore#largestResult}), each in a call of
 * its own. Only so many are read at once, because results are large. Callers that want the same claim share one read, and so
 * one copy of its result.
 */
final class OmittedResults {
    private final StoreGateway gateway;
    private final Parts parts;
    private final ConcurrentHashMap<ClaimRef, Reading> underWay = new ConcurrentHashMap<>();

    /** @param maxAtOnce how many are read at once */
    OmittedResults(StoreGateway gateway, int maxAtOnce) {
        this.gateway = gateway;
        this.parts = new Parts(maxAtOnce);
    }

    /** The claim as it is by now, with its result; fails if that does not come in time. */
    CompletableFuture<Optional<Snapshot>> read(Snapshot seen, Duration bound) {
        return read(seen, System.nanoTime() + Deadlines.nanos(bound));
    }

    private CompletableFuture<Optional<Snapshot>> read(Snapshot seen, long deadline) {
        Duration left = Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
        Reading mine = new Reading(deadline);
        Reading other = underWay.putIfAbsent(seen.ref(), mine);
        if (other == null) {
            parts.add(() -> begin(seen.ref(), mine));
            return gateway.answeredWithin(left, mine.copy());
        }
        other.wantedUntil(deadline);
        // It may have been read before what was seen here came to be.
        return gateway.answeredWithin(left, other.copy())
                .thenCompose(found -> found.isPresent() && isSame(found.get(), seen)
                        ? CompletableFuture.completedFuture(found)
                        : read(seen, deadline));
    }

    private CompletableFuture<?> begin(ClaimRef ref, Reading reading) {
        Duration left = reading.timeLeft();
        CompletableFuture<Optional<Snapshot>> answer = left.isZero()
                ? CompletableFuture.failedFuture(StoreGateway.late())
                : gateway.answeredWithin(left, gateway.readAlone(ref, left));
        return answer.whenComplete((found, failure) -> {
            // Removed first: a caller that arrives now needs a newer answer.
            underWay.remove(ref, reading);
            if (failure == null) {
                reading.complete(found);
            } else {
                reading.completeExceptionally(Futures.unwrapped(failure));
            }
        });
    }

    private static boolean isSame(Snapshot found, Snapshot seen) {
        return found.token().equals(seen.token()) && found.status() == seen.status();
    }

    /** A read that waits or is under way, until the last of those who want it has given up. */
    private static final class Reading extends CompletableFuture<Optional<Snapshot>> {
        private long deadline;

        Reading(long deadline) {
            this.deadline = deadline;
        }

        synchronized void wantedUntil(long other) {
            if (other - deadline > 0) {
                deadline = other;
            }
        }

        synchronized Duration timeLeft() {
            return Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
        }
    }
}
