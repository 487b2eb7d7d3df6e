// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.Status;
import dev.semel.claim.StoredResult;
import dev.semel.replay.EpochGuardedCache;
import dev.semel.replay.ReplayCache;
import dev.semel.spi.CacheEpoch;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The engine's view of the replay cache: outcomes of settled claims. {@link EpochGuardedCache} decides when an entry may be
 * used.
 */
final class CachedOutcomes {
    private final EpochGuardedCache cache;

    /** Without a cache, or without an epoch of the store, nothing is kept and nothing is found. */
    CachedOutcomes(
            @Nullable ReplayCache cache, @Nullable CacheEpoch epochs, StoreGateway gateway, Duration storeTimeout) {
        this.cache = new EpochGuardedCache(cache, epochs, new EpochGuardedCache.Calls() {
            @Override
            public long nanoTime() {
                return gateway.environment().nanoTime();
            }

            @Override
            public <R> CompletableFuture<R> call(Supplier<R> work) {
                return gateway.call(work, storeTimeout);
            }

            @Override
            public <R> CompletableFuture<R> within(Duration bound, CompletableFuture<R> answer) {
                return gateway.answeredWithin(bound, answer);
            }
        });
    }

    /** The outcome of a settled claim, if the cache has it. Never fails. */
    CompletableFuture<Optional<ClaimOutcome>> find(ClaimRef ref, Fingerprint fingerprint) {
        return cache.find(ref).thenApply(found -> found.flatMap(entry -> answer(entry, fingerprint)));
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

    /** Keeps an outcome that the store has committed; see {@link EpochGuardedCache#keep}. */
    void keep(
            EpochGuardedCache.@Nullable Epoch before,
            ClaimRef ref,
            Fingerprint fingerprint,
            Status status,
            @Nullable StoredResult result,
            @Nullable Duration left) {
        cache.keep(before, ref, new ReplayCache.Entry(status, fingerprint, result), left);
    }

    /** The epoch that is trusted now, if there is one. */
    EpochGuardedCache.@Nullable Epoch epoch() {
        return cache.epoch();
    }
}
