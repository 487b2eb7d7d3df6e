// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.http;

import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Exchanges with a bound on all of it. */
public final class Exchanges {
    private Exchanges() {}

    /**
     * The answer, body included; fails if it is not there in time. The request's own bound ends with the answer's headers, and
     * a body may trickle for ever. An exchange that is not awaited any more is cancelled, and its connection closed.
     */
    public static <T> CompletableFuture<HttpResponse<T>> send(
            HttpClient client, HttpRequest request, BodyHandler<T> handler, Duration timeout) {
        CompletableFuture<HttpResponse<T>> exchange = client.sendAsync(request, handler);
        return exchange.copy()
                .orTimeout(timeout.toNanos(), TimeUnit.NANOSECONDS)
                // Cancelling works on the future that the client gave, and on none that depends on it.
                .whenComplete((answer, failure) -> {
                    if (failure != null) {
                        exchange.cancel(true);
                    }
                });
    }
}
