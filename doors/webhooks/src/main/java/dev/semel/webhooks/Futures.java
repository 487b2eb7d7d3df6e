// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** Many answers in one. */
final class Futures {
    private Futures() {}

    static <T> CompletableFuture<List<T>> all(List<? extends CompletionStage<T>> stages) {
        List<CompletableFuture<T>> futures =
                stages.stream().map(CompletionStage::toCompletableFuture).toList();
        return CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new))
                .thenApply(done -> futures.stream().map(CompletableFuture::join).toList());
    }

    static Throwable unwrapped(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }
}
