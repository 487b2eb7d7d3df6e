// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Processes one event, of which the gate has the claim. Ends well: the event is done, and never comes again. Fails: the
 * sender is told so, and its next delivery is processed. Called once at a time for the events of one delivery, in their
 * order, on the engine's callback executor: do not block there, see {@link #blocking}.
 */
@FunctionalInterface
public non-sealed interface WebhookHandler extends Sink {
    CompletionStage<? extends @Nullable Object> handle(WebhookEvent event) throws Exception;

    /** A handler that returns when it is done, on a thread of its own choosing. */
    static WebhookHandler blocking(Executor executor, Blocking work) {
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

    /** Processes one event on the thread that it is called on. */
    interface Blocking {
        void handle(WebhookEvent event) throws Exception;
    }
}
