// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import dev.semel.webhooks.http.BoundedBody;
import dev.semel.webhooks.http.Exchanges;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Fetches certificates over HTTPS. Does not follow redirects. */
final class HttpCertificateFetch implements CertificateFetch {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final int MAX_BYTES = 64 * 1024;

    private final HttpClient client = HttpClient.newBuilder()
            .connectTimeout(TIMEOUT)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();

    @Override
    public CompletionStage<byte[]> fetch(URI address) {
        HttpRequest request =
                HttpRequest.newBuilder(address).timeout(TIMEOUT).GET().build();
        return Exchanges.send(client, request, BoundedBody.of(MAX_BYTES), TIMEOUT)
                .thenCompose(answer -> {
                    boolean usable = answer.statusCode() == 200 && answer.body().length > 0;
                    return usable
                            ? CompletableFuture.completedFuture(answer.body())
                            : CompletableFuture.failedFuture(new IOException(
                                    "The certificate could not be fetched: status " + answer.statusCode()));
                });
    }
}
