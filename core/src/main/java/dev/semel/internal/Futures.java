// SPDX-License-Identifier: Apache-2.0
package dev.semel.internal;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** Operations that {@link CompletableFuture} lacks. */
public final class Futures {
    private Futures() {}

    /** All results in the order of the stages. Fails if one of them fails. */
    public static <T> CompletableFuture<List<T>> all(List<? extends CompletionStage<T>> stages) {
        List<CompletableFuture<T>> futures =
                stages.stream().map(CompletionStage::toCompletableFuture).toList();
        return CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new))
                .thenApply(done -> futures.stream().map(CompletableFuture::join).toList());
    }

    /** The failure itself, without the {@link CompletionException} that a future wraps around it. */
    public static Throwable unwrapped(Throwable failure) {
        Throwable cause = failure.getCause();
        return failure instanceof CompletionException && cause != null ? cause : failure;
    }
}
