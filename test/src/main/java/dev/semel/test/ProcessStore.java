// SPDX-License-Identifier: Apache-2.0
package dev.semel.test;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.OwnerToken;
import dev.semel.claim.StoreException;
import dev.semel.claim.StoreException.Kind;
import dev.semel.claim.SweepReport;
import dev.semel.spi.ClaimStore;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import dev.semel.spi.Verdict;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The store as one process sees it. The process can crash: from then on nothing that its owners send reaches the store. It can
 * be started again, and its former owners stay dead.
 */
final class ProcessStore implements ClaimStore {
    private final SharedClaims shared;
    private final AtomicReference<Runnable> beforeSettlement = new AtomicReference<>();

    private final Set<OwnerToken> owners = new HashSet<>();
    private final Set<OwnerToken> dead = new HashSet<>();
    private int settlementsUntilCrash;
    private boolean crashed;

    ProcessStore(SharedClaims shared) {
        this.shared = shared;
    }

    /** Crashes instead of the n-th settlement from now on. */
    synchronized void crashAtSettlement(int n) {
        settlementsUntilCrash = n;
    }

    /** Starts the process again, or withdraws a crash that did not happen. Returns whether it had crashed. */
    synchronized boolean restart() {
        boolean had = crashed;
        crashed = false;
        settlementsUntilCrash = 0;
        return had;
    }

    /** Runs this once, just before the next settlement is sent. */
    void beforeNextSettlement(Runnable action) {
        beforeSettlement.set(action);
    }

    void sendSettlementsAtOnce() {
        beforeSettlement.set(null);
    }

    synchronized void reset() {
        restart();
        owners.clear();
        dead.clear();
        sendSettlementsAtOnce();
    }

    @Override
    public List<Verdict> apply(List<? extends Command> commands) {
        if (commands.stream().anyMatch(Command.Settle.class::isInstance)) {
            Runnable action = beforeSettlement.getAndSet(null);
            if (action != null) {
                action.run();
            }
        }
        List<Command> sent = new ArrayList<>();
        for (Command command : commands) {
            if (reachesTheStore(command)) {
                sent.add(command);
            }
        }
        // Also if the store is down, so that a settlement that has to wait can crash before it is sent.
        Iterator<Verdict> verdicts = (sent.isEmpty() ? List.<Verdict>of() : answers(sent)).iterator();
        Iterator<Command> alive = sent.iterator();
        Command next = alive.hasNext() ? alive.next() : null;
        List<Verdict> all = new ArrayList<>(commands.size());
        for (Command command : commands) {
            if (command == next) {
                Verdict verdict = verdicts.next();
                note(command, verdict);
                all.add(verdict);
                next = alive.hasNext() ? alive.next() : null;
            } else {
                all.add(new Verdict.Errored(processCrashed()));
            }
        }
        return all;
    }

    private List<Verdict> answers(List<Command> commands) {
        if (!shared.isDown()) {
            return shared.faults().apply(commands);
        }
        // Nothing was claimed, so callers are answered at once. Owners send again until the store is back.
        return commands.stream()
                .<Verdict>map(command ->
                        new Verdict.Errored(SharedClaims.down(isOwners(command) ? Kind.UNREACHABLE : Kind.REJECTED)))
                .toList();
    }

    private synchronized boolean reachesTheStore(Command command) {
        if (command instanceof Command.Settle && settlementsUntilCrash > 0 && --settlementsUntilCrash == 0) {
            crashed = true;
            dead.addAll(owners);
            owners.clear();
        }
        return !crashed && !(isOwners(command) && dead.contains(((Command.Swap) command).expected()));
    }

    private synchronized void note(Command command, Verdict verdict) {
        if (!(verdict instanceof Verdict.Applied)) {
            return;
        }
        if (isOwners(command)) {
            if (!(command instanceof Command.Renew)) {
                owners.remove(((Command.Swap) command).expected());
            }
        } else {
            owners.add(command.token());
        }
    }

    /** Whether a claim's owner sends this. A take-over is sent by another caller. */
    private static boolean isOwners(Command command) {
        return command instanceof Command.Swap && !(command instanceof Command.TakeOver);
    }

    /** Not sent again: the process that would do so is gone. */
    private static StoreException processCrashed() {
        return new StoreException(Kind.REJECTED, "The process crashed, because the test simulates it");
    }

    @Override
    public Map<ClaimRef, Snapshot> read(Collection<ClaimRef> refs) {
        requireUp();
        return shared.faults().read(refs);
    }

    @Override
    public SweepReport sweep(int limit) {
        requireUp();
        return shared.faults().sweep(limit);
    }

    private synchronized void requireUp() {
        if (crashed) {
            throw processCrashed();
        }
        if (shared.isDown()) {
            throw SharedClaims.down(Kind.REJECTED);
        }
    }
}
