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
 * A store that wraps another one and fails where a test tells it to.
 *
 * <pre>{@code
 * FaultyStore store = new FaultyStore(new MemoryClaimStore());
 * store.onApplyOf(Command.Settle.class).failAfter();              // the next settlement: committed, connection lost
 * store.onApply().nth(3).busy();                                  // the third write from now on: a deadlock
 * store.onRead().always().failBefore();                           // no reads until heal()
 * Fault hang = store.onApplyOf(Command.Insert.class).hangBefore();
 * hang.awaitHit();                                                // the next claim has been sent, and hangs
 * hang.release();
 * }</pre>
 *
 * <p>At most one fault affects a call: the one that was set up first among those that match. Safe for use by many
 * threads. Hanging calls do not delay others.
 */
public final class FaultyStore implements ClaimStore {
    private final ClaimStore delegate;
    private final List<Fault> faults = new ArrayList<>();

    public FaultyStore(ClaimStore delegate) {
        this.delegate = Objects.requireNonNull(delegate, "A store must not be null");
    }

    /** Affects writes. */
    public FaultRule onApply() {
        return onApply(commands -> true);
    }

    /** Affects writes that contain a command of this kind. */
    public FaultRule onApplyOf(Class<? extends Command> kind) {
        return onApply(commands -> commands.stream().anyMatch(kind::isInstance));
    }

    private FaultRule onApply(Predicate<List<? extends Command>> concerned) {
        return new FaultRule(this, call -> call instanceof Call.Apply apply && concerned.test(apply.commands()));
    }

    /** Affects reads. */
    public FaultRule onRead() {
        return new FaultRule(this, call -> call instanceof Call.Read);
    }

    /** Affects sweeps. */
    public FaultRule onSweep() {
        return new FaultRule(this, call -> call instanceof Call.Sweep);
    }

    /** Removes all faults and releases every hanging call. */
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
    public boolean commitsInsertsApart() {
        return delegate.commitsInsertsApart();
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
            // Every fault counts every call that it matches, also if another fault affects the call.
            if (fault.counts(call) && met == null) {
                met = fault;
            }
        }
        // Outside the lock, because a fault may hang and must not delay other calls.
        return met == null ? onwards.get() : met.strike(onwards);
    }

    private List<Fault> snapshot() {
        synchronized (faults) {
            return List.copyOf(faults);
        }
    }

    /** A caller's call to the store. */
    sealed interface Call {
        record Apply(List<? extends Command> commands) implements Call {}

        record Read() implements Call {}

        record Sweep() implements Call {}
    }
}
