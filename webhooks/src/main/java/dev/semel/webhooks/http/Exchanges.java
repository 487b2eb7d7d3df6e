// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.http;

import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** HTTP exchanges with a timeout that includes the response body. */
public final class Exchanges {
    private Exchanges() {}

    /**
     * Sends a request and returns the response with its body. Fails if the exchange is not complete in time. The JDK's own
     * timeout ends with the response's headers, so a slow body could take forever. After a timeout the exchange is cancelled
     * and its connection closed.
     */
    public static <T> CompletableFuture<HttpResponse<T>> send(
            HttpClient client, HttpRequest request, BodyHandler<T> handler, Duration timeout) {
        CompletableFuture<HttpResponse<T>> exchange = client.sendAsync(request, handler);
        return exchange.copy()
                .orTimeout(timeout.toNanos(), TimeUnit.NANOSECONDS)
                // Only the future from the client can be cancelled, not a dependent one.
                .whenComplete((answer, failure) -> {
                    if (failure != null) {
                        exchange.cancel(true);
                    }
                });
    }
}
