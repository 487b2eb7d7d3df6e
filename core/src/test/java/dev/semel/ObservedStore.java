// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.SweepReport;
import dev.semel.spi.ClaimStore;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import dev.semel.spi.Verdict;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** A store that records what the engine asks of it, and lets a test act before it happens. */
class ObservedStore implements ClaimStore {
    private final ClaimStore store;
    private final List<Command> commands = new CopyOnWriteArrayList<>();
    private final List<Integer> batches = new CopyOnWriteArrayList<>();
    private final List<Integer> sweeps = new CopyOnWriteArrayList<>();
    private final AtomicInteger reads = new AtomicInteger();
    private final AtomicInteger refsRead = new AtomicInteger();
    private volatile Consumer<Command> beforeCommand = command -> {};
    private volatile Consumer<Command> afterCommand = command -> {};
    private volatile Runnable beforeRead = () -> {};
    private volatile Runnable beforeSweep = () -> {};

    ObservedStore(ClaimStore store) {
        this.store = store;
    }

    @Override
    public List<Verdict> apply(List<? extends Command> batch) {
        commands.addAll(batch);
        batches.add(batch.size());
        batch.forEach(beforeCommand);
        List<Verdict> verdicts = store.apply(batch);
        batch.forEach(afterCommand);
        return verdicts;
    }

    @Override
    public Map<ClaimRef, Snapshot> read(Collection<ClaimRef> refs) {
        reads.incrementAndGet();
        refsRead.addAndGet(refs.size());
        beforeRead.run();
        return store.read(refs);
    }

    @Override
    public boolean commitsInsertsApart() {
        return store.commitsInsertsApart();
    }

    @Override
    public SweepReport sweep(int limit) {
        sweeps.add(limit);
        beforeSweep.run();
        return store.sweep(limit);
    }

    /** The hook may block, throw, or change the store. */
    void beforeCommand(Consumer<Command> hook) {
        beforeCommand = hook;
    }

    /** Called after the commit and before the verdict is returned. */
    void afterCommand(Consumer<Command> hook) {
        afterCommand = hook;
    }

    void beforeRead(Runnable hook) {
        beforeRead = hook;
    }

    void beforeSweep(Runnable hook) {
        beforeSweep = hook;
    }

    /** All commands that were sent, whether they were applied or not. */
    List<Command> commands() {
        return List.copyOf(commands);
    }

    <C extends Command> List<C> commands(Class<C> kind) {
        return commands.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    long renewalsOf(ClaimRef ref) {
        return commands(Command.Renew.class).stream()
                .filter(renew -> renew.ref().equals(ref))
                .count();
    }

    int reads() {
        return reads.get();
    }

    /** How many claims were read, in all calls. */
    int refsRead() {
        return refsRead.get();
    }

    /** How many commands each call had. */
    List<Integer> batches() {
        return List.copyOf(batches);
    }

    /** The limits of the sweeps so far. */
    List<Integer> sweeps() {
        return List.copyOf(sweeps);
    }
}
