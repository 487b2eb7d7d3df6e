// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.claim.ClaimRef;
import dev.semel.internal.Futures;
import dev.semel.lane.Deadlines;
import dev.semel.lane.Environment;
import dev.semel.spi.ClaimStore;
import dev.semel.spi.Snapshot;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Reads claims whose results the store omitted from a call about many ({@link ClaimStore#largestResult}), each in a call of
 * its own. The number of concurrent reads is limited, because results are large. Callers that want the same claim share one
 * read, and so one copy of its result.
 */
final class OmittedResults {
    private final StoreGateway gateway;
    private final BoundedQueue parts;
    private final ConcurrentHashMap<ClaimRef, Reading> inProgress = new ConcurrentHashMap<>();

    /** @param maxAtOnce how many claims are read at the same time */
    OmittedResults(StoreGateway gateway, int maxAtOnce) {
        this.gateway = gateway;
        this.parts = new BoundedQueue(maxAtOnce);
    }

    /** The current state of the claim, with its result. Fails if the store does not answer in time. */
    CompletableFuture<Optional<Snapshot>> read(Snapshot seen, Duration bound) {
        return read(seen, gateway.environment().nanoTime() + Deadlines.nanos(bound));
    }

    private CompletableFuture<Optional<Snapshot>> read(Snapshot seen, long deadline) {
        Duration left =
                Duration.ofNanos(Math.max(0, deadline - gateway.environment().nanoTime()));
        Reading mine = new Reading(deadline);
        Reading other = inProgress.putIfAbsent(seen.ref(), mine);
        if (other == null) {
            parts.add(() -> begin(seen.ref(), mine));
            return gateway.answeredWithin(left, mine.copy());
        }
        other.wantedUntil(deadline);
        // The shared read may have happened before the claim reached the state that was seen.
        return gateway.answeredWithin(left, other.copy())
                .thenCompose(found -> found.isPresent() && isSame(found.get(), seen)
                        ? CompletableFuture.completedFuture(found)
                        : read(seen, deadline));
    }

    private CompletableFuture<?> begin(ClaimRef ref, Reading reading) {
        Duration left = reading.timeLeft(gateway.environment());
        CompletableFuture<Optional<Snapshot>> answer = left.isZero()
                ? CompletableFuture.failedFuture(StoreGateway.late())
                : gateway.answeredWithin(left, gateway.readAlone(ref, left));
        return answer.whenComplete((found, failure) -> {
            // Removed first: a caller that arrives now needs a newer answer.
            inProgress.remove(ref, reading);
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

    /** A read that is queued or in progress, until the last caller that wants it gives up. */
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

        synchronized Duration timeLeft(Environment environment) {
            return Duration.ofNanos(Math.max(0, deadline - environment.nanoTime()));
        }
    }
}
