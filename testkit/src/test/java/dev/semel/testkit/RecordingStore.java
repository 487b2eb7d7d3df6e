// SPDX-License-Identifier: Apache-2.0
package dev.semel.testkit;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.SweepReport;
import dev.semel.spi.ClaimStore;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import dev.semel.spi.Verdict;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Records the commands that reach the wrapped store. */
final class RecordingStore implements ClaimStore {
    private final ClaimStore delegate;
    private final Queue<Command> commands = new ConcurrentLinkedQueue<>();

    RecordingStore(ClaimStore delegate) {
        this.delegate = delegate;
    }

    List<Command> commands() {
        return List.copyOf(commands);
    }

    @Override
    public List<Verdict> apply(List<? extends Command> batch) {
        commands.addAll(batch);
        return delegate.apply(batch);
    }

    @Override
    public Map<ClaimRef, Snapshot> read(Collection<ClaimRef> refs) {
        return delegate.read(refs);
    }

    @Override
    public SweepReport sweep(int limit) {
        return delegate.sweep(limit);
    }
}
