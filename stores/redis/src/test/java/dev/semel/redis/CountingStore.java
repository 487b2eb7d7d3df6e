// SPDX-License-Identifier: Apache-2.0
package dev.semel.redis;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.SweepReport;
import dev.semel.memory.MemoryClaimStore;
import dev.semel.spi.CacheEpoch;
import dev.semel.spi.ClaimStore;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import dev.semel.spi.Verdict;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** A store of one instance over the shared claims. Counts all calls except those for the epoch. */
final class CountingStore implements ClaimStore, CacheEpoch {
    final AtomicInteger calls = new AtomicInteger();
    private final MemoryClaimStore shared;

    CountingStore(MemoryClaimStore shared) {
        this.shared = shared;
    }

    @Override
    public List<Verdict> apply(List<? extends Command> commands) {
        calls.incrementAndGet();
        return shared.apply(commands);
    }

    @Override
    public Map<ClaimRef, Snapshot> read(Collection<ClaimRef> refs) {
        calls.incrementAndGet();
        return shared.read(refs);
    }

    @Override
    public SweepReport sweep(int limit) {
        return shared.sweep(limit);
    }

    @Override
    public long current() {
        return shared.current();
    }

    @Override
    public long advance() {
        return shared.advance();
    }
}
