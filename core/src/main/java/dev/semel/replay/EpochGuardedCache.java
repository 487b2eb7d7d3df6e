// SPDX-License-Identifier: Apache-2.0
package dev.semel.replay;

import dev.semel.claim.ClaimRef;
import dev.semel.spi.CacheEpoch;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Point 8 of the protocol: how far a {@link ReplayCache} is trusted. A cache that fails or is slow counts as empty. While the
 * cache is in use, the store is asked for the epoch once a second. An epoch that could not be confirmed for five seconds is
 * not trusted.
 */
public final class EpochGuardedCache {
    private static final Logger LOG = LoggerFactory.getLogger(EpochGuardedCache.class);
    private static final CompletableFuture<Optional<ReplayCache.Entry>> NOTHING =
            CompletableFuture.completedFuture(Optional.empty());
    private static final long REFRESH_NANOS = 1_000_000_000L;
    private static final long TRUSTED_NANOS = 5 * REFRESH_NANOS;

    /** The maximum time that a result is kept. It bounds how far two clocks can drift apart. */
    private static final Duration LONGEST = Duration.ofHours(1);

    /** How long a caller waits for a cache that does not answer at once. */
    private static final Duration MAX_WAIT = Duration.ofMillis(20);

    private final @Nullable ReplayCache cache;
    private final @Nullable CacheEpoch epochs;
    private final Calls calls;
    private final AtomicBoolean refreshing = new AtomicBoolean();
    private volatile @Nullable Epoch latest;

    /** Without a cache, or without an epoch of the store, nothing is kept and nothing is found. */
    public EpochGuardedCache(@Nullable ReplayCache cache, @Nullable CacheEpoch epochs, Calls calls) {
        this.cache = epochs == null ? null : cache;
        this.epochs = epochs;
        this.calls = calls;
    }

    /** The cached entry of this claim. Never fails, and takes at most a few milliseconds. */
    public CompletableFuture<Optional<ReplayCache.Entry>> find(ClaimRef ref) {
        Epoch epoch = epoch();
        if (cache == null || epoch == null) {
            return NOTHING;
        }
        CompletableFuture<Optional<ReplayCache.Entry>> asked;
        try {
            CompletionStage<Optional<ReplayCache.Entry>> stage = cache.get(new ReplayCache.Key(epoch.number(), ref));
            asked = stage.toCompletableFuture();
        } catch (RuntimeException | Error e) {
            LOG.debug(
                    "Replay cache read failed; the store answers instead: {}",
                    e.getClass().getName());
            return NOTHING;
        }
        return calls.within(MAX_WAIT, asked)
                .handle((found, failure) -> failure == null && found != null ? found : Optional.empty());
    }

    /**
     * Keeps a result that the store has committed.
     *
     * @param before the epoch before the store was asked, because an operator may have changed the claim since
     * @param left how long the store keeps the result, counted from no later than the store's read; null for no limit
     */
    public void keep(@Nullable Epoch before, ClaimRef ref, ReplayCache.Entry entry, @Nullable Duration left) {
        if (cache == null || before == null || (left != null && (left.isNegative() || left.isZero()))) {
            return;
        }
        Duration keepFor = left == null || left.compareTo(LONGEST) > 0 ? LONGEST : left;
        try {
            cache.put(new ReplayCache.Key(before.number(), ref), entry, keepFor);
        } catch (RuntimeException | Error e) {
            // The only consequence is that the next caller asks the store.
            LOG.debug(
                    "Replay cache write failed; the next replay reads the store: {}",
                    e.getClass().getName());
        }
    }

    /** The epoch that is trusted now, if there is one. */
    public @Nullable Epoch epoch() {
        if (cache == null) {
            return null;
        }
        Epoch now = latest;
        long age = now == null ? Long.MAX_VALUE : calls.nanoTime() - now.confirmed();
        if (age > REFRESH_NANOS) {
            refresh();
        }
        return age > TRUSTED_NANOS ? null : now;
    }

    private void refresh() {
        if (epochs == null || refreshing.getAndSet(true)) {
            return;
        }
        long sent = calls.nanoTime();
        calls.call(epochs::current).whenComplete((number, failure) -> {
            if (failure == null) {
                latest = new Epoch(number, sent);
            }
            refreshing.set(false);
        });
    }

    /** An epoch, and when the store was asked for it. */
    public record Epoch(long number, long confirmed) {}

    /** Calls to the store and to the cache, made by the owner of the threads. */
    public interface Calls {
        /** The clock of the owner of the threads, by default {@link System#nanoTime}. */
        default long nanoTime() {
            return System.nanoTime();
        }

        /** Makes a blocking call on another thread, and answers in a bounded time. */
        <R> CompletableFuture<R> call(Supplier<R> work);

        /** The same answer, or a failure once this time is over. */
        <R> CompletableFuture<R> within(Duration bound, CompletableFuture<R> answer);
    }
}
