// SPDX-License-Identifier: Apache-2.0
package dev.semel.testkit;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.SweepReport;
import dev.semel.spi.ClaimStore;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import dev.semel.spi.Verdict;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * A store that behaves like the one it wraps, except where a test wants it to fail.
 *
 * <pre>{@code
 * FaultyStore store = new FaultyStore(new MemoryClaimStore());
 * store.onApplyOf(Command.Settle.class).failAfter();              // the next settlement: committed, connection lost
 * store.onApply().nth(3).busy();                                  // the third write from now on: a deadlock
 * store.onRead().always().failBefore();                           // no reads until heal()
 * Fault hang = store.onApplyOf(Command.Insert.class).hangBefore();
 * hang.awaitHit();                                                // the next claim is on its way, and stays there
 * hang.release();
 * }</pre>
 *
 * <p>A call meets at most one fault, the one that was set up first of those that concern it. Safe for use by many
 * threads, and hanging calls do not hold up others.
 */
public final class FaultyStore implements ClaimStore {
    private final ClaimStore delegate;
    private final List<Fault> faults = new ArrayList<>();

    public FaultyStore(ClaimStore delegate) {
        this.delegate = Objects.requireNonNull(delegate, "A store must not be null");
    }

    /** When something is written. */
    public When onApply() {
        return onApply(commands -> true);
    }

    /** When a command of this kind is among what is written. */
    public When onApplyOf(Class<? extends Command> kind) {
        return onApply(commands -> commands.stream().anyMatch(kind::isInstance));
    }

    private When onApply(Predicate<List<? extends Command>> concerned) {
        return new When(this, call -> call instanceof Call.Apply apply && concerned.test(apply.commands()));
    }

    /** When claims are read. */
    public When onRead() {
        return new When(this, call -> call instanceof Call.Read);
    }

    /** When the store is swept. */
    public When onSweep() {
        return new When(this, call -> call instanceof Call.Sweep);
    }

    /** Removes all faults and lets every hanging call go on. */
    public void heal() {
        List<Fault> healed;
        synchronized (faults) {
            healed = List.copyOf(faults);
            faults.clear();
        }
        healed.forEach(Fault::release);
    }

    @Override
    public List<Verdict> apply(List<? extends Command> commands) {
        return through(new Call.Apply(commands), () -> delegate.apply(commands));
    }

    @Override
    public Map<ClaimRef, Snapshot> read(Collection<ClaimRef> refs) {
        return through(new Call.Read(), () -> delegate.read(refs));
    }

    @Override
    public SweepReport sweep(int limit) {
        return through(new Call.Sweep(), () -> delegate.sweep(limit));
    }

    void add(Fault fault) {
        synchronized (faults) {
            faults.add(fault);
        }
    }

    private <R> R through(Call call, Supplier<R> onwards) {
        Fault met = null;
        for (Fault fault : snapshot()) {
            // Every fault counts every call that it matches, also those that another one has struck already.
            if (fault.counts(call) && met == null) {
                met = fault;
            }
        }
        // What a fault does is done outside the lock: it may hang, and others must get past it.
        return met == null ? onwards.get() : met.strike(onwards);
    }

    private List<Fault> snapshot() {
        synchronized (faults) {
            return List.copyOf(faults);
        }
    }

    /** What a caller asked of the store. */
    sealed interface Call {
        record Apply(List<? extends Command> commands) implements Call {}

        record Read() implements Call {}

        record Sweep() implements Call {}
    }
}
