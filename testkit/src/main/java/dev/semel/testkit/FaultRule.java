// SPDX-License-Identifier: Apache-2.0
package dev.semel.testkit;

import dev.semel.claim.StoreException;
import dev.semel.claim.StoreException.Kind;
import java.util.function.Predicate;

/** Selects the calls of a {@link FaultyStore} that fail, and how. The default is the next matching call. */
public final class FaultRule {
    private final FaultyStore store;
    private final Predicate<FaultyStore.Call> matches;
    private final int first;
    private final int last;

    FaultRule(FaultyStore store, Predicate<FaultyStore.Call> matches) {
        this(store, matches, 1, 1);
    }

    private FaultRule(FaultyStore store, Predicate<FaultyStore.Call> matches, int first, int last) {
        this.store = store;
        this.matches = matches;
        this.first = first;
        this.last = last;
    }

    /** Only the n-th matching call from now on, counted from 1. */
    public FaultRule nth(int n) {
        return new FaultRule(store, matches, positive(n), n);
    }

    /** The next n matching calls. */
    public FaultRule times(int n) {
        return new FaultRule(store, matches, 1, positive(n));
    }

    /** Every matching call until {@link FaultyStore#heal}. */
    public FaultRule always() {
        return new FaultRule(store, matches, 1, Integer.MAX_VALUE);
    }

    /** The call has no effect, and the caller cannot know: the connection was lost before the request arrived. */
    public Fault failBefore() {
        return before(failing(Kind.UNREACHABLE, "The connection was lost before the store was reached"));
    }

    /** The call takes effect, and the caller cannot know: the connection was lost before the answer arrived. */
    public Fault failAfter() {
        return fault(
                FaultRule::nothing,
                failing(Kind.UNREACHABLE, "The connection was lost before the answer arrived"),
                new FaultGate());
    }

    /** The call hangs until {@link Fault#release} and takes effect only then. */
    public Fault hangBefore() {
        FaultGate gate = new FaultGate();
        return fault(gate::pass, FaultRule::nothing, gate);
    }

    /** The call takes effect at once, but its answer hangs until {@link Fault#release}. */
    public Fault hangAfter() {
        FaultGate gate = new FaultGate();
        return fault(FaultRule::nothing, gate::pass, gate);
    }

    /** The store rejects the call. Sending it again would not help. */
    public Fault reject() {
        return before(failing(Kind.REJECTED, "The store will not take this"));
    }

    /** The call has no effect because the store is busy: a deadlock, a lock timeout, a full queue. */
    public Fault busy() {
        return before(failing(Kind.BUSY, "The store is busy"));
    }

    /** Not a fault: runs this just before the call reaches the store. */
    public Fault meanwhile(Runnable coincidence) {
        return before(coincidence);
    }

    private Fault before(Runnable strike) {
        return fault(strike, FaultRule::nothing, new FaultGate());
    }

    private Fault fault(Runnable before, Runnable after, FaultGate gate) {
        Fault fault = new Fault(matches, first, last, before, after, gate);
        store.add(fault);
        return fault;
    }

    private static Runnable failing(Kind kind, String message) {
        // A new exception each time, so that its stack trace is that of the call.
        return () -> {
            throw new StoreException(kind, message);
        };
    }

    private static void nothing() {}

    private static int positive(int n) {
        if (n < 1) {
            throw new IllegalArgumentException("Calls are counted from 1, not from " + n);
        }
        return n;
    }
}
