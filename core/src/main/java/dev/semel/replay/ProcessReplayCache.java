// SPDX-License-Identifier: Apache-2.0
package dev.semel.replay;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A replay cache in this process's memory, bounded by bytes. Entries that are used often stay. */
public final class ProcessReplayCache implements ReplayCache {
    static final CompletionStage<Optional<Entry>> NOTHING = CompletableFuture.completedStage(Optional.empty());

    /** A few large results must not displace thousands of small ones. */
    private static final int LARGEST_SHARE = 64;

    private final long bytes;
    private final long largestEntry;
    private final LongSupplier nanoTime;

    /** Null until the first entry: creating it loads about a hundred classes, which an application's start need not wait for. */
    private volatile @Nullable Cache<Key, Kept> kept;

    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();

    /** A cache of about this many bytes: 32 MiB hold some 60,000 small results. */
    public ProcessReplayCache(long bytes) {
        this(bytes, System::nanoTime);
    }

    /** @param nanoTime the clock by which entries expire, as {@link System#nanoTime} */
    public ProcessReplayCache(long bytes, LongSupplier nanoTime) {
        if (bytes < 1) {
            throw new IllegalArgumentException("A cache's bytes must be positive, but are " + bytes);
        }
        this.bytes = bytes;
        this.largestEntry = bytes / LARGEST_SHARE;
        this.nanoTime = nanoTime;
    }

    private Cache<Key, Kept> created() {
        Cache<Key, Kept> known = kept;
        return known == null ? create() : known;
    }

    private synchronized Cache<Key, Kept> create() {
        Cache<Key, Kept> known = kept;
        if (known == null) {
            known = newCache();
            kept = known;
        }
        return known;
    }

    private Cache<Key, Kept> newCache() {
        return Caffeine.newBuilder()
                .maximumWeight(bytes)
                .weigher((Key key, Kept value) -> value.entry().size())
                .ticker(nanoTime::getAsLong)
                .expireAfter(Expiry.creating((Key key, Kept value) -> value.keepFor()))
                // On the caller's thread: it is little work, and the common pool belongs to the application.
                .executor(Runnable::run)
                .build();
    }

    @Override
    public CompletionStage<Optional<Entry>> get(Key key) {
        CompletionStage<Optional<Entry>> answer = answer(key);
        return answer == null ? NOTHING : answer;
    }

    /** The entry, if it is present. */
    @Nullable
    CompletionStage<Optional<Entry>> answer(Key key) {
        Cache<Key, Kept> known = kept;
        Kept found = known == null ? null : known.getIfPresent(key);
        if (found == null) {
            misses.increment();
            return null;
        }
        hits.increment();
        return found.answer();
    }

    @Override
    public void put(Key key, Entry entry, Duration keepFor) {
        if (entry.size() <= largestEntry) {
            created().put(key, new Kept(entry, keepFor, CompletableFuture.completedStage(Optional.of(entry))));
        }
    }

    /** How often it had the entry. */
    public long hits() {
        return hits.sum();
    }

    /** How often it did not have the entry. */
    public long misses() {
        return misses.sum();
    }

    /** The approximate number of entries. */
    public long size() {
        Cache<Key, Kept> known = kept;
        if (known == null) {
            return 0;
        }
        known.cleanUp();
        return known.estimatedSize();
    }

    private record Kept(Entry entry, Duration keepFor, CompletionStage<Optional<Entry>> answer) {}
}
