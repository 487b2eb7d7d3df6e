// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Processes one event, whose claim the gate holds. After a success the event is settled, and duplicates are not passed to
 * the handler. After a failure the sender gets an error, and its next delivery is processed.
 *
 * <p>The events of one delivery are handled one at a time, in order, on the engine's callback executor. A handler must not
 * block there; see {@link #blocking}.
 */
@FunctionalInterface
public non-sealed interface EventHandler extends Sink {
    CompletionStage<? extends @Nullable Object> handle(WebhookEvent event) throws Exception;

    /** A handler that may block: it runs on this executor. */
    static EventHandler blocking(Executor executor, Blocking work) {
        return event -> {
            CompletableFuture<Void> done = new CompletableFuture<>();
            executor.execute(() -> {
                try {
                    work.handle(event);
                    done.complete(null);
                } catch (Throwable e) {
                    if (e instanceof InterruptedException) {
                        Thread.currentThread().interrupt();
                    }
                    done.completeExceptionally(e);
                }
            });
            return done;
        };
    }

    /** Processes one event and returns when it is done. */
    interface Blocking {
        void handle(WebhookEvent event) throws Exception;
    }
}
