// SPDX-License-Identifier: Apache-2.0
package dev.semel.testkit;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** A fault of a {@link FaultyStore}: counts the calls that it affected, and releases the calls that hang in it. */
public final class Fault {
    private static final Duration MAX_WAIT = Duration.ofSeconds(30);

    private final Predicate<FaultyStore.Call> matches;
    private final int first;
    private final int last;
    private final Runnable before;
    private final Runnable after;
    private final FaultGate gate;
    private final AtomicInteger seen = new AtomicInteger();
    private final AtomicInteger hits = new AtomicInteger();
    private final CountDownLatch hit = new CountDownLatch(1);

    Fault(Predicate<FaultyStore.Call> matches, int first, int last, Runnable before, Runnable after, FaultGate gate) {
        this.matches = matches;
        this.first = first;
        this.last = last;
        this.before = before;
        this.after = after;
        this.gate = gate;
    }

    /** How many calls it has affected. */
    public int hits() {
        return hits.get();
    }

    /** Waits until it has affected a call. */
    public void awaitHit() {
        try {
            if (!hit.await(MAX_WAIT.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new AssertionError("The fault affected no call within " + MAX_WAIT);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("Interrupted while waiting for a call to meet this fault", e);
        }
    }

    /** Releases every call that hangs here, now and later. Does nothing if the fault is of another kind. */
    public void release() {
        gate.open();
    }

    /** Counts the call if it matches, and returns whether it must fail. */
    boolean counts(FaultyStore.Call call) {
        if (!matches.test(call)) {
            return false;
        }
        // Stops at the maximum, because an overflow would make the count start again.
        int number = seen.updateAndGet(count -> count == Integer.MAX_VALUE ? count : count + 1);
        return number >= first && number <= last;
    }

    <R> R strike(Supplier<R> onwards) {
        hits.incrementAndGet();
        hit.countDown();
        before.run();
        R answer = onwards.get();
        after.run();
        return answer;
    }
}
