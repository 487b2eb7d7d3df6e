// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

import dev.semel.webhooks.http.BoundedBody;
import dev.semel.webhooks.http.Exchanges;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/** Forwards with the JDK's HTTP client, over HTTP/1.1. */
final class HttpForwardClient implements ForwardClient {
    /** The answer's body is read up to this size and discarded. Only the status counts. */
    private static final int MAX_BYTES = 64 * 1024;

    private static final Duration CONNECT = Duration.ofSeconds(5);

    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();

    @Override
    public CompletionStage<Integer> send(URI target, Map<String, List<String>> headers, byte[] body, Duration timeout) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(target).timeout(timeout).POST(BodyPublishers.ofByteArray(body));
        headers.forEach((name, values) -> values.forEach(value -> request.header(name, value)));
        return Exchanges.send(client, request.build(), BoundedBody.discarding(MAX_BYTES), timeout)
                .thenApply(HttpResponse::statusCode);
    }
}
