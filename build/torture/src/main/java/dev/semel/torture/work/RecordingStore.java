// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.work;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.SweepReport;
import dev.semel.spi.CacheEpoch;
import dev.semel.spi.ClaimStore;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import dev.semel.spi.Verdict;
import dev.semel.torture.history.RecordedEvent;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Records what an engine asks of its store. It counts leases itself, from before the command was sent, so that an engine that
 * counts wrongly is found out.
 */
final class RecordingStore implements ClaimStore, CacheEpoch {
    private final ClaimStore store;
    private final CacheEpoch epochs;
    private final Recorder recorder;
    private final Map<ClaimRef, String> items;
    private final Map<String, Held> held = new ConcurrentHashMap<>();
    private final Set<String> inDoubt = ConcurrentHashMap.newKeySet();

    /** @param items the names of the items that this process has asked for */
    RecordingStore(ClaimStore store, CacheEpoch epochs, Recorder recorder, Map<ClaimRef, String> items) {
        this.store = store;
        this.epochs = epochs;
        this.recorder = recorder;
        this.items = items;
    }

    /** The last claim on the item that this engine acquired. */
    Held held(String item) {
        return held.getOrDefault(item, Held.NOTHING);
    }

    /** The claim with this fence. */
    Held held(String item, long fence) {
        Held last = held(item);
        return last.fence() == fence ? last : Held.NOTHING;
    }

    @Override
    public List<Verdict> apply(List<? extends Command> commands) {
        long sent = System.nanoTime();
        for (Command command : commands) {
            String item = items.get(command.ref());
            if (item != null && acquires(command)) {
                recorder.write(
                        new RecordedEvent.Sent(sent, item, command.token().hex()));
            }
        }
        boolean answered = false;
        try {
            List<Verdict> verdicts = store.apply(commands);
            answered = true;
            for (int i = 0; i < verdicts.size(); i++) {
                record(commands.get(i), verdicts.get(i), sent);
            }
            return verdicts;
        } finally {
            if (!answered) {
                commands.forEach(command -> inDoubt.add(command.token().hex()));
            }
        }
    }

    private static boolean acquires(Command command) {
        return command instanceof Command.Insert || command instanceof Command.TakeOver;
    }

    private void record(Command command, Verdict verdict, long sent) {
        String item = items.get(command.ref());
        if (item == null) {
            return;
        }
        String token = command.token().hex();
        if (verdict instanceof Verdict.Errored) {
            inDoubt.add(token);
        } else if (verdict instanceof Verdict.Refused) {
            if (acquires(command) && !inDoubt.contains(token)) {
                recorder.write(new RecordedEvent.Refused(System.nanoTime(), item, token));
            }
        } else if (verdict instanceof Verdict.Applied applied) {
            long leaseEnd = sent + applied.leaseLeft().toNanos();
            if (acquires(command)) {
                // An answer to an earlier command may arrive later.
                held.merge(
                        item,
                        new Held(token, applied.fence(), leaseEnd),
                        (last, now) -> now.fence() >= last.fence() ? now : last);
                recorder.write(new RecordedEvent.Granted(
                        System.nanoTime(),
                        item,
                        applied.ref().digest().hex(),
                        token,
                        applied.fence(),
                        applied.attempt(),
                        sent,
                        leaseEnd));
            } else if (command instanceof Command.Renew) {
                held.computeIfPresent(item, (name, last) -> last.token().equals(token) ? last.until(leaseEnd) : last);
                recorder.write(new RecordedEvent.Renewed(System.nanoTime(), item, token, sent, leaseEnd));
            } else if (command instanceof Command.GiveBack back) {
                recorder.write(new RecordedEvent.GivenBack(
                        System.nanoTime(), item, back.expected().hex()));
            }
        }
    }

    @Override
    public Map<ClaimRef, Snapshot> read(Collection<ClaimRef> refs) {
        return store.read(refs);
    }

    @Override
    public boolean commitsInsertsApart() {
        return store.commitsInsertsApart();
    }

    @Override
    public SweepReport sweep(int limit) {
        return store.sweep(limit);
    }

    @Override
    public long current() {
        return epochs.current();
    }

    @Override
    public long advance() {
        return epochs.advance();
    }
}
