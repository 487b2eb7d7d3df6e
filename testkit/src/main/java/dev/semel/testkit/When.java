// SPDX-License-Identifier: Apache-2.0
package dev.semel.testkit;

import dev.semel.claim.StoreException;
import dev.semel.claim.StoreException.Kind;
import java.util.function.Predicate;

/** Which calls of a {@link FaultyStore} fail, and how. Unless said otherwise, the next one of those that match. */
public final class When {
    private final FaultyStore store;
    private final Predicate<FaultyStore.Call> matches;
    private final int first;
    private final int last;

    When(FaultyStore store, Predicate<FaultyStore.Call> matches) {
        this(store, matches, 1, 1);
    }

    private When(FaultyStore store, Predicate<FaultyStore.Call> matches, int first, int last) {
        this.store = store;
        this.matches = matches;
        this.first = first;
        this.last = last;
    }

    /** Only the n-th matching call from now on, counted from 1. */
    public When nth(int n) {
        return new When(store, matches, positive(n), n);
    }

    /** The next n matching calls. */
    public When times(int n) {
        return new When(store, matches, 1, positive(n));
    }

    /** Every matching call until {@link FaultyStore#heal}. */
    public When always() {
        return new When(store, matches, 1, Integer.MAX_VALUE);
    }

    /** Nothing happens, and the caller cannot know: the connection was lost on the way there. */
    public Fault failBefore() {
        return before(failing(Kind.UNREACHABLE, "The connection was lost before the store was reached"));
    }

    /** It happens, and the caller cannot know: the connection was lost on the way back, at the commit say. */
    public Fault failAfter() {
        return fault(
                When::nothing, failing(Kind.UNREACHABLE, "The connection was lost before the answer came"), new Gate());
    }

    /** The call takes until {@link Fault#release}, and only then does what it was asked to. */
    public Fault hangBefore() {
        Gate gate = new Gate();
        return fault(gate::pass, When::nothing, gate);
    }

    /** It happens at once, but the answer takes until {@link Fault#release}. */
    public Fault hangAfter() {
        Gate gate = new Gate();
        return fault(When::nothing, gate::pass, gate);
    }

    /** Nothing happens and never will: the store refuses to take it. */
    public Fault reject() {
        return before(failing(Kind.REJECTED, "The store will not take this"));
    }

    /** Nothing happens because of other work: a deadlock, a lock time-out, a full queue. */
    public Fault busy() {
        return before(failing(Kind.BUSY, "The store is busy"));
    }

    /** Not a fault, but a coincidence: this happens just before the call reaches the store. */
    public Fault meanwhile(Runnable coincidence) {
        return before(coincidence);
    }

    private Fault before(Runnable strike) {
        return fault(strike, When::nothing, new Gate());
    }

    private Fault fault(Runnable before, Runnable after, Gate gate) {
        Fault fault = new Fault(matches, first, last, before, after, gate);
        store.add(fault);
        return fault;
    }

    private static Runnable failing(Kind kind, String message) {
        // A new exception every time, so that its stack trace is the call's.
        return () -> {
            throw new StoreException(kind, message);
        };
    }

    private static void nothing() {}

    private static int positive(int n) {
        if (n < 1) {
            throw new IllegalArgumentException("Calls are counted from 1, but this is " + n);
        }
        return n;
    }
}
