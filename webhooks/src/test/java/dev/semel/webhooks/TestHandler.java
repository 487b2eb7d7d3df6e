// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

import dev.semel.payload.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;

/** A handler that a test can block and make fail. Keeps the events that it received. */
final class TestHandler implements EventHandler {
    final List<WebhookEvent> events = new CopyOnWriteArrayList<>();
    private volatile CompletableFuture<Void> next = CompletableFuture.completedFuture(null);

    /** Blocks the next events until the test completes the future. */
    CompletableFuture<Void> hold() {
        next = new CompletableFuture<>();
        return next;
    }

    void fail() {
        next = CompletableFuture.failedFuture(new IllegalStateException("the books are closed"));
    }

    void succeed() {
        next = CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<Void> handle(WebhookEvent event) {
        events.add(event);
        return next;
    }

    List<String> payloads() {
        return events.stream()
                .map(event -> new String(event.payload(), StandardCharsets.UTF_8))
                .toList();
    }

    List<JsonObject> documents() {
        return events.stream().map(event -> (JsonObject) event.json()).toList();
    }
}
