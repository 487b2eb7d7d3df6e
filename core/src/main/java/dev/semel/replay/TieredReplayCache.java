// SPDX-License-Identifier: Apache-2.0
package dev.semel.replay;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.LongAdder;

/**
 * The process's own memory first, then what other instances know. What the shared cache finds is kept here too, for no
 * longer than it has left there. A shared cache that fails has nothing.
 */
public final class TieredReplayCache implements ReplayCache {
    private final ProcessReplayCache process;
    private final SharedReplayCache shared;
    private final LongAdder processHits = new LongAdder();
    private final LongAdder sharedHits = new LongAdder();
    private final LongAdder misses = new LongAdder();

    public TieredReplayCache(ProcessReplayCache process, SharedReplayCache shared) {
        this.process = Objects.requireNonNull(process, "A process's cache must not be null");
        this.shared = Objects.requireNonNull(shared, "A shared cache must not be null");
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
            // A shared cache that is away says so at once, and then not even a future is made.
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

    /** How often the process's memory had the answer. */
    public long processHits() {
        return processHits.sum();
    }

    /** How often only the shared cache had it. */
    public long sharedHits() {
        return sharedHits.sum();
    }

    /** How often neither had it, or not in time. */
    public long misses() {
        return misses.sum();
    }
}
