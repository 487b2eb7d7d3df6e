// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.rows;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.Status;
import dev.semel.claim.StoredResult;
import dev.semel.replay.EpochGuardedCache;
import dev.semel.replay.ReplayCache;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes rows that are unique by a key, behind a replay cache. The database stays authoritative:
 *
 * <ol>
 *   <li>If the cache holds a usable result for the key, that is the answer.
 *   <li>Otherwise the row is written. Concurrent writes of the same key in this process are coalesced.
 *   <li>Only a committed result is put into the cache, under the epoch from before the write.
 * </ol>
 *
 * @param <S> what the database holds for a key
 */
public final class CachedWrites<S> {
    private final EpochGuardedCache cache;
    private final String type;
    private final CoalescedWrites<ClaimRef, WriteOutcome<S>> coalesced =
            new CoalescedWrites<>(WriteOutcome::isRejected);

    /** @param type marks the results in the cache; results of other types are ignored */
    public CachedWrites(EpochGuardedCache cache, String type) {
        this.cache = cache;
        this.type = type;
    }

    /**
     * The answer from the cache, or the answer of a write.
     *
     * @param replayed makes an answer of a cached result; empty if the result cannot be used
     * @param write writes the row; called only if the cache has no answer
     */
    public <A> CompletionStage<A> submit(
            ClaimRef ref, Function<Cached, Optional<A>> replayed, Function<Write<S>, CompletionStage<A>> write) {
        EpochGuardedCache.Epoch before = cache.epoch();
        return cache.find(ref).thenCompose(found -> {
            Optional<A> answer = found.flatMap(this::usable).flatMap(replayed);
            return answer.<CompletionStage<A>>map(CompletableFuture::completedFuture)
                    .orElseGet(() -> write.apply(new Write<>(this, ref, before)));
        });
    }

    private Optional<Cached> usable(ReplayCache.Entry entry) {
        StoredResult result = entry.result();
        return result == null || !result.type().equals(type)
                ? Optional.empty()
                : Optional.of(new Cached(entry.fingerprint(), result));
    }

    /**
     * A result from the cache.
     *
     * @param fingerprint of the content that was written
     */
    public record Cached(Fingerprint fingerprint, StoredResult result) {}

    /** One write that the cache could not answer. */
    public static final class Write<S> {
        private final CachedWrites<S> writes;
        private final ClaimRef ref;
        private final EpochGuardedCache.@Nullable Epoch before;

        private Write(CachedWrites<S> writes, ClaimRef ref, EpochGuardedCache.@Nullable Epoch before) {
            this.writes = writes;
            this.ref = ref;
            this.before = before;
        }

        /** The outcome of this write, or of a concurrent one of the same key. */
        public CompletableFuture<WriteOutcome<S>> coalesced(Supplier<CompletableFuture<WriteOutcome<S>>> write) {
            return writes.coalesced.submit(ref, write);
        }

        /** Puts a committed result into the cache. The result is computed only if it can be cached. */
        public void keep(Supplier<Fingerprint> fingerprint, Supplier<byte[]> result) {
            if (before != null) {
                writes.cache.keep(
                        before,
                        ref,
                        new ReplayCache.Entry(
                                Status.SUCCEEDED, fingerprint.get(), new StoredResult(writes.type, result.get())),
                        null);
            }
        }
    }
}
