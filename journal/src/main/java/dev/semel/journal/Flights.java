// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Equal keys at the same time, in this process: the first one goes to the database, the others follow it. Otherwise a
 * thousand of them would be a thousand batches, because a batch holds a key once.
 *
 * @param <K> what must be equal
 * @param <A> an answer
 */
final class Flights<K, A> {
    private final ConcurrentHashMap<K, CompletableFuture<A>> open = new ConcurrentHashMap<>();
    private final Predicate<A> onlyItsOwn;

    /** @param onlyItsOwn whether an answer says nothing to those who followed, so that each of them goes alone */
    Flights(Predicate<A> onlyItsOwn) {
        this.onlyItsOwn = onlyItsOwn;
    }

    /** What is there for the key, by whoever went first. */
    CompletableFuture<A> submit(K key, Supplier<CompletableFuture<A>> write) {
        return submit(key, write, answer -> answer);
    }

    /** As the other one; this is how long those who follow wait. */
    CompletableFuture<A> submit(
            K key, Supplier<CompletableFuture<A>> write, UnaryOperator<CompletableFuture<A>> patience) {
        CompletableFuture<A> mine = new CompletableFuture<>();
        CompletableFuture<A> first = open.putIfAbsent(key, mine);
        if (first != null) {
            return patience.apply(first)
                    .thenCompose(answer ->
                            onlyItsOwn.test(answer) ? write.get() : CompletableFuture.completedFuture(answer));
        }
        return begun(write).whenComplete((answer, failure) -> {
            open.remove(key, mine);
            if (failure == null) {
                mine.complete(answer);
            } else {
                mine.completeExceptionally(failure);
            }
        });
    }

    /** Whatever is thrown reaches those who follow too, who would wait for ever otherwise. */
    private static <A> CompletableFuture<A> begun(Supplier<CompletableFuture<A>> write) {
        try {
            return write.get();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }
}
