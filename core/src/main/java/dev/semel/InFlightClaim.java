// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Fingerprint;
import dev.semel.lane.Deadlines;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A claim that this process is asking for, running, or waiting for another process to finish. Those who want the same
 * follow it: they get the stored form of its answer, never its objects, and ask for themselves if it has none.
 */
final class InFlightClaim {
    /** What the store said to the one who asked. */
    final CompletableFuture<ClaimOutcome> asked = new CompletableFuture<>();

    /** The answer for everybody; nothing where each has to ask again. */
    final CompletableFuture<Optional<ClaimOutcome>> ended = new CompletableFuture<>();

    private final AtomicInteger waiters = new AtomicInteger();
    private volatile long leaseEnd = System.nanoTime();
    private volatile @Nullable Run run;
    private volatile @Nullable ClaimRef record;

    /**
     * What must be equal to follow. All names count: the store has to learn of every one, and where two of them lead to
     * two records, the answer is not that of the key alone.
     */
    record Key(ClaimDigests names, Fingerprint fingerprint) {
        ClaimRef ref() {
            return names.ref();
        }
    }

    /** Somebody waits for the end from now on. */
    void awaited() {
        waiters.incrementAndGet();
    }

    /** Somebody has left. */
    void left() {
        waiters.decrementAndGet();
    }

    boolean isAwaited() {
        return waiters.get() > 0;
    }

    void leaseLeft(Duration left) {
        leaseEnd = System.nanoTime() + Deadlines.nanos(left);
    }

    /** Where the claim is that an owner elsewhere runs: names that nobody has linked need not lead to it. */
    void isAt(ClaimRef running) {
        record = running;
    }

    /** What to read, to see whether it is still in progress. */
    ClaimRef watched(Key key) {
        ClaimRef known = record;
        return known == null ? key.ref() : known;
    }

    /** It was granted, and this process runs it. */
    void runs(Run here) {
        run = here;
    }

    Duration leaseLeft() {
        Run here = run;
        return here == null ? Duration.ofNanos(Math.max(0, leaseEnd - System.nanoTime())) : here.leaseLeft();
    }

    /** Whether its owner, as far as is known here, let the lease end: then the store has to say who may have it. */
    boolean lapsed() {
        return asked.isDone() && leaseLeft().isZero();
    }

    ClaimOutcome.InProgress inProgress() {
        return new ClaimOutcome.InProgress(leaseLeft());
    }
}
