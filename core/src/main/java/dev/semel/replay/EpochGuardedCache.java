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
 * Point 8 of the protocol: how far a {@link ReplayCache} is trusted. A cache that fails, or takes long, is a cache that
 * has nothing. The epoch is asked of the store once a second while the cache is in use; one that could not be confirmed
 * for five seconds is not trusted.
 */
public final class EpochGuardedCache {
    private static final Logger LOG = LoggerFactory.getLogger(EpochGuardedCache.class);
    private static final CompletableFuture<Optional<ReplayCache.Entry>> NOTHING =
            CompletableFuture.completedFuture(Optional.empty());
    private static final long REFRESH_NANOS = 1_000_000_000L;
    private static final long TRUSTED_NANOS = 5 * REFRESH_NANOS;

    /** However long a result lives: this bounds how far two clocks can drift apart over it. */
    private static final Duration LONGEST = Duration.ofHours(1);

    /** How long a caller waits for a cache that does not answer at once. */
    private static final Duration PATIENCE = Duration.ofMillis(20);

    private final @Nullable ReplayCache cache;
    private final @Nullable CacheEpoch epochs;
    private final Calls calls;
    private final AtomicBoolean refreshing = new AtomicBoolean();
    private volatile @Nullable Epoch latest;

    /** Without a cache, or without an epoch to go by, nothing is kept and nothing found. */
    public EpochGuardedCache(@Nullable ReplayCache cache, @Nullable CacheEpoch epochs, Calls calls) {
        this.cache = epochs == null ? null : cache;
        this.epochs = epochs;
        this.calls = calls;
    }

    /** What is known of this claim. Never fails, and never takes longer than a few milliseconds. */
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
            LOG.debug("The replay cache failed to answer: {}", e.getClass().getName());
            return NOTHING;
        }
        return calls.within(PATIENCE, asked)
                .handle((found, failure) -> failure == null && found != null ? found : Optional.empty());
    }

    /**
     * Keeps what the store has committed.
     *
     * @param before the epoch from before the store was asked: an operator may have changed the claim since
     * @param left how long the store keeps it, counted from a moment that is not later than the store's; null is for ever
     */
    public void keep(@Nullable Epoch before, ClaimRef ref, ReplayCache.Entry entry, @Nullable Duration left) {
        if (cache == null || before == null || (left != null && (left.isNegative() || left.isZero()))) {
            return;
        }
        Duration keepFor = left == null || left.compareTo(LONGEST) > 0 ? LONGEST : left;
        try {
            cache.put(new ReplayCache.Key(before.number(), ref), entry, keepFor);
        } catch (RuntimeException | Error e) {
            // The next caller asks the store: that is all.
            LOG.debug(
                    "The replay cache failed to keep a result: {}", e.getClass().getName());
        }
    }

    /** The epoch that can be trusted now, if there is one. */
    public @Nullable Epoch epoch() {
        if (cache == null) {
            return null;
        }
        Epoch now = latest;
        long age = now == null ? Long.MAX_VALUE : System.nanoTime() - now.confirmed();
        if (age > REFRESH_NANOS) {
            refresh();
        }
        return age > TRUSTED_NANOS ? null : now;
    }

    private void refresh() {
        if (epochs == null || refreshing.getAndSet(true)) {
            return;
        }
        long sent = System.nanoTime();
        calls.call(epochs::current).whenComplete((number, failure) -> {
            if (failure == null) {
                latest = new Epoch(number, sent);
            }
            refreshing.set(false);
        });
    }

    /** An epoch's number, and when the store was asked for it. */
    public record Epoch(long number, long confirmed) {}

    /** How the store and the cache are called, by whoever owns the threads. */
    public interface Calls {
        /** Makes a blocking call elsewhere, and answers in a bounded time. */
        <R> CompletableFuture<R> call(Supplier<R> work);

        /** The same answer, or a failure once this time is over. */
        <R> CompletableFuture<R> within(Duration bound, CompletableFuture<R> answer);
    }
}
