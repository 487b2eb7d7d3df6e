// SPDX-License-Identifier: Apache-2.0
package dev.semel.replay;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.LongAdder;

/**
 * A replay cache in two tiers: this process's memory, then the shared cache. Entries of the shared cache are copied into
 * memory, for no longer than the shared cache keeps them. A shared cache that fails counts as empty.
 */
public final class TieredReplayCache implements ReplayCache {
    private final ProcessReplayCache process;
    private final SharedReplayCache shared;
    private final LongAdder processHits = new LongAdder();
    private final LongAdder sharedHits = new LongAdder();
    private final LongAdder misses = new LongAdder();

    public TieredReplayCache(ProcessReplayCache process, SharedReplayCache shared) {
        this.process = Objects.requireNonNull(process, "The process cache must not be null");
        this.shared = Objects.requireNonNull(shared, "The shared cache must not be null");
    }

    @Override
    public CompletionStage<Optional<Entry>> get(Key key) {
        CompletionStage<Optional<Entry>> here = process.answer(key);
        if (here != null) {
            processHits.increment();
            return here;
        }
        CompletableFuture<Optional<SharedReplayCache.Found>> asked =
                shared.find(key).toCompletableFuture();
        if (asked.isDone() && !asked.isCompletedExceptionally() && asked.join().isEmpty()) {
            // A shared cache that is unavailable answers at once, and then no future is created.
            misses.increment();
            return ProcessReplayCache.NOTHING;
        }
        return asked.handle((found, failure) -> counted(key, failure == null ? found : Optional.empty()));
    }

    private Optional<Entry> counted(Key key, Optional<SharedReplayCache.Found> found) {
        if (found.isEmpty()) {
            misses.increment();
            return Optional.empty();
        }
        sharedHits.increment();
        Entry entry = found.get().entry();
        if (!found.get().left().isZero()) {
            process.put(key, entry, found.get().left());
        }
        return Optional.of(entry);
    }

    @Override
    public void put(Key key, Entry entry, Duration keepFor) {
        process.put(key, entry, keepFor);
        shared.put(key, entry, keepFor);
    }

    /** How often this process's memory had the entry. */
    public long processHits() {
        return processHits.sum();
    }

    /** How often only the shared cache had the entry. */
    public long sharedHits() {
        return sharedHits.sum();
    }

    /** How often neither had the entry, or not in time. */
    public long misses() {
        return misses.sum();
    }
}
