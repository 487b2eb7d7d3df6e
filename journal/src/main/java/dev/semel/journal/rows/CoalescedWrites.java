// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.rows;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Coalesces concurrent writes of one key in this process: the first caller writes, the others wait for its outcome. Without
 * this, a thousand writes of one key would need a thousand batches, because a batch holds a key only once.
 *
 * @param <K> the key
 * @param <A> the outcome
 */
public final class CoalescedWrites<K, A> {
    private final ConcurrentHashMap<K, CompletableFuture<A>> running = new ConcurrentHashMap<>();
    private final Predicate<A> notShared;

    /** @param notShared selects outcomes that say nothing to the callers who wait; each of them then writes itself */
    public CoalescedWrites(Predicate<A> notShared) {
        this.notShared = notShared;
    }

    /** The outcome of the first caller's write. */
    public CompletableFuture<A> submit(K key, Supplier<CompletableFuture<A>> write) {
        return submit(key, write, first -> first);
    }

    /**
     * As {@link #submit(Object, Supplier)}.
     *
     * @param bounded limits how long a caller waits for the first caller's outcome
     */
    public CompletableFuture<A> submit(
            K key, Supplier<CompletableFuture<A>> write, UnaryOperator<CompletableFuture<A>> bounded) {
        CompletableFuture<A> mine = new CompletableFuture<>();
        CompletableFuture<A> first = running.putIfAbsent(key, mine);
        if (first != null) {
            return bounded.apply(first)
                    .thenCompose(outcome ->
                            notShared.test(outcome) ? write.get() : CompletableFuture.completedFuture(outcome));
        }
        return started(write).whenComplete((outcome, failure) -> {
            running.remove(key, mine);
            if (failure == null) {
                mine.complete(outcome);
            } else {
                mine.completeExceptionally(failure);
            }
        });
    }

    /** Turns an exception into a failed future, so that callers who wait receive it too. */
    private static <A> CompletableFuture<A> started(Supplier<CompletableFuture<A>> write) {
        try {
            return write.get();
        } catch (RuntimeException | Error e) {
            return CompletableFuture.failedFuture(e);
        }
    }
}
