// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.alerts;

import dev.semel.internal.HmacSha256;
import dev.semel.internal.SendersClock;
import dev.semel.server.config.AlertSettings;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Posts messages to the configured URL. {@code Semel-Timestamp} is the Unix time in seconds, and {@code Semel-Signature} the
 * hexadecimal HMAC-SHA256 of the timestamp, a full stop, and the body. Redirects are not followed.
 */
final class AlertWebhook {
    private static final Duration CONNECT_WITHIN = Duration.ofSeconds(2);
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(5);

    private final AlertSettings.Webhook settings;
    private final HmacSha256 signature;
    private final Duration answerWithin;
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(CONNECT_WITHIN)
            .build();

    AlertWebhook(AlertSettings.Webhook settings) {
        this(settings, ANSWER_WITHIN);
    }

    /** @param answerWithin how long a receiver may take, to the end of its answer */
    AlertWebhook(AlertSettings.Webhook settings, Duration answerWithin) {
        this.settings = settings;
        this.answerWithin = answerWithin;
        this.signature = new HmacSha256(settings.secret().reveal().getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Sends a message and waits for the answer.
     *
     * @throws IOException if the receiver did not answer with 2xx; the message contains no part of the URL
     */
    void send(byte[] body) throws IOException, InterruptedException {
        String timestamp = Long.toString(SendersClock.now().getEpochSecond());
        byte[] signed = signature.of((timestamp + ".").getBytes(StandardCharsets.UTF_8), body);
        HttpRequest request = HttpRequest.newBuilder(settings.url())
                .timeout(answerWithin)
                .header("Content-Type", "application/json")
                .header("Semel-Timestamp", timestamp)
                .header("Semel-Signature", HexFormat.of().formatHex(signed))
                .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                .build();
        int status = status(client.sendAsync(request, HttpResponse.BodyHandlers.discarding()));
        if (status < 200 || status > 299) {
            throw new IOException("status " + status);
        }
    }

    /** Waits to the end of the answer. The request's own timeout ends with the head of the answer. */
    private int status(CompletableFuture<HttpResponse<Void>> answer) throws IOException, InterruptedException {
        try {
            return answer.get(answerWithin.toMillis(), TimeUnit.MILLISECONDS).statusCode();
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new IOException(cause.getClass().getSimpleName(), cause);
        } catch (TimeoutException e) {
            throw new IOException("no complete answer in time", e);
        } finally {
            // Closes the connection if the answer has not ended.
            answer.cancel(true);
        }
    }
}
