// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Fingerprint;
import dev.semel.lane.Deadlines;
import dev.semel.lane.Environment;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A claim that this process is asking for, running, or waiting for another process to finish. Equal calls follow it: they
 * receive the stored form of its answer, never its objects. If it ends without an answer, they ask the store themselves.
 */
final class InFlightClaim {
    /** The store's answer to the call that leads. */
    final CompletableFuture<ClaimOutcome> asked = new CompletableFuture<>();

    /** The answer for all followers; empty if each of them has to ask the store. */
    final CompletableFuture<Optional<ClaimOutcome>> ended = new CompletableFuture<>();

    private final AtomicInteger waiters = new AtomicInteger();
    private final Environment environment;
    private final long begun;
    private volatile long leaseEnd;
    private volatile @Nullable Run run;
    private volatile @Nullable Long answerHolds;
    private volatile @Nullable ClaimRef record;

    /** @param environment has the clock of the lease */
    InFlightClaim(Environment environment) {
        this.environment = environment;
        this.begun = environment.nanoTime();
        this.leaseEnd = begun;
    }

    /**
     * What must be equal for a call to follow. All digests count: the store has to link every one, and if two of them lead to
     * two records, the answer is not that of the key alone.
     */
    record Key(ClaimDigests digests, Fingerprint fingerprint) {
        ClaimRef ref() {
            return digests.ref();
        }
    }

    /** One more caller waits for the end. */
    void awaited() {
        waiters.incrementAndGet();
    }

    /** One caller fewer waits for the end. */
    void left() {
        waiters.decrementAndGet();
    }

    boolean isAwaited() {
        return waiters.get() > 0;
    }

    void leaseLeft(Duration left) {
        leaseEnd = environment.nanoTime() + Deadlines.nanos(left);
    }

    /** Sets the record that another process runs. A digest that has not been linked does not lead to it. */
    void isAt(ClaimRef running) {
        record = running;
    }

    /** The reference to read, to see whether the claim is still in progress. */
    ClaimRef watched(Key key) {
        ClaimRef known = record;
        return known == null ? key.ref() : known;
    }

    /** The claim was granted, and this process runs its work. */
    void runs(Run here) {
        run = here;
    }

    Duration leaseLeft() {
        Run here = run;
        return here == null ? Duration.ofNanos(Math.max(0, leaseEnd - environment.nanoTime())) : here.leaseLeft();
    }

    /** Whether the lease has ended as far as this process knows. Then the store decides who may have the claim. */
    boolean lapsed() {
        return asked.isDone() && leaseLeft().isZero();
    }

    /** Until when its answer is kept, in {@link Environment#nanoTime}; null if it may change at any time. */
    void answerHolds(@Nullable Long until) {
        answerHolds = until;
    }

    /**
     * Whether this answer is also that of a call which follows. That is so if the call came before the question to the store.
     * Later, an unknown outcome may have been decided, and a stored answer may have expired and the work may have run again.
     */
    boolean answers(ClaimCall call, ClaimOutcome outcome) {
        if (call.begun() - begun <= 0) {
            return true;
        }
        if (outcome instanceof ClaimOutcome.Succeeded
                || outcome instanceof ClaimOutcome.Failed
                || outcome instanceof ClaimOutcome.Mismatch) {
            Long until = answerHolds;
            return until != null && call.begun() - until < 0;
        }
        return !(outcome instanceof ClaimOutcome.Unknown);
    }

    ClaimOutcome.InProgress inProgress() {
        return new ClaimOutcome.InProgress(leaseLeft());
    }
}
