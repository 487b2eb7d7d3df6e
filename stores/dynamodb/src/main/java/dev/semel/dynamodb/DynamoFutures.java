// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import dev.semel.claim.StoreException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** What the JDK's futures lack. */
final class DynamoFutures {
    private DynamoFutures() {}

    /** All answers in their order, or the first failure once all have ended. */
    static <T> CompletableFuture<List<T>> all(Collection<CompletableFuture<T>> parts) {
        return CompletableFuture.allOf(parts.toArray(CompletableFuture[]::new))
                .thenApply(any -> parts.stream().map(CompletableFuture::join).toList());
    }

    static <T> List<T> concat(List<T> one, List<T> other) {
        List<T> both = new ArrayList<>(one);
        both.addAll(other);
        return both;
    }

    /** Waits for an answer of the store. */
    static <T> T await(CompletableFuture<T> answer) {
        try {
            return answer.join();
        } catch (CompletionException e) {
            Throwable cause = DynamoErrors.unwrapped(e);
            if (cause instanceof StoreException known) {
                // A new exception, whose trace shows the caller.
                throw new StoreException(known.kind(), String.valueOf(known.getMessage()), known);
            }
            throw e;
        }
    }
}
