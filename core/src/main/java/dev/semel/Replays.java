// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.claim.CacheEpoch;
import dev.semel.claim.ClaimRef;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.Status;
import dev.semel.claim.StoredResult;
import dev.semel.replay.ReplayCache;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Point 8 of the protocol: what the engine lets a {@link ReplayCache} answer. A cache that fails, or takes long, is a
 * cache that has nothing. The epoch is asked of the store once a second while the cache is in use; one that could not be
 * confirmed for five seconds is not trusted.
 */
final class Replays {
    private static final Logger LOG = LoggerFactory.getLogger(Semel.class);
    private static final CompletableFuture<Optional<ClaimOutcome>> NOTHING =
            CompletableFuture.completedFuture(Optional.empty());
    private static final long REFRESH_NANOS = 1_000_000_000L;
    private static final long TRUSTED_NANOS = 5 * REFRESH_NANOS;

    /** However long a result lives: this bounds how far two clocks can drift apart over it. */
    private static final Duration LONGEST = Duration.ofHours(1);

    /** How long a caller waits for a cache that does not answer at once. */
    static final Duration PATIENCE = Duration.ofMillis(20);

    private final @Nullable ReplayCache cache;
    private final @Nullable CacheEpoch epochs;
    private final StoreGateway gateway;
    private final Duration storeTimeout;
    private final AtomicBoolean refreshing = new AtomicBoolean();
    private volatile @Nullable Epoch latest;

    /** Without a cache, or without an epoch to go by, nothing is kept and nothing found. */
    Replays(@Nullable ReplayCache cache, @Nullable CacheEpoch epochs, StoreGateway gateway, Duration storeTimeout) {
        this.cache = epochs == null ? null : cache;
        this.epochs = epochs;
        this.gateway = gateway;
        this.storeTimeout = storeTimeout;
    }

    /** The answer that was given before, if it is known here. Never fails. */
    CompletableFuture<Optional<ClaimOutcome>> find(ClaimRef ref, Fingerprint fingerprint) {
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
        return gateway.answeredWithin(PATIENCE, asked)
                .handle((found, failure) -> failure == null && found != null
                        ? found.flatMap(entry -> answer(entry, fingerprint))
                        : Optional.empty());
    }

    private static Optional<ClaimOutcome> answer(ReplayCache.Entry entry, Fingerprint fingerprint) {
        if (!entry.fingerprint().matches(fingerprint)) {
            return Optional.empty();
        }
        return Optional.of(
                entry.status() == Status.SUCCEEDED
                        ? new ClaimOutcome.Succeeded(entry.result())
                        : new ClaimOutcome.Failed(entry.result()));
    }

    /**
     * Keeps what the store has committed.
     *
     * @param before the epoch from before the store was asked: an operator may have changed the claim since
     * @param left how long the store keeps it, counted from a moment that is not later than the store's; null is for ever
     */
    void keep(
            @Nullable Epoch before,
            ClaimRef ref,
            Fingerprint fingerprint,
            Status status,
            @Nullable StoredResult result,
            @Nullable Duration left) {
        if (cache == null || before == null || (left != null && (left.isNegative() || left.isZero()))) {
            return;
        }
        Duration keepFor = left == null || left.compareTo(LONGEST) > 0 ? LONGEST : left;
        try {
            cache.put(
                    new ReplayCache.Key(before.number(), ref),
                    new ReplayCache.Entry(status, fingerprint, result),
                    keepFor);
        } catch (RuntimeException | Error e) {
            // The next caller asks the store: that is all.
            LOG.debug(
                    "The replay cache failed to keep a result: {}", e.getClass().getName());
        }
    }

    /** The epoch that can be trusted now, if there is one. */
    @Nullable
    Epoch epoch() {
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
        gateway.call(epochs::current, storeTimeout).whenComplete((number, failure) -> {
            if (failure == null) {
                latest = new Epoch(number, sent);
            }
            refreshing.set(false);
        });
    }

    /** An epoch's number, and when the store was asked for it. */
    record Epoch(long number, long confirmed) {}
}
