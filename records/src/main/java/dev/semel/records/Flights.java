// SPDX-License-Identifier: Apache-2.0
package dev.semel.records;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.StoreException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Equal keys at the same time, in this process: the first one goes to the database, the others follow it. Otherwise a
 * thousand of them would be a thousand batches, because a batch holds a key once.
 */
final class Flights<S> {
    private final ConcurrentHashMap<ClaimRef, CompletableFuture<GroupedWrites.Answer<S>>> open =
            new ConcurrentHashMap<>();

    /**
     * What is there for the key, by whoever went first. If the database would not take its row, everybody who followed
     * goes alone; if it did not answer, it would not answer them either.
     */
    CompletableFuture<GroupedWrites.Answer<S>> submit(
            ClaimRef ref, Supplier<CompletableFuture<GroupedWrites.Answer<S>>> write) {
        CompletableFuture<GroupedWrites.Answer<S>> mine = new CompletableFuture<>();
        CompletableFuture<GroupedWrites.Answer<S>> first = open.putIfAbsent(ref, mine);
        if (first != null) {
            return first.thenCompose(answer -> answer instanceof GroupedWrites.Answer.Failed<S> failed
                            && failed.cause().kind() == StoreException.Kind.REJECTED
                    ? write.get()
                    : CompletableFuture.completedFuture(answer));
        }
        return write.get().whenComplete((answer, failure) -> {
            open.remove(ref, mine);
            if (failure == null) {
                mine.complete(answer);
            } else {
                mine.completeExceptionally(failure);
            }
        });
    }
}
